import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {Issue, ResultLink} from '@symphony-supervisor/protocol';
import {emptyState} from '../../../src/core/index.ts';
import {resumed} from '../../../src/core/life/resume.ts';
import {snapshotOf} from '../../../src/core/view/snapshot.ts';
import {
  anIssue,
  aResult,
  aWorkflow,
  type Knobs,
  NOW,
  reserved,
  started,
  Table,
  timers,
} from '../builders.ts';

const key = 'p/1';
const path = '/workspaces/ABC-1';
const TODO = anIssue();
const DONE = anIssue({state: 'Done'});
const REVIEW = anIssue({state: 'In Review'});
const FAILURE = {code: 'delivery_failed', message: 'deliver ended with exit code 1: no'} as const;
const UNDELIVERED = aResult({
  ...{outcome: 'failed', failure: FAILURE},
  links: [{name: 'log', url: 'https://example.test/1'}],
});
const KNOBS: Knobs = {hooks: {deliver: 'push'}, tracker: {handoffState: 'In Review'}};

function live(knobs: Knobs = KNOBS): Table {
  const table = new Table();
  table.project(knobs, [TODO]);
  table.starts(TODO);
  return table;
}

/** An issue whose run ended well, but for its delivery. */
function undelivered(knobs: Knobs = KNOBS, issue: Issue | null = TODO): Table {
  const table = live(knobs);
  table.ends(UNDELIVERED);
  table.reads(issue, '1');
  return table;
}

/** The timer of its retry fires. */
function due(table: Table): void {
  const claim = table.claim();
  assert.ok(claim?.is === 'retrying');
  table.now = claim.dueAt;
  table.happens({type: 'timer.fired', timer: `retry ${key}`});
}

function delivering(knobs: Knobs = KNOBS, issue: Issue | null = TODO): Table {
  const table = undelivered(knobs, issue);
  due(table);
  return table;
}

function delivered(table: Table, links: ResultLink[] = []): void {
  const runId = table.runId();
  table.happens({type: 'work.delivered', key, runId, failure: null, links});
}

function fails(table: Table, failure: {code: 'delivery_failed' | 'workspace_busy'} = FAILURE) {
  const told = {message: 'no', ...failure};
  table.happens({type: 'work.delivered', key, runId: table.runId(), failure: told, links: []});
}

/** One that has failed as often as it may. */
function exhausted(issue: Issue | null = TODO): Table {
  const table = undelivered(KNOBS, issue);
  for (let failures = 2; failures <= 5; failures++) {
    due(table);
    fails(table);
  }
  return table;
}

function commands(table: Table, command: 'stop' | 'restart' | 'retry', message?: string): void {
  const order = command === 'retry' ? {command, key, message: message ?? null} : {command, key};
  table.happens({type: 'operator.commanded', by: 'me', command: order});
}

function ticks(table: Table, found: readonly Issue[]): void {
  table.happens({type: 'timer.fired', timer: 'poll p'});
  const answer = {ok: true, value: found} as const;
  table.happens({type: 'claimed.read', project: 'p', scope: 0, ids: ['1'], answer});
}

function done(table: Table): string[] {
  return table.effects.map((effect) => effect.do);
}

function shown(table: Table) {
  return snapshotOf(table.state, table.now, {version: '1', pid: 1, started_at: ''});
}

test('a failed delivery is tried again after a backoff, by itself and without a slot', () => {
  const table = new Table();
  table.project({...KNOBS, agent: {maxConcurrentAgents: 1}}, [TODO, anIssue({id: '2'})]);
  table.starts(TODO);
  table.ends(UNDELIVERED);
  const effects = table.reads(TODO);
  assert.equal(timers(effects)[`retry ${key}`], NOW + 10_000);
  assert.deepEqual(reserved(effects), ['2'], 'its slot is free for another issue');
  assert.ok(!done(table).includes('write-state'));
  assert.deepEqual(
    shown(table).retrying.map(({kind, attempt, error}) => [kind, attempt, error]),
    [['delivery', 1, `delivery_failed: ${FAILURE.message}`]],
  );
  due(table);
  assert.ok(table.effects.some((effect) => effect.do === 'deliver-work' && effect.key === key));
  assert.deepEqual(started(table.all), [key]);
  assert.equal(shown(table).stopping[0]?.step, 'delivering');
  assert.equal(shown(table).supervisor.slots.used, 1, 'the other issue has the only slot');
});

