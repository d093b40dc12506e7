import {GITHUB_DIALECT} from '../servers/forge/github-dialect.ts';
import {testForgeContract} from './contract.ts';

testForgeContract('github', GITHUB_DIALECT);
