import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {Issue} from '@symphony-supervisor/protocol';
import {anIssue, aResult, type Knobs, reserved, Table} from '../builders.ts';

const FAILED = aResult({outcome: 'failed', failure: {code: 'turn_failed', message: 'no'}});

/** Issue 1 has failed once and its retry is due: it has just been taken, and is read again. */
function due(knobs: Knobs = {}): Table {
  const table = new Table();
  table.project(knobs, [anIssue()]);
  table.starts(anIssue());
  table.ends(FAILED);
  table.reads(anIssue());
  table.later(10_000);
  assert.deepEqual(reserved(table.happens({type: 'timer.fired', timer: 'retry p/1'})), ['1']);
  return table;
}

test('a due retry reads its issue again, and that decides', async (t) => {
  const rows: [string, Issue | null, string | undefined][] = [
    ['still active: it runs', anIssue(), 'running'],
    ['gone: released', null, undefined],
    ['neither active nor terminal: released', anIssue({state: 'Review'}), undefined],
    ['not routable: released', anIssue({dispatchable: false}), undefined],
    ['terminal: cleaned, then released', anIssue({state: 'Done'}), 'stopping'],
    [
      'blocked: it waits',
      anIssue({blocked_by: [{id: 'x', identifier: 'X-1', state: 'Todo'}]}),
      'retrying',
    ],
  ];
  for (const [what, issue, becomes] of rows) {
    await t.test(what, () => {
      const table = due();
      table.reads(issue, '1');
      assert.equal(table.claim()?.is, becomes);
    });
  }
});

test('a due retry whose read fails waits at its attempt, with that reason, until the next tick', () => {
  const table = due({intervalMs: 30_000});
  const answer = {ok: false, message: 'tracker_request: down', notBefore: null} as const;
  table.happens({type: 'issue.read', key: 'p/1', runId: table.runId(), answer});
  const claim = table.claim();
  assert.ok(claim?.is === 'retrying');
  assert.deepEqual(
    [claim.attempt, claim.waitsFor, claim.dueAt],
    [1, 'tracker_request: down', table.now + 30_000],
  );
});

test('a due retry waits at its attempt while dispatch is blocked, and says why', async (t) => {
  const blocks: Record<string, (table: Table) => void> = {
    'line 3 is wrong': (table) =>
      table.happens({type: 'project.broken', project: 'p', problem: 'line 3 is wrong'}),
    'dispatch is paused': (table) => {
      const command = {command: 'pause', project: 'p'} as const;
      table.happens({type: 'operator.commanded', by: 'me', command});
    },
    'the tracker asked to wait': (table) => {
      table.happens({type: 'timer.fired', timer: 'poll p'});
      const answer = {ok: false, message: 'later', notBefore: table.now + 60_000} as const;
      table.happens({type: 'claimed.read', project: 'p', scope: 0, ids: ['1'], answer});
    },
  };
  for (const [why, block] of Object.entries(blocks)) {
    await t.test(why, () => {
      const table = new Table();
      table.project({}, [anIssue()]);
      table.starts(anIssue());
      table.ends(FAILED);
      table.reads(anIssue());
      block(table);
      table.later(10_000);
      table.happens({type: 'timer.fired', timer: 'retry p/1'});
      const claim = table.claim();
      assert.ok(claim?.is === 'retrying');
      assert.deepEqual([claim.attempt, claim.waitsFor], [1, why]);
    });
  }
});

test("a retry that its state's limit blocks does not hold up the others", () => {
  const table = new Table();
  const agent = {maxConcurrentAgentsByState: {todo: 1}};
  const [todo, other, progress] = [
    anIssue({id: '1'}),
    anIssue({id: '2'}),
    anIssue({id: '3', state: 'In Progress'}),
  ];
  table.project({agent}, [todo, progress]);
  for (const issue of [todo, progress]) {
    table.starts(issue);
    table.ends(FAILED, issue.id);
    table.reads(issue);
  }
  const answer = {ok: true, value: [other]} as const;
  table.happens({type: 'timer.fired', timer: 'poll p'});
  table.happens({
    type: 'claimed.read',
    project: 'p',
    scope: 0,
    ids: [],
    answer: {ok: true, value: []},
  });
  table.happens({type: 'candidates.read', project: 'p', scope: 0, answer});
  table.starts(other);
  table.later(10_000);
  const effects = table.happens({type: 'timer.fired', timer: 'retry p/1'});
  assert.deepEqual(reserved(effects), ['3']);
  assert.equal(table.claim('1')?.is, 'retrying');
});

test('a blocker counts at dispatch and at a due retry, not during a run', () => {
  const table = new Table();
  table.project({}, [anIssue()]);
  table.starts(anIssue());
  const blocked = anIssue({blocked_by: [{id: 'x', identifier: 'X-1', state: 'Todo'}]});
  table.happens({type: 'timer.fired', timer: 'poll p'});
  const answer = {ok: true, value: [blocked]} as const;
  table.happens({type: 'claimed.read', project: 'p', scope: 0, ids: ['1'], answer});
  assert.equal(table.claim()?.is, 'running');
});

test('a clean run keeps its slot for its continuation until that is due', () => {
  const table = new Table();
  table.project({agent: {maxConcurrentAgents: 1}}, [anIssue(), anIssue({id: '2'})]);
  table.starts(anIssue());
  table.ends(aResult());
  assert.deepEqual(reserved(table.reads(anIssue())), []);
  table.later(1000);
  assert.deepEqual(reserved(table.happens({type: 'timer.fired', timer: 'retry p/1'})), ['1']);
});

test('a re-read that says no releases the reservation without a run on record', () => {
  const table = new Table();
  table.project({}, [anIssue()]);
  table.reads(anIssue({state: 'Review'}));
  assert.equal(table.claim(), undefined);
  assert.ok(!table.all.some((effect) => effect.do === 'record-run' || effect.do === 'start-run'));
});

test('a workspace in which somebody else works: looked at again in 10 s, at the same attempt', () => {
  const table = new Table();
  table.project({}, [anIssue()]);
  table.starts(anIssue());
  const failure = {code: 'workspace_busy', message: 'pid 7 works there'} as const;
  table.ends(aResult({outcome: 'failed', failure}));
  table.reads(anIssue());
  const claim = table.claim();
  assert.ok(claim?.is === 'retrying');
  assert.deepEqual(
    [claim.attempt, claim.failures, claim.dueAt, claim.waitsFor],
    [null, 0, table.now + 10_000, 'pid 7 works there'],
  );
  const agent = table.state.projects.get('p')?.agent;
  assert.equal(agent?.is, 'ready', 'other issues go on');
});
