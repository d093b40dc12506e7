import assert from 'node:assert/strict';
import {test} from 'node:test';
import {NO_USAGE, type RunnerReport} from '@symphony-supervisor/protocol';
import type {Decision} from '../../../src/core/draft.ts';
import type {Event} from '../../../src/core/event.ts';
import {
  type Announcement,
  announcementsOf,
  type Line,
} from '../../../src/core/view/announcements.ts';
import {anIssue, aResult, aWorkflow, IDLE_RESULT, Table} from '../builders.ts';

/** A supervisor that keeps what its decisions announce. */
class TellingTable extends Table {
  told: Announcement[] = [];

  protected override decide(event: Event): Decision {
    const before = this.state;
    const decision = super.decide(event);
    this.told.push(...announcementsOf(before, event, decision));
    return decision;
  }

  /** Since the last time, without the reads. */
  take(): Announcement[] {
    const told = this.told.filter(({is}) => is !== 'read');
    this.told = [];
    return told;
  }

  report(report: RunnerReport, runId = this.runId()): void {
    this.happens({type: 'runner.reported', key: 'p/1', runId, report});
  }
}

function linesOf(told: readonly Announcement[]): Line[] {
  return told.filter((one) => one.is === 'line').filter(({level}) => level !== 'debug');
}

function wordsOf(told: readonly Announcement[]): string[] {
  return linesOf(told).map(({event}) => event);
}

function measuresOf(told: readonly Announcement[]): Announcement[] {
  return told.filter(({is}) => is !== 'line' && is !== 'progress');
}

function running(knobs: Parameters<Table['project']>[0] = {}): TellingTable {
  const table = new TellingTable();
  table.project(knobs, [anIssue()]);
  table.starts(anIssue());
  table.take();
  return table;
}

const FAILED = aResult({outcome: 'failed', failure: {code: 'turn_failed', message: 'no'}});

test('a run is announced from its reservation to the retry after it, in words and in figures', () => {
  const table = new TellingTable();
  table.project({}, [anIssue()]);
  assert.deepEqual(wordsOf(table.take()), ['claim.reserved']);
  table.starts(anIssue());
  const started = table.take();
  assert.deepEqual(wordsOf(started), ['run.started']);
  assert.deepEqual(measuresOf(started), [{is: 'run-started', project: 'p', role: 'worker'}]);
  table.later(2_000);
  const usage = {...NO_USAGE, output_tokens: 5, total_tokens: 5};
  table.ends({...FAILED, usage});
  const ended = table.take();
  assert.deepEqual(wordsOf(ended), ['run.ended']);
  assert.deepEqual(measuresOf(ended), [
    {is: 'tokens', project: 'p', usage},
    {
      ...{is: 'run-ended', project: 'p', role: 'worker', outcome: 'failed'},
      ...{failure: 'turn_failed', seconds: 2},
    },
    {is: 'tokens', project: 'p', usage: NO_USAGE},
  ]);
  table.reads(anIssue());
  const retry = table.take();
  const [line] = linesOf(retry);
  assert.deepEqual([line?.event, line?.reason], ['retry.scheduled', 'turn_failed: no']);
  assert.deepEqual(measuresOf(retry), [
    {is: 'retry', project: 'p', kind: 'failure', cause: 'turn_failed'},
  ]);
});

test('every line about an issue names the issue, its run, its session and the event that caused it', () => {
  const table = running();
  table.report({type: 'turn_started', turn: 1, session_id: 'session', message_ids: []});
  table.ends(aResult());
  const [line] = linesOf(table.take());
  assert.deepEqual(line?.fields, {
    ...{event: 'run.ended', cause: 'runner.exited', project: 'p', issue_id: '1'},
    ...{issue_identifier: 'ABC-1', role: 'worker', run_id: 'life-1', session_id: 'session'},
    ...{outcome: 'succeeded', reason: null, next: 'continue', step: 'reading'},
  });
  assert.deepEqual([line?.key, line?.at], ['p/1', table.now]);
});

test('a retry that has to wait says why once, and is no new retry', () => {
  const table = running();
  table.ends(aResult());
  table.take();
  table.reads(anIssue());
  assert.deepEqual(measuresOf(table.take()), [
    {is: 'retry', project: 'p', kind: 'continuation', cause: 'none'},
  ]);
  table.happens({type: 'disk.checked', project: 'p', shortage: 'full'});
  table.take();
  table.later(1_000);
  table.happens({type: 'timer.fired', timer: 'retry p/1'});
  const waits = table.take();
  assert.deepEqual(
    linesOf(waits).map(({event, reason}) => [event, reason]),
    [['retry.waiting', 'full']],
  );
  assert.deepEqual(measuresOf(waits), []);
  table.happens({type: 'timer.fired', timer: 'retry p/1'});
  assert.deepEqual(table.take(), []);
  table.later(5);
  table.happens({
    type: 'operator.commanded',
    by: 'me',
    command: {command: 'retry', key: 'p/1', message: 'go'},
  });
  assert.deepEqual(wordsOf(table.take()), ['retry.scheduled']);
});

