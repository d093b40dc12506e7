import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {Issue} from '@symphony-supervisor/protocol';
import type {Effect} from '../../../src/core/effect.ts';
import {conflictOf} from '../../../src/core/life/operator.ts';
import {resumed} from '../../../src/core/life/resume.ts';
import {unreadableClaim} from '../../../src/core/run/hold.ts';
import {emptyState} from '../../../src/core/state.ts';
import {snapshotOf} from '../../../src/core/view/snapshot.ts';
import {anIssue, aResult, aWorkflow, type Knobs, reserved, started, Table} from '../builders.ts';

const key = 'p/1';
const STOPPED = aResult({outcome: 'stopped_by_operator'});
const AROUND = {version: '1', pid: 1, started_at: 'then'};

/** One slot, which the first of the candidates takes. */
function aTable(knobs: Knobs = {}, others: readonly Issue[] = []): Table {
  const table = new Table();
  table.project({agent: {maxConcurrentAgents: 1}, ...knobs}, [anIssue(), ...others]);
  return table;
}

function running(knobs: Knobs = {}): Table {
  const table = aTable(knobs);
  table.starts(anIssue());
  return table;
}

/** `orderedAt` is after all that was asked for so far. */
function dismiss(table: Table, id = '1'): readonly Effect[] {
  const command = {command: 'dismiss', key: table.key(id), orderedAt: table.asked} as const;
  return table.happens({type: 'operator.commanded', by: 'me', command});
}

/** A tick that reads the claimed issue, asked for now or, if told, earlier. */
function ticks(table: Table, issue: Issue | null, askedAt = table.asked): readonly Effect[] {
  table.later(30_000);
  table.happens({type: 'timer.fired', timer: 'poll p'});
  const answer = {ok: true, value: issue === null ? [] : [issue]} as const;
  return table.happens({type: 'claimed.read', project: 'p', scope: 0, ids: ['1'], askedAt, answer});
}

/** Dismissed while it ran, and read since. */
function dismissed(issue = anIssue(), knobs: Knobs = {}): Table {
  const table = running(knobs);
  dismiss(table);
  table.ends(STOPPED);
  table.reads(issue);
  assert.equal(table.claim()?.is, 'dismissed');
  return table;
}

test('a run that is dismissed ends first, and its issue takes no slot then', () => {
  const table = aTable({}, [anIssue({id: '2'})]);
  table.starts(anIssue());
  const effects = dismiss(table);
  assert.ok(
    effects.some((effect) => effect.do === 'stop-run' && effect.reason === 'stopped_by_operator'),
  );
  assert.equal(table.claim()?.is, 'stopping');
  table.ends(STOPPED);
  assert.deepEqual(reserved(table.reads(anIssue())), ['2']);
  const claim = table.claim();
  assert.ok(claim?.is === 'dismissed');
  assert.equal(claim.workspace?.path, '/workspaces/ABC-1');
  const {counts, held, dismissed: rows} = snapshotOf(table.state, table.now, AROUND);
  assert.deepEqual([counts.held, held, counts.dismissed], [0, [], 1]);
  assert.deepEqual([rows[0]?.issue_identifier, rows[0]?.reason], ['ABC-1', 'dismissed']);
});

test('it is let go when state, labels, title, description or assignee differ', () => {
  const rows: [Partial<Issue>, boolean][] = [
    [{state: 'In Progress'}, true],
    [{labels: ['urgent']}, true],
    [{title: 'Another'}, true],
    [{description: 'More is known now.'}, true],
    [{assignee_id: 'ada'}, true],
    [{state: 'todo'}, false],
    [{labels: ['b', 'a']}, false],
    [{priority: 1, updated_at: '2030-01-01T00:00:00Z', branch_name: 'x', url: 'y'}, false],
    [{blocked_by: [{id: '9', identifier: null, state: 'Todo'}]}, false],
  ];
  for (const [change, isLetGo] of rows) {
    const labels = 'labels' in change && !isLetGo ? ['a', 'b'] : [];
    const table = dismissed(anIssue({labels}));
    // Twice: what a read may replace must not be what the next is compared with.
    for (let tick = 0; tick < 2; tick++) ticks(table, anIssue({labels, ...change}));
    assert.equal(table.state.claims.has(key), !isLetGo, JSON.stringify(change));
    if (isLetGo) assert.deepEqual(table.counters.get(key), {runs: 0, tokens: 0, idleRuns: 0});
  }
});