test('what was delivered is on record, and only then is the issue handed off', () => {
  const table = delivering();
  delivered(table, [{name: 'pr', url: 'https://example.test/2'}]);
  assert.deepEqual(
    table.effects.filter((effect) => effect.do === 'record-delivery'),
    [
      {
        do: 'record-delivery',
        delivery: {
          runId: 'life-1',
          links: [
            {name: 'log', url: 'https://example.test/1'},
            {name: 'pr', url: 'https://example.test/2'},
          ],
        },
      },
    ],
  );
  assert.ok(!table.all.some((effect) => effect.do === 'write-state'));
  table.reads(TODO);
  assert.ok(table.effects.some((effect) => effect.do === 'write-state'));
  table.happens({type: 'state.written', key, runId: 'life-1', answer: 'written'});
  assert.equal(table.claim(), undefined);
});

test('without a hand-off the agent goes on after the delivery, when it finds a slot', () => {
  const table = delivering({hooks: {deliver: 'push'}});
  delivered(table);
  table.reads(TODO);
  const claim = table.claim();
  assert.ok(claim?.is === 'running');
  assert.deepEqual([claim.run.retry, claim.failures, claim.undelivered], ['continuation', 0, null]);
});

test('the delivery comes first, wherever the issue stands by then', () => {
  for (const issue of [DONE, REVIEW, null]) {
    const table = delivering(KNOBS, issue);
    assert.deepEqual(done(table), ['clear-timer', 'deliver-work']);
    ticks(table, issue === null ? [] : [issue]);
    delivered(table);
    table.reads(issue, '1');
    assert.equal(done(table).includes('clean-workspace'), issue === DONE);
    assert.equal(table.claim()?.is, issue === DONE ? 'stopping' : undefined);
  }
});

test('a retry of a delivery is not let go by the tracker', () => {
  const table = undelivered();
  for (const found of [[DONE], [REVIEW], []]) {
    ticks(table, found);
    assert.equal(table.claim()?.is, 'retrying');
  }
});

test('a run that was stopped because its issue was closed still has to be delivered', () => {
  for (const issue of [DONE, REVIEW]) {
    const table = live();
    ticks(table, [issue]);
    table.ends(UNDELIVERED);
    table.reads(issue);
    assert.equal(shown(table).retrying[0]?.kind, 'delivery');
  }
});

test('failures before the run that ended well are forgiven', () => {
  const table = live();
  table.ends(aResult({outcome: 'failed', failure: {code: 'turn_failed', message: 'no'}}));
  table.reads(TODO);
  table.later(10_000);
  table.happens({type: 'timer.fired', timer: `retry ${key}`});
  table.starts(TODO);
  table.ends(UNDELIVERED);
  table.reads(TODO);
  assert.equal(table.claim()?.failures, 1);
  assert.equal(timers(table.effects)[`retry ${key}`], table.now + 10_000);
});

test('the last failure that is allowed holds the issue, and it stays held while it is inactive', () => {
  const table = exhausted();
  const claim = table.claim();
  assert.ok(claim?.is === 'held');
  assert.deepEqual(claim.because, {
    code: 'delivery_failed',
    message: `5 deliveries in a row have failed; the last: ${FAILURE.message}`,
  });
  assert.deepEqual(started(table.all), [key]);
  for (const found of [[TODO], [REVIEW], []]) {
    ticks(table, found);
    assert.equal(table.claim()?.is, 'held');
  }
});

test('without a limit it is tried again and again', () => {
  const table = undelivered({...KNOBS, agent: {maxConsecutiveFailures: 0}});
  for (let times = 0; times < 20; times++) {
    due(table);
    fails(table);
  }
  assert.equal(table.claim()?.is, 'retrying');
});

