import assert from 'node:assert/strict';
import {test} from 'node:test';
import {noSlot} from '../../../src/core/dispatch/slots.ts';
import {anIssue, aResult, reserved, started, Table} from '../builders.ts';

test('candidates go by priority 1 to 4, then the oldest, then by identifier', () => {
  const table = new Table();
  const effects = table.project({}, [
    anIssue({id: 'none'}),
    anIssue({id: 'zero', priority: 0}),
    anIssue({id: 'low', priority: 4}),
    anIssue({id: 'young', priority: 2, created_at: '2026-02-01T00:00:00Z'}),
    anIssue({id: 'old', priority: 2, created_at: '2026-01-01T00:00:00Z'}),
    anIssue({id: 'undated', priority: 2}),
    anIssue({id: 'urgent', priority: 1}),
  ]);
  assert.deepEqual(reserved(effects), ['urgent', 'old', 'young', 'undated', 'low', 'none', 'zero']);
});

test('a candidate is taken only if it is active, routable, unblocked and unclaimed', () => {
  const table = new Table();
  const tracker = {requiredLabels: ['agent'], excludedLabels: ['manual']};
  const labels = ['agent'];
  const effects = table.project({tracker}, [
    anIssue({id: 'good', labels}),
    anIssue({id: 'over', labels, state: 'Done'}),
    anIssue({id: 'elsewhere', labels, state: 'Review'}),
    anIssue({id: 'unlabelled'}),
    anIssue({id: 'manual', labels: ['agent', 'manual']}),
    anIssue({id: 'refused', labels, dispatchable: false}),
    anIssue({id: 'blocked', labels, blocked_by: [{id: 'x', identifier: 'X', state: 'Todo'}]}),
    anIssue({id: 'unknown', labels, blocked_by: [{id: 'x', identifier: 'X', state: null}]}),
    anIssue({id: 'unblocked', labels, blocked_by: [{id: 'x', identifier: 'X', state: 'Done'}]}),
    anIssue({
      id: 'begun',
      labels,
      state: 'In Progress',
      blocked_by: [{id: 'x', identifier: 'X', state: 'Todo'}],
    }),
  ]);
  assert.deepEqual(reserved(effects).toSorted(), ['begun', 'good', 'unblocked']);
});

test('slots: the project, the state and the whole supervisor each have a limit', () => {
  const issues = ['1', '2', '3', '4'].map((id) => anIssue({id}));
  const byProject = new Table().project({agent: {maxConcurrentAgents: 2}}, issues);
  assert.deepEqual(reserved(byProject), ['1', '2']);
  const bySupervisor = new Table(3).project({}, issues);
  assert.deepEqual(reserved(bySupervisor), ['1', '2', '3']);
  const byState = new Table().project({agent: {maxConcurrentAgentsByState: {todo: 1}}}, [
    ...issues,
    anIssue({id: '5', state: 'In Progress'}),
  ]);
  assert.deepEqual(reserved(byState), ['1', '5']);
});

test('between projects, the one with the smallest share of its limit in use goes first', () => {
  const table = new Table(3);
  table.project({name: 'big', agent: {maxConcurrentAgents: 10}}, [anIssue({id: 'b1'})]);
  table.starts(anIssue({id: 'b1'}), 'big');
  table.happens({
    type: 'project.loaded',
    workflow: {...workflowOf(table), settings: {...workflowOf(table).settings, name: 'small'}},
  });
  const probe = {version: null, logged_in: true, failure: null};
  table.happens({type: 'agent.probed', project: 'small', result: probe});
  const answer = {ok: true, value: [anIssue({id: 's1'}), anIssue({id: 's2'})]} as const;
  const effects = table.happens({type: 'candidates.read', project: 'small', scope: 0, answer});
  assert.deepEqual(reserved(effects), ['s1', 's2']);
});

function workflowOf(table: Table) {
  const [project] = table.state.projects.values();
  assert.ok(project !== undefined);
  return project.workflow;
}

