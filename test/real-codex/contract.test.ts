import {testContract} from '../../packages/runner/test/agent/contract/suite.ts';
import {realCodex} from './contract-player.ts';

testContract(realCodex);
