import {testContract} from '../../packages/runner/test/agent/contract/suite.ts';
import {realClaude} from './contract-player.ts';

testContract(realClaude);