test('a claim that is read again without a change is not announced', () => {
  const table = running();
  table.ends(FAILED);
  table.reads(anIssue());
  table.happens({type: 'timer.fired', timer: 'poll p'});
  table.take();
  const answer = {ok: true, value: [anIssue()]} as const;
  table.happens({type: 'claimed.read', project: 'p', scope: 0, ids: ['1'], answer});
  assert.deepEqual(wordsOf(table.take()), []);
});

test('a hold is a warning, once; its end by an operator is a retry', () => {
  const table = running();
  const question = {outcome: 'input_required', question: 'Which?'} as const;
  const failure = {code: 'turn_input_required', message: 'asked'} as const;
  table.ends(aResult({...question, failure}));
  table.take();
  table.reads(anIssue());
  assert.deepEqual(
    linesOf(table.take()).map(({level, event, reason}) => [level, event, reason]),
    [['warn', 'claim.held', 'turn_input_required']],
  );
  table.happens({type: 'timer.fired', timer: 'poll p'});
  const answer = {ok: true, value: [anIssue()]} as const;
  table.happens({type: 'claimed.read', project: 'p', scope: 0, ids: ['1'], answer});
  assert.deepEqual(wordsOf(table.take()), []);
  const pause = {command: 'pause', project: 'p'} as const;
  table.happens({type: 'operator.commanded', by: 'me', command: pause});
  const retry = {command: 'retry', key: 'p/1', message: null} as const;
  table.happens({type: 'operator.commanded', by: 'me', command: retry});
  assert.deepEqual(
    measuresOf(table.take()).filter(({is}) => is === 'retry'),
    [{is: 'retry', project: 'p', kind: 'continuation', cause: 'operator'}],
  );
});

test('a stop is announced once, and so is the release that follows', () => {
  const table = running();
  const order = {command: 'restart', key: 'p/1'} as const;
  table.happens({type: 'operator.commanded', by: 'me', command: order});
  assert.deepEqual(wordsOf(table.take()), ['claim.stopping']);
  table.happens({type: 'operator.commanded', by: 'me', command: order});
  assert.deepEqual(wordsOf(table.take()), []);
  table.ends(IDLE_RESULT);
  assert.deepEqual(wordsOf(table.take()), ['run.ended']);
  table.reads(anIssue());
  const [line] = linesOf(table.take());
  assert.deepEqual([line?.event, line?.key, line?.reason], ['claim.released', 'p/1', null]);
});

test('what a shutdown leaves is resumed, and counts as no retry', () => {
  const table = running();
  table.happens({type: 'shutdown.requested', withinMs: 1_000});
  table.ends(aResult({outcome: 'interrupted'}));
  const told = table.take();
  assert.ok(wordsOf(told).includes('retry.scheduled'));
  assert.deepEqual(
    told.filter(({is}) => is === 'retry'),
    [],
  );
});

test('a reserved run that is put back is a retry without a cause', () => {
  const table = running();
  table.ends(FAILED);
  table.reads(anIssue());
  table.later(10_000);
  table.happens({type: 'timer.fired', timer: 'retry p/1'});
  table.take();
  const answer = {ok: false, message: 'down', notBefore: null} as const;
  table.happens({type: 'issue.read', key: 'p/1', runId: table.runId(), answer});
  assert.deepEqual(measuresOf(table.take()), [
    {is: 'retry', project: 'p', kind: 'failure', cause: 'none'},
  ]);
});

test('what an agent says is progress with its tokens; of a run that is gone it is nothing', () => {
  const table = running();
  const usage = {...NO_USAGE, input_tokens: 7, total_tokens: 7};
  const progress = {
    event: 'notification',
    ...{message: 'working', messages: 1, signs_of_life: 1},
    ...{rate_limits: null, is_measured: true, models: [], usage, thread_usage: usage},
  } as const;
  table.report({type: 'agent', progress});
  const issue = {project: 'p', issue_id: '1', issue_identifier: 'ABC-1'};
  const about = {...issue, role: 'worker', run_id: 'life-1'};
  const told = {is: 'progress', key: 'p/1', at: table.now, about};
  assert.deepEqual(table.take(), [
    {...told, event: 'notification', message: 'working'},
    {is: 'tokens', project: 'p', usage},
  ]);
  table.report({type: 'heartbeat'});
  assert.deepEqual(table.take(), [{...told, event: null, message: null}]);
  table.ends(aResult());
  table.reads(anIssue({state: 'Done'}));
  table.take();
  // Only its workspace is left.
  table.report({type: 'heartbeat'}, 'life-1');
  assert.deepEqual(measuresOf(table.take()), []);
  const path = '/workspaces/ABC-1';
  table.happens({type: 'workspace.cleaned', key: 'p/1', path, outcome: {is: 'removed'}});
  table.take();
  table.report({type: 'heartbeat'}, 'life-1');
  assert.deepEqual(table.take(), []);
});

