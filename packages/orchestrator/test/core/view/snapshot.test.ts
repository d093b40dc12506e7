import assert from 'node:assert/strict';
import {test} from 'node:test';
import {NO_USAGE, Snapshot} from '@symphony-supervisor/protocol';
import {noSlot} from '../../../src/core/dispatch/slots.ts';
import {snapshotOf} from '../../../src/core/view/snapshot.ts';
import {anIssue, aResult, aWorkflow, Table} from '../builders.ts';

const HERE = {version: '1.2.3', pid: 7, started_at: '2026-01-01T00:00:00.000Z'};

function shown(table: Table): Snapshot {
  const snapshot = snapshotOf(table.state, table.now, HERE);
  assert.deepEqual(Snapshot.parse(JSON.parse(JSON.stringify(snapshot))), snapshot);
  return snapshot;
}

test('every kind of claim is shown, and every candidate that waits says why', () => {
  const table = new Table();
  const issues = ['1', '2', '3', '4', '5'].map((id) => anIssue({id, priority: Number(id)}));
  const blocked = anIssue({id: '6', blocked_by: [{id: 'x', identifier: 'X-1', state: 'Todo'}]});
  table.project({agent: {maxConcurrentAgents: 3, maxConsecutiveFailures: 5}}, [...issues, blocked]);
  for (const issue of issues.slice(0, 3)) table.starts(issue);
  table.ends(aResult({outcome: 'failed', failure: {code: 'turn_failed', message: 'no'}}), '2');
  table.reads(anIssue({id: '2'}));
  const asked = {code: 'turn_input_required', message: 'it asks'} as const;
  table.ends(aResult({outcome: 'input_required', failure: asked, question: 'Which one?'}), '3');
  table.reads(anIssue({id: '3'}));
  const {counts, running, retrying, held, waiting} = shown(table);
  assert.deepEqual(counts, {
    ...{running: 3, stopping: 0, retrying: 1, held: 1, dismissed: 0, waiting: 1, kept: 0},
  });
  assert.deepEqual(
    running.map((row) => [row.issue_identifier, row.phase]),
    [
      ['ABC-1', 'dispatching'],
      ['ABC-4', 'dispatching'],
      ['ABC-5', 'dispatching'],
    ],
  );
  assert.deepEqual(
    [retrying[0]?.issue_id, retrying[0]?.kind, retrying[0]?.attempt],
    ['2', 'failure', 1],
  );
  assert.equal(retrying[0]?.due_at, new Date(table.now + 10_000).toISOString());
  assert.deepEqual([held[0]?.reason, held[0]?.question], ['turn_input_required', 'Which one?']);
  assert.deepEqual(
    waiting.map(({issue_id, reason}) => [issue_id, reason]),
    [['6', 'blocked by X-1']],
  );
});

test('a candidate that cannot be taken says why, one reason for each cause', () => {
  const rows: [Parameters<typeof anIssue>[0], string][] = [
    [{state: 'Done'}, 'state Done is terminal'],
    [{state: 'Review'}, 'state Review is not active'],
    [{labels: ['ready']}, 'lacks the required label agent'],
    [{labels: ['agent', 'ready', 'wip']}, 'has the excluded label wip'],
    [
      {labels: ['wip']},
      'lacks the required label agent; lacks the required label ready; has the excluded label wip',
    ],
    [{dispatchable: false}, 'excluded by tracker.provider (author or assignee), or archived'],
  ];
  for (const [fields, reason] of rows) {
    const table = new Table();
    const tracker = {requiredLabels: ['agent', 'ready'], excludedLabels: ['wip', 'human']};
    table.project({tracker}, [anIssue({labels: ['agent', 'ready'], ...fields})]);
    assert.equal(shown(table).waiting[0]?.reason, reason);
  }
});

test('a hundred candidates are shown, or as many as are asked for, and all are counted', () => {
  const table = new Table();
  const issues = Array.from({length: 150}, (_, n) => anIssue({id: String(n), dispatchable: false}));
  table.project({}, issues);
  assert.equal(shown(table).waiting.length, 100);
  assert.equal(shown(table).counts.waiting, 150);
  const whole = snapshotOf(table.state, table.now, HERE, 1000);
  assert.equal(whole.waiting.length, 150);
});