test('what the read just before launch says wins', async (t) => {
  const table: [string, ReturnType<typeof anIssue> | null, boolean][] = [
    ['still good', anIssue(), true],
    ['gone', null, false],
    ['over', anIssue({state: 'Done'}), false],
    ['elsewhere', anIssue({state: 'Review'}), false],
    ['blocked', anIssue({blocked_by: [{id: 'x', identifier: 'X', state: 'Todo'}]}), false],
  ];
  for (const [what, issue, starts] of table) {
    await t.test(what, () => {
      const scene = new Table();
      scene.project({}, [anIssue()]);
      const effects = scene.reads(issue, '1');
      assert.deepEqual(started(effects), starts ? ['p/1'] : []);
      assert.equal(scene.claim()?.is, starts ? 'running' : undefined);
      assert.equal(scene.counters.get('p/1')?.runs ?? 0, starts ? 1 : 0);
    });
  }
});

test('a read before launch that fails releases a fresh issue until the next tick', () => {
  const table = new Table();
  table.project({}, [anIssue()]);
  const [key, runId] = [table.key(), table.runId()];
  const answer = {ok: false, message: 'down', notBefore: null} as const;
  const effects = table.happens({type: 'issue.read', key, runId, answer});
  assert.equal(table.claim(), undefined);
  assert.deepEqual(reserved(effects), []);
});

test('a freed slot is filled at once, without a new poll', () => {
  const table = new Table();
  table.project({agent: {maxConcurrentAgents: 1}}, [anIssue({id: '1'}), anIssue({id: '2'})]);
  table.starts(anIssue({id: '1'}));
  table.ends(aResult(), '1');
  const effects = table.reads(anIssue({id: '1', state: 'Review'}));
  assert.deepEqual(reserved(effects), ['2']);
});

test('a due retry that finds no slot keeps its attempt and goes before fresh candidates', () => {
  const table = new Table();
  const agent = {maxConcurrentAgents: 1};
  table.project({agent}, [anIssue({id: '1'}), anIssue({id: '2'}), anIssue({id: '3'})]);
  table.starts(anIssue({id: '1'}));
  table.ends(aResult({outcome: 'failed', failure: {code: 'turn_failed', message: 'no'}}), '1');
  table.reads(anIssue({id: '1'}));
  assert.equal(table.claim('1')?.is, 'retrying');
  table.starts(anIssue({id: '2'}));
  table.later(10_000);
  table.happens({type: 'timer.fired', timer: 'retry p/1'});
  const waiting = table.claim('1');
  assert.ok(waiting?.is === 'retrying');
  assert.equal(waiting.attempt, 1);
  assert.equal(waiting.waitsFor, noSlot('project_full'));
  table.ends(aResult(), '2');
  const effects = table.reads(anIssue({id: '2', state: 'Done'}));
  assert.deepEqual(reserved(effects), ['1'], 'cleaning needs no slot');
});

test('nothing is dispatched while it is paused, broken, unchecked or told to wait', async (t) => {
  const block: Record<string, (table: Table) => void> = {
    paused: (table) =>
      table.happens({
        type: 'operator.commanded',
        by: 'me',
        command: {command: 'pause', project: null},
      }),
    'broken workflow': (table) =>
      table.happens({type: 'project.broken', project: 'p', problem: 'line 3'}),
    'store not writable': (table) => table.happens({type: 'store.changed', isWritable: false}),
    'shutting down': (table) => table.happens({type: 'shutdown.requested', withinMs: 1000}),
  };
  for (const [what, act] of Object.entries(block)) {
    await t.test(what, () => {
      const table = new Table();
      table.project({agent: {maxConcurrentAgents: 1}}, [anIssue({id: '1'}), anIssue({id: '2'})]);
      act(table);
      assert.deepEqual(started(table.reads(anIssue({id: '1'}))), []);
      assert.equal(table.claim('2'), undefined);
    });
  }
});