test('one that is gone is let go; one that is over is cleaned', () => {
  const gone = dismissed();
  ticks(gone, null);
  assert.equal(gone.claim(), undefined);
  const over = dismissed();
  ticks(over, anIssue({state: 'Done'}));
  const claim = over.claim();
  assert.ok(claim?.is === 'stopping' && claim.step === 'confirming');
  const effects = over.confirms(anIssue({state: 'Done'}));
  assert.ok(effects.some((effect) => effect.do === 'clean-workspace'));
  // Also if the first read after the order says so.
  const unread = running();
  dismiss(unread);
  unread.ends(STOPPED);
  unread.happens({type: 'issue.read', key, runId: unread.runId(), answer: failed});
  ticks(unread, anIssue({state: 'Done'}));
  assert.equal(unread.claim()?.is, 'stopping');
});

test('what a changed workflow file makes inactive stays dismissed, and runs no sooner when it is changed back', () => {
  const table = dismissed();
  const parked = aWorkflow({tracker: {activeStates: ['In Progress']}});
  table.happens({type: 'project.loaded', workflow: parked});
  ticks(table, anIssue());
  assert.equal(table.claim()?.is, 'dismissed');
  const stopping = running();
  stopping.happens({type: 'project.loaded', workflow: parked});
  dismiss(stopping);
  stopping.ends(STOPPED);
  stopping.reads(anIssue());
  assert.equal(stopping.claim()?.is, 'dismissed');
});

test('a candidate that waits is dismissed, and compared with what is read after the order', () => {
  const table = aTable({}, [anIssue({id: '2'})]);
  table.later(1_000);
  const early = table.asked++;
  const effects = dismiss(table, '2');
  assert.ok(
    effects.some((effect) => effect.do === 'read-claimed'),
    'it is read at once',
  );
  assert.equal(table.claim('2')?.is, 'dismissed');
  const read = (title: string, askedAt = table.asked) => {
    const found = {ok: true, value: [anIssue({id: '2', title})]} as const;
    const about = {project: 'p', scope: 0, ids: ['2'], askedAt, answer: found};
    table.happens({type: 'claimed.read', ...about});
  };
  read('Asked for before the order', early);
  // As an operator has just edited it; the list was older.
  read('Edited');
  assert.equal(table.claim('2')?.is, 'dismissed');
  read('Edited again');
  assert.equal(table.claim('2'), undefined);
});

test('what is neither claimed nor a candidate cannot be dismissed', () => {
  const table = aTable();
  for (const id of ['7', '8']) {
    const before = table.state;
    assert.deepEqual(dismiss(table, id), []);
    assert.deepEqual(table.state, before);
  }
  const command = {command: 'dismiss', key: 'elsewhere/1', orderedAt: 0} as const;
  assert.deepEqual(table.happens({type: 'operator.commanded', by: 'me', command}), []);
});

test('what is held or waits for a retry is dismissed at once; a continuation leaves its slot', () => {
  const retrying = aTable({}, [anIssue({id: '2'})]);
  retrying.starts(anIssue());
  retrying.ends(aResult());
  retrying.reads(anIssue());
  assert.equal(retrying.claim()?.is, 'retrying');
  assert.deepEqual(reserved(dismiss(retrying)), ['2']);
  assert.equal(retrying.claim()?.is, 'dismissed');
  retrying.later(1_000);
  assert.deepEqual(started(retrying.happens({type: 'timer.fired', timer: `retry ${key}`})), []);

  const held = running();
  const failure = {code: 'turn_input_required', message: 'Which?'} as const;
  held.ends(aResult({outcome: 'input_required', failure, question: 'Which?'}));
  held.reads(anIssue());
  dismiss(held);
  assert.equal(held.claim()?.is, 'dismissed');
});

test('said twice it is said once', () => {
  const table = dismissed();
  const before = table.claim();
  table.later(5_000);
  assert.equal(conflictOf(before, {command: 'dismiss'}), null);
  dismiss(table);
  assert.deepEqual(table.claim(), before);
  const stopping = running();
  dismiss(stopping);
  dismiss(stopping);
  stopping.ends(STOPPED);
  stopping.reads(anIssue());
  assert.equal(stopping.claim()?.is, 'dismissed');
});

test('a read that was asked for before the order neither lets it go nor tells what it is like', () => {
  const table = aTable();
  table.reads(anIssue());
  table.later(1_000);
  const early = table.asked++;
  dismiss(table);
  table.ends(STOPPED);
  table.happens({type: 'issue.read', key, runId: table.runId(), answer: failed});
  const unread = table.claim();
  assert.ok(unread?.is === 'dismissed' && !unread.isRead);
  ticks(table, anIssue({title: 'Older'}), early);
  assert.deepEqual(table.claim(), unread);
  ticks(table, anIssue({title: 'As the agent left it'}));
  ticks(table, anIssue({title: 'Older'}), early);
  const claim = table.claim();
  assert.ok(claim?.is === 'dismissed' && claim.isRead);
  assert.equal(claim.issue.title, 'As the agent left it');
});