test('a candidate that finds no slot says so; one that nothing keeps is next in line', () => {
  const table = new Table();
  table.project({agent: {maxConcurrentAgents: 1}}, [anIssue(), anIssue({id: '2'})]);
  assert.deepEqual(
    shown(table).waiting.map(({reason}) => reason),
    [noSlot('project_full')],
  );
  table.happens({type: 'disk.checked', project: 'p', shortage: 'only 3 MB are free'});
  assert.deepEqual(
    shown(table).waiting.map(({reason}) => reason),
    ['only 3 MB are free'],
  );
  assert.equal(shown(table).projects[0]?.dispatch_block, 'only 3 MB are free');
});

test('totals are those of the store and of what runs now, and nothing is counted twice', () => {
  const table = new Table();
  table.project({}, [anIssue()]);
  table.starts(anIssue());
  const usage = {...NO_USAGE, input_tokens: 80, output_tokens: 20, total_tokens: 100};
  const progress = {
    event: 'notification',
    ...{
      message: 'hello',
      messages: 1,
      signs_of_life: 1,
      rate_limits: null,
      is_measured: true,
      models: [],
    },
    ...{usage, thread_usage: usage},
  } as const;
  table.later(4000);
  const report = {type: 'agent', progress} as const;
  table.happens({type: 'runner.reported', key: 'p/1', runId: table.runId(), report});
  const during = shown(table);
  assert.equal(during.running[0]?.last_message, 'hello');
  assert.deepEqual(during.codex_totals, {
    ...{input_tokens: 80, output_tokens: 20, total_tokens: 100, seconds_running: 4},
  });
  table.ends(aResult({usage}));
  assert.deepEqual(shown(table).codex_totals, during.codex_totals);
});

test('a long queue is counted, and only its head is shown', () => {
  const table = new Table();
  const issues = Array.from({length: 1000}, (_, id) => anIssue({id: `i${id}`}));
  table.project({agent: {maxConcurrentAgents: 1}}, issues);
  const {counts, waiting} = shown(table);
  assert.equal(counts.waiting, 999);
  assert.equal(waiting.length, 100);
});

test('a workflow that cannot be used, or an agent that is missing, is the last error', () => {
  const table = new Table();
  table.project({}, []);
  assert.equal(shown(table).last_error, null);
  table.happens({type: 'project.broken', project: 'p', problem: 'line 3: no such key'});
  const {last_error, projects} = shown(table);
  assert.equal(last_error, 'line 3: no such key');
  assert.equal(projects[0]?.problem, 'line 3: no such key');
});

test('what a tick could not read is the last error, until one could read everything', () => {
  const table = new Table();
  table.project({}, [anIssue()]);
  table.starts(anIssue());
  const down = {ok: false, message: 'tracker_request: down', notBefore: null} as const;
  const tick = (claimed: boolean, candidates: boolean) => {
    const about = {project: 'p', scope: 0} as const;
    table.happens({type: 'timer.fired', timer: 'poll p'});
    const found = claimed ? ({ok: true, value: [anIssue()]} as const) : down;
    table.happens({type: 'claimed.read', ...about, ids: ['1'], answer: found});
    const fetched = candidates ? ({ok: true, value: []} as const) : down;
    table.happens({type: 'candidates.read', ...about, answer: fetched});
    return shown(table).last_error;
  };
  assert.equal(tick(true, false), 'tracker_request: down');
  assert.equal(tick(false, false), 'tracker_request: down');
  assert.equal(tick(true, true), null);
  assert.equal(tick(false, true), 'tracker_request: down');
  assert.equal(tick(true, true), null);
});