test('before the first launch the agent is checked once; if it is missing nothing starts', () => {
  const table = new Table();
  const loaded = table.happens({type: 'project.loaded', workflow: {...anyWorkflow()}});
  assert.equal(loaded.filter((effect) => effect.do === 'probe-agent').length, 1);
  const failure = {code: 'agent_not_found', message: 'no codex'} as const;
  const result = {version: null, logged_in: null, failure};
  table.happens({type: 'agent.probed', project: 'p', result});
  const answer = {ok: true, value: [anIssue()]} as const;
  assert.deepEqual(
    reserved(table.happens({type: 'candidates.read', project: 'p', scope: 0, answer})),
    [],
  );
  assert.match(table.state.projects.get('p')?.lastError ?? '', /no codex/);
  table.later(10_000);
  const due = table.happens({type: 'timer.fired', timer: 'probe p'});
  assert.deepEqual(due, [{do: 'probe-agent', project: 'p', agentKind: 'codex'}]);
  const good = {version: '1', logged_in: true, failure: null};
  assert.deepEqual(reserved(table.happens({type: 'agent.probed', project: 'p', result: good})), [
    '1',
  ]);
});

function anyWorkflow() {
  const table = new Table();
  table.project({}, []);
  return workflowOf(table);
}

test('a store that can be written again is followed by dispatch', () => {
  const table = new Table();
  table.happens({type: 'store.changed', isWritable: false});
  assert.deepEqual(reserved(table.project({}, [anIssue()])), []);
  assert.deepEqual(reserved(table.happens({type: 'store.changed', isWritable: true})), ['1']);
});

test('a full disk is told once, and dispatch waits until there is room again', () => {
  const table = new Table();
  table.project({}, []);
  const checked = (shortage: string | null) =>
    table.happens({type: 'disk.checked', project: 'p', shortage});
  const told = checked('only 3 MB are free');
  assert.ok(told.some((effect) => effect.do === 'log' && effect.level === 'error'));
  assert.deepEqual(checked('only 3 MB are free'), []);
  table.happens({type: 'timer.fired', timer: 'poll p'});
  const answer = {ok: true, value: [anIssue()]} as const;
  const fetched = table.happens({type: 'candidates.read', project: 'p', scope: 0, answer});
  assert.deepEqual(reserved(fetched), []);
  assert.deepEqual(reserved(checked(null)), ['1']);
});

test('a paused project fetches nothing, and is polled again after its interval', () => {
  const table = new Table();
  table.project({intervalMs: 30_000}, []);
  const command = {command: 'pause', project: 'p'} as const;
  table.happens({type: 'operator.commanded', by: 'me', command});
  assert.deepEqual(table.happens({type: 'timer.fired', timer: 'poll p'}), [
    {do: 'set-timer', timer: 'poll p', at: table.now + 30_000},
  ]);
});

test("an issue that leaves its state frees that state's slot at once", () => {
  const issues = [anIssue({id: '1', state: 'Todo'}), anIssue({id: '2', state: 'Todo'})];
  const agent = {maxConcurrentAgentsByState: {todo: 1}};
  const marked = new Table();
  marked.project({agent, tracker: {inProgressState: 'In Progress'}}, issues);
  marked.reads(anIssue({id: '1', state: 'Todo'}));
  const written = {key: 'p/1', runId: marked.runId('1'), answer: 'written'} as const;
  assert.deepEqual(reserved(marked.happens({type: 'state.written', ...written})), ['2']);

  const moved = new Table();
  moved.project({agent}, issues);
  moved.starts(anIssue({id: '1', state: 'Todo'}));
  const call = {key: 'p/1', runId: moved.runId('1')};
  moved.happens({type: 'tool.called', ...call});
  const answered = {type: 'tool.answered', ...call, movedTo: 'In Progress'} as const;
  assert.deepEqual(reserved(moved.happens(answered)), ['2']);
});