test('an issue that is over by then is not held: its workspace is looked at, and kept', () => {
  const table = exhausted(DONE);
  assert.ok(table.effects.some((effect) => effect.do === 'read-issue' && effect.runId === null));
  table.confirms(DONE);
  assert.ok(table.effects.some((effect) => effect.do === 'clean-workspace' && effect.keepWork));
  const reason = 'delivery failed, 1 commit not pushed';
  table.happens({type: 'workspace.cleaned', key, path, outcome: {is: 'kept', reason}});
  assert.deepEqual(
    shown(table).kept.map((row) => row.reason),
    [reason],
  );
});

test('a person who closes a held issue gets the same', () => {
  const table = exhausted();
  ticks(table, [DONE]);
  table.confirms(DONE);
  assert.ok(table.effects.some((effect) => effect.do === 'clean-workspace' && effect.keepWork));
});

test('a person who moves a held issue to another active state has it delivered again', () => {
  const table = exhausted();
  table.all.length = 0;
  ticks(table, [anIssue({state: 'In Progress'})]);
  assert.ok(table.all.some((effect) => effect.do === 'deliver-work'));
});

test('an operator who retries delivers again, and all failures are forgotten', () => {
  const table = exhausted();
  commands(table, 'retry');
  assert.ok(done(table).includes('deliver-work'));
  assert.equal(table.claim()?.failures, 0);
  fails(table);
  assert.equal(shown(table).retrying[0]?.attempt, 1);
});

test('an operator with something to say to the agent starts the agent', () => {
  for (const table of [exhausted(), undelivered()]) {
    commands(table, 'retry', 'leave out the large file');
    assert.ok(!done(table).includes('deliver-work'));
    assert.equal(table.claim()?.is, 'running');
    assert.equal(table.claim()?.undelivered, null);
  }
});

test('an operator who stops the delivery holds the issue; the next retry delivers', () => {
  const waiting = undelivered();
  commands(waiting, 'stop');
  const underWay = delivering();
  commands(underWay, 'stop');
  fails(underWay);
  underWay.reads(REVIEW);
  for (const table of [waiting, underWay]) {
    const claim = table.claim();
    assert.ok(claim?.is === 'held');
    assert.equal(claim.because.code, 'stopped_by_operator');
    commands(table, 'retry');
    assert.ok(done(table).includes('deliver-work'));
  }
});

test('an operator who dismisses the issue has its work wait; let go, it is delivered first', () => {
  const table = delivering();
  const command = {command: 'dismiss', key, orderedAt: table.asked} as const;
  table.happens({type: 'operator.commanded', by: 'me', command});
  fails(table);
  table.reads(TODO);
  assert.equal(table.claim()?.is, 'dismissed');
  ticks(table, [{...TODO, title: 'Another'}]);
  assert.ok(done(table).includes('deliver-work'));
});

test('an operator who restarts the issue lets it go, delivered or not', () => {
  const table = delivering();
  commands(table, 'restart');
  fails(table);
  table.reads(REVIEW);
  assert.equal(table.claim(), undefined);
});

test('a stopped run whose delivery was cut short keeps what is left to do', () => {
  const table = live();
  commands(table, 'stop');
  table.ends(UNDELIVERED);
  table.reads(TODO);
  const claim = table.claim();
  assert.ok(claim?.is === 'held');
  assert.equal(claim.undelivered?.id, 'life-1');
});

test('a workspace that is busy is no failed delivery', () => {
  const table = delivering();
  fails(table, {code: 'workspace_busy'});
  assert.equal(table.claim()?.failures, 1);
  assert.equal(timers(table.effects)[`retry ${key}`], table.now + 10_000);
});

test('a paused project delivers nothing, and says why; the delivery is due when it goes on', () => {
  const table = undelivered();
  table.happens({
    ...{type: 'operator.commanded', by: 'me'},
    command: {command: 'pause', project: null},
  });
  due(table);
  table.happens({type: 'timer.fired', timer: `retry ${key}`});
  assert.ok(!done(table).includes('deliver-work'));
  assert.equal(shown(table).retrying[0]?.error, 'dispatch is paused');
  table.happens({
    ...{type: 'operator.commanded', by: 'me'},
    command: {command: 'resume', project: null},
  });
  assert.ok(done(table).includes('deliver-work'));
});