test('while dispatch is paused, a read of what is claimed is enough to be well again', () => {
  const table = new Table();
  table.project({}, [anIssue()]);
  table.starts(anIssue());
  const command = {command: 'pause', project: 'p'} as const;
  table.happens({type: 'operator.commanded', by: 'me', command});
  const down = {ok: false, message: 'tracker_request: down', notBefore: null} as const;
  for (const answer of [down, {ok: true, value: [anIssue()]} as const]) {
    table.happens({type: 'timer.fired', timer: 'poll p'});
    table.happens({type: 'claimed.read', project: 'p', scope: 0, ids: ['1'], answer});
    assert.equal(shown(table).last_error, answer.ok ? null : 'tracker_request: down');
  }
});

test('a blocker is named by what is known of it', () => {
  const rows: [string | null, string | null, string][] = [
    ['x', 'X-1', 'blocked by X-1'],
    ['x', null, 'blocked by x'],
    [null, null, 'blocked by an unknown issue'],
  ];
  for (const [id, identifier, reason] of rows) {
    const table = new Table();
    table.project({}, [anIssue({blocked_by: [{id, identifier, state: null}]})]);
    assert.equal(shown(table).waiting[0]?.reason, reason);
  }
});

test('a candidate that waits for a slot names the limit that it waits for', () => {
  const byState = {maxConcurrentAgentsByState: {todo: 1}};
  for (const [limits, maxAgents, reason] of [
    [{maxConcurrentAgents: 1}, null, 'project_full'],
    [{maxConcurrentAgents: 2}, 1, 'global_full'],
    [byState, null, 'state_full'],
    [{maxConcurrentAgents: 1, ...byState}, 1, 'project_full'],
  ] as const) {
    const table = new Table(maxAgents);
    table.project({agent: limits}, [anIssue(), anIssue({id: '2'})]);
    const text = `no available orchestrator slots (${reason})`;
    assert.equal(shown(table).waiting[0]?.reason, text);
  }
});

test('a candidate for which a slot has become free is next in line', () => {
  const table = new Table();
  table.project({agent: {maxConcurrentAgents: 1}}, [anIssue(), anIssue({id: '2'})]);
  table.starts(anIssue());
  table.ends(aResult());
  table.reads(anIssue());
  assert.equal(
    shown(table).waiting[0]?.reason,
    noSlot('project_full'),
    'kept for the continuation',
  );
  table.later(1000);
  assert.equal(shown(table).waiting[0]?.reason, 'next in line');
});

test('when a run would stall: never while the clock rests or is turned off', () => {
  const stallsAt = (table: Table) => shown(table).running[0]?.stalls_at;
  const table = new Table();
  table.project({agent: {stallTimeoutMs: 300_000}}, [anIssue()]);
  table.starts(anIssue());
  assert.equal(stallsAt(table), new Date(table.now + 300_000).toISOString());
  table.happens({type: 'tool.called', key: 'p/1', runId: table.runId()});
  assert.equal(stallsAt(table), null);
  table.happens({type: 'tool.answered', key: 'p/1', runId: table.runId(), movedTo: null});
  const workflow = aWorkflow({agent: {stallTimeoutMs: 0}});
  table.happens({type: 'project.loaded', workflow});
  assert.equal(stallsAt(table), null);
});

test('what is stopped shows its run and what follows; what is cleaned has none any more', () => {
  const table = new Table();
  table.project({}, [anIssue()]);
  table.starts(anIssue());
  const runId = table.runId();
  const command = {command: 'stop', key: 'p/1'} as const;
  table.happens({type: 'operator.commanded', by: 'me', command});
  const [stopping] = shown(table).stopping;
  assert.deepEqual([stopping?.run_id, stopping?.step, stopping?.next], [runId, 'runner', 'hold']);
  table.ends(aResult({outcome: 'stopped_by_operator'}));
  table.reads(anIssue({state: 'Done'}));
  const [cleaning] = shown(table).stopping;
  assert.deepEqual([cleaning?.run_id, cleaning?.step, cleaning?.next], [null, 'cleaning', 'clean']);
});

