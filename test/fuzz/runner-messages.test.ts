import assert from 'node:assert/strict';
import {test} from 'node:test';
import {
  FAILURES,
  type FailureCode,
  FromRunner,
  NO_USAGE,
  ToRunner,
} from '@symphony-supervisor/protocol';
import fc from 'fast-check';
import {claimJson, parseClaim} from '../../packages/orchestrator/src/store/claims/claim-schema.ts';
import {anIssue, aResult, Table} from '../../packages/orchestrator/test/core/builders.ts';
import {aCleaning, anAttempt} from '../rig/fixtures/job.ts';
import {OPTIONS} from './runs.ts';
import {spoiled} from './spoil.ts';

const usage = {...NO_USAGE, input_tokens: 5, total_tokens: 5};
const thread = aResult().thread;
const progress = {
  ...{event: 'notification', message: 'hello', messages: 3, signs_of_life: 2, usage},
  ...{thread_usage: usage, rate_limits: {windows: []}},
};
const failures = (Object.keys(FAILURES) as FailureCode[]).map((code) => ({code, message: 'no'}));
const REPORTS = [
  {type: 'hello', protocol: 4, pid: 7},
  {type: 'phase', phase: 'streaming_turn'},
  {type: 'workspace', path: '/w/ABC-1', created: true},
  {type: 'hook_started', hook: 'before_run'},
  {type: 'hook_ended', hook: 'before_run', failure: null, duration_ms: 1.5, output: 'done'},
  {type: 'agent_started', pid: 8},
  {type: 'thread', thread, resumed: false},
  {type: 'turn_started', turn: 1, session_id: 's'},
  {type: 'agent', progress},
  {type: 'note', message: 'by the way'},
  {type: 'heartbeat'},
  ...failures.map((failure) => ({type: 'result', result: aResult({outcome: 'failed', failure})})),
  {type: 'result', result: aResult()},
  {
    type: 'cleaned',
    outcomes: [
      {is: 'removed'},
      {is: 'kept', reason: '1 commit not pushed'},
      ...failures.map((failure) => ({is: 'failed', failure})),
    ],
  },
  {type: 'probed', result: {version: '1', logged_in: true, failure: null}},
];
const FROM = [
  ...REPORTS.map((report) => ({to: 'report', report})),
  {to: 'ask', call: {ask: 'issue', id: 1}},
  {to: 'ask', call: {ask: 'tool', id: 2, tool: 'move', arguments: {state: 'Done'}}},
];
const TO = [
  {order: 'start', job: anAttempt('/w')},
  {order: 'start', job: aCleaning('/w')},
  {order: 'stop', reason: 'stalled', within_ms: 5},
  {order: 'answer', answer: {answer: 'issue', id: 1, value: {issue: anIssue(), go_on: true}}},
];

test('whatever a runner says is understood as it stands, or not at all', () => {
  fc.assert(
    fc.property(spoiled(FROM), (message) => {
      const said = FromRunner.safeParse(message);
      if (said.success) assert.deepEqual(FromRunner.parse(said.data), said.data);
    }),
    OPTIONS,
  );
});

test('whatever a runner is told is understood as it stands, or not at all', () => {
  fc.assert(
    fc.property(spoiled(TO), (message) => {
      const told = ToRunner.safeParse(message);
      if (told.success) assert.deepEqual(ToRunner.parse(told.data), told.data);
    }),
    OPTIONS,
  );
});

test('whatever is understood can be decided upon, and what follows survives the store', () => {
  fc.assert(
    fc.property(fc.array(spoiled(FROM), {minLength: 1, maxLength: 12}), (messages) => {
      const table = new Table();
      table.project({}, [anIssue()]);
      table.starts(anIssue());
      const [key, runId] = [table.key(), table.runId()];
      for (const message of messages) {
        const said = FromRunner.safeParse(message);
        if (!said.success || said.data.to !== 'report') continue;
        table.happens({type: 'runner.reported', key, runId, report: said.data.report});
      }
      for (const claim of table.state.claims.values()) {
        assert.deepEqual(parseClaim(JSON.parse(claimJson(claim))), claim);
      }
      table.happens({type: 'runner.exited', key, runId, how: 'exit code 0'});
      table.reads(anIssue());
      for (const claim of table.state.claims.values()) {
        assert.deepEqual(parseClaim(JSON.parse(claimJson(claim))), claim);
      }
    }),
    OPTIONS,
  );
});
