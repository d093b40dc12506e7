import assert from 'node:assert/strict';
import {test} from 'node:test';
import {NO_USAGE} from '@symphony-supervisor/protocol';
import {describe} from '../../src/cli/client/status.ts';
import {EXIT, ExitWith} from '../../src/cli/exit.ts';
import {forPeople} from '../../src/cli/run/start-failure.ts';
import {StoreFailure, StoreTooNew} from '../../src/store/index.ts';
import {AT, aHeld, aProject, aRetrying, aRunning, aSnapshot, aWaiting} from '../view/a-snapshot.ts';

test('status tells every claim in a table of its kind', () => {
  const told = describe(
    aSnapshot({
      projects: [aProject()],
      running: [aRunning('R-1')],
      retrying: [aRetrying('Y-1'), aRetrying('Y-2', {attempt: null, error: null})],
      held: [aHeld('H-1', {question: 'Which colour?'}), aHeld('H-2')],
      waiting: [aWaiting('W-1')],
      last_error: 'the tracker is away',
    }),
    AT,
  );
  assert.match(told, /^last error: the tracker is away$/m);
  assert.match(told, /^R-1 +Todo +codex m-1 +streaming_turn +1 +12345 +\S.* R-1 works$/m);
  assert.match(told, /^Y-1 +Todo +failure +2 +90 s +turn failed$/m);
  assert.match(told, /^Y-2 +Todo +failure +– +90 s/m);
  assert.match(told, /^H-1 +Todo +stopped_by_operator +60 min +Which colour\?$/m);
  assert.match(told, /^H-2 +Todo +stopped_by_operator +60 min +stopped by hand$/m);
  assert.match(told, /^W-1 +Todo/m);
  assert.doesNotMatch(told, /STOPPING/);
});

test('status has a column of roles where there are some, and names each kind of agent', () => {
  const other = {kind: 'other', status: 'blocked', version: null, why: 'no', until: null} as const;
  const told = describe(
    aSnapshot({
      projects: [aProject({other_agents: [other]})],
      running: [aRunning('R-1'), aRunning('R-2', {role: 'docs'})],
      waiting: [aWaiting('W-1')],
    }),
    AT,
  );
  assert.match(told, /^RUNNING +STATE +ROLE +AGENT +PHASE/m);
  assert.match(told, /^R-1 +Todo +codex m-1 +streaming_turn/m);
  assert.match(told, /^R-2 +Todo +docs +codex m-1 +streaming_turn/m);
  assert.match(told, /^WAITING +STATE +REASON$/m);
  assert.match(told, / ready 1\.2\.3, other blocked /);
});

test('status never shows tokens that are not measured as a number', () => {
  const running = [aRunning('R-1', {usage: 'unmeasured', tokens: NO_USAGE, model: null})];
  const none = {input_tokens: 0, output_tokens: 0, total_tokens: 0, seconds_running: 1};
  const told = describe(aSnapshot({running, codex_totals: none}), AT);
  assert.match(told, /unmeasured tokens in total$/m);
  assert.match(told, /^R-1 +Todo +codex +streaming_turn +1 +unmeasured /m);
});

test('what keeps a supervisor from starting is told with what to do; the rest is ours', () => {
  const tooNew = forPeople(new StoreTooNew('/s/symphony.db', 9, 3, null));
  assert.ok(tooNew instanceof ExitWith && tooNew.exitCode === EXIT.unexpected);
  assert.match(tooNew.message, /has schema version 9.* use another --state-dir$/);
  const broken = forPeople(new StoreFailure('store_read_only', 'it cannot be opened'));
  assert.ok(broken instanceof ExitWith);
  assert.equal(
    broken.message,
    'it cannot be opened\nfix it, or give a writable folder with --state-dir',
  );
  const mistake = new TypeError('x is undefined');
  assert.equal(forPeople(mistake), mistake);
});
