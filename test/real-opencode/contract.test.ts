import {testContract} from '../../packages/runner/test/agent/contract/suite.ts';
import {realOpencode} from './contract-player.ts';

testContract(realOpencode);