test('an agent that cannot be started does not keep work from being delivered', () => {
  const table = undelivered();
  const workflow = aWorkflow({...KNOBS, agent: {command: 'another'}});
  table.happens({type: 'project.loaded', workflow});
  const failure = {code: 'agent_not_found', message: 'none'} as const;
  table.happens({
    ...{type: 'agent.probed', project: 'p'},
    result: {version: null, logged_in: null, failure},
  });
  due(table);
  assert.ok(done(table).includes('deliver-work'));
});

test('a good reload may have mended the hook: a held delivery is tried again', () => {
  const table = exhausted(REVIEW);
  assert.equal(table.claim()?.is, 'held');
  table.happens({type: 'project.loaded', workflow: aWorkflow(KNOBS)});
  table.happens({type: 'timer.fired', timer: `retry ${key}`});
  assert.ok(done(table).includes('deliver-work'));
});

function nextLife(former: Table): Table {
  const table = new Table();
  const {workspaces, claims} = former.state;
  const stored = new Map<string, never>(JSON.parse(JSON.stringify([...claims])));
  table.state = resumed({...emptyState('next'), workspaces}, stored, former.now);
  table.now = former.now;
  table.happens({type: 'project.loaded', workflow: aWorkflow(KNOBS)});
  table.happens({type: 'supervisor.started'});
  return table;
}

test('a supervisor that was killed goes on with the delivery', () => {
  const underWay = nextLife(delivering());
  assert.ok(done(underWay).includes('deliver-work'));
  const waiting = nextLife(undelivered());
  assert.equal(timers(waiting.effects)[`retry ${key}`], waiting.now + 10_000);
  due(waiting);
  assert.ok(done(waiting).includes('deliver-work'));
});

test('killed between the result and the end of its runner, it delivers first all the same', () => {
  const former = live();
  const report = {type: 'result', result: UNDELIVERED} as const;
  former.happens({type: 'runner.reported', key, runId: former.runId(), report});
  assert.equal(former.claim()?.is, 'running');
  const table = nextLife(former);
  assert.ok(done(table).includes('deliver-work'));
  assert.deepEqual(started(table.all), []);
});

test('a delivery that a shutdown cut short is due at the next start, without an agent', () => {
  const former = live();
  former.happens({type: 'shutdown.requested', withinMs: 1000});
  former.ends(UNDELIVERED);
  const table = nextLife(former);
  assert.ok(done(table).includes('deliver-work'));
  delivered(table);
  table.reads(TODO);
  assert.ok(done(table).includes('write-state'));
});

test('what is delivered during a shutdown is read at the next start', () => {
  const former = delivering();
  former.happens({type: 'shutdown.requested', withinMs: 1000});
  delivered(former);
  assert.ok(!done(former).includes('read-issue'));
  const table = nextLife(former);
  table.reads(TODO);
  assert.ok(done(table).includes('write-state'));
});

test('nothing is delivered for a project that is not loaded yet', () => {
  const former = undelivered();
  const table = new Table();
  table.state = resumed(emptyState('next'), former.state.claims, NOW + 20_000);
  table.now = NOW + 20_000;
  table.happens({type: 'store.changed', isWritable: true});
  assert.ok(!done(table).includes('deliver-work'));
});

test('one tick delivers what is due, and leaves what becomes due later on record', () => {
  const table = undelivered();
  table.state = {...table.state, once: {over: ['p'], trouble: []}};
  due(table);
  assert.ok(!done(table).includes('deliver-work'));
});

test('an answer about a delivery that is not under way changes nothing', () => {
  const table = undelivered();
  table.happens({type: 'work.delivered', key, runId: 'life-1', failure: null, links: []});
  assert.equal(table.claim()?.is, 'retrying');
  const running = live();
  delivered(running);
  assert.equal(running.claim()?.is, 'running');
});
