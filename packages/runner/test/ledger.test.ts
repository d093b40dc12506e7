import assert from 'node:assert/strict';
import {test} from 'node:test';
import {NO_USAGE, RunFailure} from '@symphony-supervisor/protocol';
import {Ledger} from '../src/job/ledger.ts';
import {StopSignal} from '../src/job/stop-signal.ts';

const UNUSED = {is_measured: true, usage: NO_USAGE, models: []};

test('what nobody foresaw is a failure of the workspace, in its own words', () => {
  const ledger = new Ledger(new StopSignal());
  ledger.failed(new Error('ENOSPC: no space left on device'));
  const {outcome, failure} = ledger.result(UNUSED);
  assert.equal(outcome, 'failed');
  assert.deepEqual(failure, {code: 'workspace_error', message: 'ENOSPC: no space left on device'});
});

test('the first word on the outcome is the last', () => {
  const ledger = new Ledger(new StopSignal());
  ledger.failed(new RunFailure('turn_input_required', 'Which colour?'));
  ledger.failed(new RunFailure('turn_timeout', 'too late'));
  const {outcome, question} = ledger.result(UNUSED);
  assert.deepEqual({outcome, question}, {outcome: 'input_required', question: 'Which colour?'});
});

test('what breaks while a run is being stopped breaks because of that', () => {
  const stop = new StopSignal();
  const ledger = new Ledger(stop);
  stop.stop('stopped_by_operator');
  ledger.failed(new Error('the pipe is closed'));
  const {outcome, failure} = ledger.result(UNUSED);
  assert.deepEqual({outcome, failure}, {outcome: 'stopped_by_operator', failure: null});
});