const failed = {ok: false, message: 'down', notBefore: null} as const;

test('the read after a run that was asked for before the order is asked for again', () => {
  const table = running();
  table.ends(aResult());
  const early = table.asked++;
  dismiss(table);
  const answer = {ok: true, value: anIssue()} as const;
  const effects = table.happens({
    ...{type: 'issue.read', key, runId: table.runId(), askedAt: early, answer},
  });
  assert.deepEqual(reserved(effects), ['1']);
  table.reads(anIssue({title: 'New'}));
  assert.equal(table.claim()?.is, 'dismissed');
});

test('retry ends a dismissal, in the conversation that there was', () => {
  const table = dismissed();
  const command = {command: 'retry', key, message: 'Do it after all.'} as const;
  assert.equal(conflictOf(table.claim(), command), null);
  assert.deepEqual(reserved(table.happens({type: 'operator.commanded', by: 'me', command})), ['1']);
  const claim = table.claim();
  assert.ok(claim?.is === 'running');
  assert.deepEqual([claim.thread?.id, claim.messages.length], ['thread-1', 1]);
});

test('stop leaves a dismissal as it is, and restart drops it', () => {
  const table = dismissed();
  const before = table.claim();
  table.happens({type: 'operator.commanded', by: 'me', command: {command: 'stop', key}});
  assert.deepEqual(table.claim(), before);
  table.happens({type: 'operator.commanded', by: 'me', command: {command: 'restart', key}});
  assert.equal(table.claim(), undefined);
});

test('an issue whose workspace is being cleaned, or whose claim cannot be read, is not dismissed', () => {
  const over = running();
  over.ends(aResult());
  over.reads(anIssue({state: 'Done'}));
  const before = over.claim();
  assert.match(conflictOf(before, {command: 'dismiss'}) ?? '', /cleaned/);
  dismiss(over);
  assert.deepEqual(over.claim(), before);
  const about = {project: 'p', issueId: '1', identifier: 'ABC-1'};
  const unreadable = unreadableClaim(about, 'half a row', 0);
  assert.match(conflictOf(unreadable, {command: 'dismiss'}) ?? '', /restart it/);
});

test('it outlives the supervisor, and what changed meanwhile lets it go', () => {
  for (const [issue, is] of [
    [anIssue(), 'dismissed'],
    [anIssue({title: 'Another'}), undefined],
  ] as const) {
    const table = new Table();
    table.state = resumed(emptyState('next'), dismissed().state.claims, table.now);
    table.project({}, []);
    table.happens({type: 'supervisor.started'});
    ticks(table, issue);
    assert.equal(table.claim()?.is, is);
  }
});

test('a handoff that is written while it is dismissed stands; one that fails does not matter', () => {
  for (const [answer, is] of [
    ['written', undefined],
    ['failed', 'dismissed'],
  ] as const) {
    const table = running({tracker: {handoffState: 'Review'}});
    table.ends(aResult());
    table.reads(anIssue());
    dismiss(table);
    table.happens({type: 'state.written', key, runId: table.runId(), answer});
    const claim = table.claim();
    assert.equal(claim?.is, is);
    if (claim?.is === 'dismissed') assert.equal(claim.isRead, false);
  }
});

test('our own mark in the tracker is no change: a stop before the launch waits for it', () => {
  for (const [order, is] of [
    ['stop', 'held'],
    ['dismiss', 'dismissed'],
  ] as const) {
    const table = aTable({tracker: {inProgressState: 'In Progress'}});
    table.reads(anIssue());
    const command = {command: order, key, orderedAt: table.asked} as const;
    table.happens({type: 'operator.commanded', by: 'me', command});
    const claim = table.claim();
    assert.ok(claim?.is === 'stopping' && claim.step === 'marking');
    // A tick that finds the issue before the mark has arrived decides nothing.
    ticks(table, anIssue());
    const effects = table.happens({
      ...{type: 'state.written', key, runId: table.runId(), answer: 'written'},
    });
    assert.deepEqual(reserved(effects), ['1']);
    table.reads(anIssue({state: 'In Progress'}));
    ticks(table, anIssue({state: 'In Progress'}));
    assert.equal(table.claim()?.is, is);
  }
});

test('while it shuts down nothing waits for a mark', () => {
  const table = aTable({tracker: {inProgressState: 'In Progress'}});
  table.reads(anIssue());
  table.happens({type: 'shutdown.requested', withinMs: 1_000});
  assert.equal(table.claim()?.is, 'retrying');
});