test('what the core wants told is about the issue, also if that was released by it, or about a project', () => {
  const table = running();
  table.ends(aResult());
  table.reads(anIssue({state: 'Done'}));
  table.take();
  const failure = {code: 'workspace_error', message: 'busy'} as const;
  const path = '/workspaces/ABC-1';
  table.happens({type: 'workspace.cleaned', key: 'p/1', path, outcome: {is: 'failed', failure}});
  const told = linesOf(table.take()).find(({event}) => event === 'workspace.not_cleaned');
  const {issue_identifier, reason} = told?.fields ?? {};
  assert.deepEqual([told?.level, issue_identifier, reason], ['warn', 'ABC-1', 'busy']);
  table.happens({type: 'project.loaded', workflow: aWorkflow()});
  const reloaded = linesOf(table.take()).find(({event}) => event === 'workflow.reloaded');
  assert.deepEqual(reloaded?.fields, {event: 'workflow.reloaded', project: 'p', reason: null});
  assert.equal(reloaded?.key, null);
});

test('an hourly look at a kept workspace is not announced', () => {
  const table = running();
  table.ends(aResult());
  table.reads(anIssue({state: 'Done'}));
  const path = '/workspaces/ABC-1';
  const kept = {is: 'kept', reason: '1 commit not pushed'} as const;
  table.happens({type: 'workspace.cleaned', key: 'p/1', path, outcome: kept});
  assert.ok(wordsOf(table.take()).includes('workspace.kept'));
  const found = {
    ok: true,
    value: [{issue: anIssue({state: 'Done'}), host: 'local', path}],
  } as const;
  table.happens({type: 'workspaces.found', project: 'p', scope: 0, answer: found});
  table.confirms(anIssue({state: 'Done'}));
  table.happens({type: 'workspace.cleaned', key: 'p/1', path, outcome: kept});
  assert.deepEqual(wordsOf(table.take()), []);
});

test('ticks have a beginning and an end, and each of their reads is counted', () => {
  const table = new TellingTable();
  table.happens({type: 'project.loaded', workflow: aWorkflow()});
  assert.deepEqual(measuresOf(table.take()), [{is: 'tick-began', project: 'p', at: table.now}]);
  table.later(300);
  const down = {ok: false, message: 'down', notBefore: null} as const;
  table.happens({type: 'candidates.read', project: 'p', scope: 0, answer: down});
  assert.deepEqual(measuresOf(table.told), [
    {is: 'read', project: 'p', read: 'candidates', ok: false},
    {is: 'tick-ended', project: 'p', at: table.now},
  ]);
  const claimed = running();
  claimed.happens({type: 'timer.fired', timer: 'poll p'});
  const answer = {ok: true, value: [anIssue()]} as const;
  claimed.happens({type: 'claimed.read', project: 'p', scope: 0, ids: ['1'], answer});
  claimed.ends(aResult());
  claimed.reads(anIssue());
  assert.deepEqual(
    claimed.told.flatMap((one) => (one.is === 'read' ? [[one.read, one.ok]] : [])),
    [
      ['claimed', true],
      ['issue', true],
    ],
  );
});

test('a run that left no claim is counted with nothing more to add to its tokens', () => {
  const table = running();
  const before = {...table.state, claims: new Map()};
  table.ends(aResult());
  const decision = table.decision ?? assert.fail();
  const event = {type: 'store.changed', isWritable: true, at: table.now} as const;
  const tokens = announcementsOf(before, event, decision).find(({is}) => is === 'tokens');
  assert.deepEqual(tokens, {is: 'tokens', project: 'p', usage: NO_USAGE});
});

test("a dismissal is announced once, and a retry that ends it is an operator's", () => {
  const table = running();
  const order = {command: 'dismiss', key: 'p/1', orderedAt: table.asked} as const;
  table.happens({type: 'operator.commanded', by: 'me', command: order});
  table.ends(IDLE_RESULT);
  table.take();
  table.reads(anIssue());
  assert.deepEqual(wordsOf(table.take()), ['claim.dismissed']);
  const found = {ok: true, value: [anIssue({priority: 1})]} as const;
  const read = {project: 'p', scope: 0, ids: ['1'], answer: found};
  table.happens({type: 'claimed.read', ...read});
  assert.deepEqual(wordsOf(table.take()), []);
  const pause = {command: 'pause', project: null} as const;
  table.happens({type: 'operator.commanded', by: 'me', command: pause});
  const retry = {command: 'retry', key: 'p/1', message: null} as const;
  table.happens({type: 'operator.commanded', by: 'me', command: retry});
  assert.deepEqual(
    measuresOf(table.take()).filter(({is}) => is === 'retry'),
    [{is: 'retry', project: 'p', kind: 'continuation', cause: 'operator'}],
  );
});
