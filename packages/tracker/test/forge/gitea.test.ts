import {GITEA_DIALECT} from '../servers/forge/gitea-dialect.ts';
import {testForgeContract} from './contract.ts';

testForgeContract('gitea', GITEA_DIALECT);