test('a workspace whose issue is only being confirmed to be over is on no host yet', () => {
  const table = new Table();
  table.project({}, []);
  const issue = anIssue({state: 'Done'});
  const value = [{issue, host: 'local', path: '/workspaces/ABC-1'}];
  const answer = {ok: true, value} as const;
  table.happens({type: 'workspaces.found', scope: 0, project: 'p', answer});
  const [confirming] = shown(table).stopping;
  assert.deepEqual([confirming?.step, confirming?.host], ['confirming', null]);
  table.confirms(issue);
  const [cleaning] = shown(table).stopping;
  assert.deepEqual([cleaning?.step, cleaning?.host], ['cleaning', 'local']);
});

test('the agent is shown as it was found: being checked, there with its version, or missing until', () => {
  const table = new Table();
  const agent = () => shown(table).projects[0]?.agent;
  table.happens({type: 'project.loaded', workflow: aWorkflow()});
  assert.deepEqual(agent(), {status: 'probing', version: null, why: null, until: null});
  const result = {version: '0.99.0', logged_in: true, failure: null};
  table.happens({type: 'agent.probed', project: 'p', result});
  assert.deepEqual(agent(), {status: 'ready', version: '0.99.0', why: null, until: null});
  table.happens({
    type: 'candidates.read',
    project: 'p',
    scope: 0,
    answer: {ok: true, value: [anIssue()]},
  });
  table.starts(anIssue());
  table.ends(aResult({outcome: 'failed', failure: {code: 'unauthorized', message: 'log in'}}));
  const until = new Date(table.now + 10_000).toISOString();
  assert.deepEqual(agent(), {
    ...{status: 'blocked', version: null, why: 'unauthorized: log in', until},
  });
});

test('polling: of several projects the one that is polled now, else the one that is next', () => {
  const table = new Table();
  assert.deepEqual(shown(table).polling, {checking: false, interval_ms: 0, next_poll_in_ms: null});
  table.project({name: 'slow', intervalMs: 60_000}, []);
  table.project({name: 'quick', intervalMs: 5_000}, []);
  assert.deepEqual(shown(table).polling, {
    ...{checking: false, interval_ms: 5_000, next_poll_in_ms: 5_000},
  });
  table.happens({type: 'timer.fired', timer: 'poll slow'});
  assert.deepEqual(shown(table).polling, {
    ...{checking: true, interval_ms: 60_000, next_poll_in_ms: null},
  });
});

test('a tracker that asks to be left alone is shown with the time', () => {
  const table = new Table();
  table.project({}, []);
  assert.equal(shown(table).projects[0]?.tracker.not_before, null);
  table.happens({type: 'timer.fired', timer: 'poll p'});
  const answer = {ok: false, message: 'later', notBefore: table.now + 60_000} as const;
  table.happens({type: 'candidates.read', project: 'p', scope: 0, answer});
  const until = new Date(table.now + 60_000).toISOString();
  assert.equal(shown(table).projects[0]?.tracker.not_before, until);
});

test('the last error names its project where there are several; a store that fails comes first', () => {
  const table = new Table();
  table.project({name: 'a'}, []);
  table.project({name: 'b'}, []);
  table.happens({type: 'project.broken', project: 'b', problem: 'line 3'});
  assert.equal(shown(table).last_error, 'b: line 3');
  table.happens({type: 'store.changed', isWritable: false});
  assert.match(shown(table).last_error ?? '', /the store cannot be written/);
});

test('what is stopped before its launch, or cleaned without a claim, is shown without a workspace', () => {
  const table = new Table();
  table.project({tracker: {inProgressState: 'In Progress'}}, [anIssue()]);
  table.reads(anIssue());
  const command = {command: 'stop', key: 'p/1'} as const;
  table.happens({type: 'operator.commanded', by: 'me', command});
  const value = [{issue: anIssue({id: '2', state: 'Done'}), host: 'local', path: '/w/ABC-2'}];
  const answer = {ok: true, value} as const;
  table.happens({type: 'workspaces.found', project: 'p', scope: 0, answer});
  assert.deepEqual(
    shown(table).stopping.map(({step, run_id, host, workspace_path}) => [
      ...[step, run_id, host, workspace_path],
    ]),
    [
      ['marking', 'life-1', 'local', null],
      ['confirming', null, null, null],
    ],
  );
});
