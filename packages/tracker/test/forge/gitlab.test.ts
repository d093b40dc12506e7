import {GITLAB_DIALECT} from '../servers/forge/gitlab-dialect.ts';
import {testForgeContract} from './contract.ts';

testForgeContract('gitlab', GITLAB_DIALECT);
