import assert from 'node:assert/strict';
import {statSync} from 'node:fs';
import {test} from 'node:test';
import {DatabaseSync} from '@photostructure/sqlite';
import {NO_RESULTS} from '../../src/core/run/results.ts';
import {type Action, openStore} from '../../src/store/index.ts';
import {aClaim, anEnd, reloaded, TemporaryDir, tokens, withStore} from './a-store.ts';

const begin = {key: 'p/i1', identifier: 'AB-1', role: 'worker', attempt: null, host: 'far'};

test('a run is open from its beginning to its end, and then history', async () => {
  using dir = new TemporaryDir();
  await withStore(dir.path, (store) => {
    store.save({runsBegun: [{...begin, runId: 'r1', startedAt: 1_000}]});
    assert.deepEqual(store.openRuns(), [{...begin, runId: 'r1', startedAt: 1_000}]);
    assert.deepEqual(store.runsOf('p/i1', 10), []);

    const failed = {host: 'far', outcome: 'failed', failure: 'it broke'} as const;
    store.save({runsEnded: [anEnd('r1', failed)]});
    assert.deepEqual(store.openRuns(), []);
    assert.deepEqual(store.runsOf('p/i1', 10), [
      {...anEnd('r1', failed), identifier: 'AB-1', status: null},
    ]);
  });
});

test('a run is on record with its role, from its beginning on', async () => {
  using dir = new TemporaryDir();
  await withStore(dir.path, (store) => {
    store.save({runsBegun: [{...begin, role: 'judge', runId: 'r1', startedAt: 1_000}]});
    assert.equal(store.openRuns()[0]?.role, 'judge');
    store.save({runsEnded: [anEnd('r1', {role: 'judge'}), anEnd('r2', {role: 'planner'})]});
    const roles = store.recentRuns(10).map(({runId, role}) => `${runId} ${role}`);
    assert.deepEqual(roles.sort(), ['r1 judge', 'r2 planner']);
  });
});

test('an end without a beginning is kept, under the name that its claim knows', async () => {
  using dir = new TemporaryDir();
  await withStore(dir.path, (store) => {
    store.save({claims: new Map([['p/i1', aClaim('i1')]])});
    store.save({runsEnded: [anEnd('r1')], claims: new Map([['p/i1', null]])});
    assert.deepEqual(store.runsOf('p/i1', 1), [
      {...anEnd('r1'), identifier: 'AB-i1', status: null},
    ]);
  });
});

test('a run keeps what came out of it, and its issue how it stood when it was let go', async () => {
  using dir = new TemporaryDir();
  const results = {
    ...{title: 'Say hello', url: 'https://example.test/1', state: 'Todo', model: 'm'},
    workspacePath: '/ws/AB-1',
    made: {
      ...{branch: null, head: 'abc', commits: 1, files: 2, lines_added: 3, lines_removed: 4},
    },
    links: [{name: 'pr', url: 'https://example.test/pull/1'}],
    ...{agent: 'an-agent', isMeasured: false, isPartial: true},
  };
  await withStore(dir.path, (store) => {
    store.save({runsEnded: [anEnd('r1', {results}), anEnd('r2', {results, startedAt: 3_000})]});
    store.save({releases: new Map([['p/i1', {status: 'done', state: 'Done'}]])});
    store.save({releases: new Map([['p/unknown', {status: 'gone', state: null}]])});
  });
  await withStore(dir.path, (store) => {
    const [last, first] = store.runsOf('p/i1', 2);
    assert.deepEqual(first?.results, results);
    assert.equal(first?.status, null);
    assert.deepEqual(last?.results, {...results, state: 'Done'});
    assert.equal(last?.status, 'done');
    store.save({releases: new Map([['p/i1', {status: 'gone', state: null}]])});
    const [gone] = store.runsOf('p/i1', 1);
    assert.deepEqual([gone?.status, gone?.results.state], ['gone', 'Done'], 'as last read');
  });
});

test('a run that failed by its delivery alone has succeeded once that is made up for', async () => {
  using dir = new TemporaryDir();
  const failure = 'delivery_failed';
  const links = [{name: 'pr', url: 'https://example.test/pull/1'}];
  await withStore(dir.path, (store) => {
    store.save({
      runsEnded: [
        anEnd('undelivered', {outcome: 'failed', failure, startedAt: 3}),
        anEnd('stopped', {outcome: 'stopped_by_operator', failure, startedAt: 2}),
        anEnd('failed', {outcome: 'failed', failure: 'port_exit', startedAt: 1}),
      ],
    });
    const runIds = ['undelivered', 'stopped', 'failed'];
    store.save({deliveries: runIds.map((runId) => ({runId, links}))});
  });
  await withStore(dir.path, (store) => {
    const told = store.runsOf('p/i1', 3);
    assert.deepEqual(
      told.map((run) => [run.outcome, run.failure, run.results.links.length]),
      [
        ['succeeded', null, 1],
        ['stopped_by_operator', null, 1],
        ['failed', 'port_exit', 0],
      ],
    );
  });
});

test('runs and actions are told newest first, as many as are asked for', async () => {
  using dir = new TemporaryDir();
  const acts: Action[] = [
    {at: 1, by: 'ann', command: {command: 'retry', key: 'p/i1', message: 'Use the blue one.'}},
    {at: 2, by: 'bob', command: {command: 'pause', project: null}},
    {at: 3, by: 'bob', command: {command: 'stop', key: 'p/i1'}},
  ];
  await withStore(dir.path, (store) => {
    store.save({
      runsEnded: [
        anEnd('old', {startedAt: 1}),
        anEnd('other', {startedAt: 2, key: 'p/i2'}),
        anEnd('new', {startedAt: 3}),
      ],
      actions: acts,
    });
    const ids = (runs: readonly {runId: string}[]) => runs.map(({runId}) => runId);
    assert.deepEqual(ids(store.recentRuns(2)), ['new', 'other']);
    assert.deepEqual(ids(store.runsOf('p/i1', 9)), ['new', 'old']);
    assert.deepEqual(ids(store.runsOf('p/i1', 1)), ['new']);
    assert.deepEqual(store.actions(9), acts.toReversed());
    assert.deepEqual(store.actions(1), acts.slice(-1));
  });
});

test('the actions of one issue: no other key that begins alike, no message that looks like a key', async () => {
  using dir = new TemporaryDir();
  const retry = (key: string, message: string): Action => ({
    ...{at: 1, by: 'ann'},
    command: {command: 'retry', key, message},
  });
  const own = [retry('p/i"1', 'first'), retry('p/i"1', 'second'), retry('p/i"1', 'third')];
  const [first, ...rest] = own;
  assert.ok(first !== undefined);
  const others = [retry('p/i"10', 'x'), retry('q/i2', '"key":"p/i\\"1"')];
  await withStore(dir.path, (store) => {
    store.save({actions: [first, ...others, ...rest]});
    assert.deepEqual(store.actionsOf('p/i"1', 9), own.toReversed());
    assert.deepEqual(store.actionsOf('p/i"1', 2), own.slice(1).toReversed());
    assert.deepEqual(store.actionsOf('p/none', 9), []);
  });
});

const DAY = 86_400_000;
const day = (n: number) => ({startedAt: n * DAY, endedAt: n * DAY + 500});

test('pruning drops what is old or too many, and keeps what is open or claimed', async () => {
  using dir = new TemporaryDir();
  await withStore(dir.path, (store) => {
    store.save({
      claims: new Map([['p/claimed', aClaim('claimed')]]),
      counters: new Map([['p/i1', {runs: 9, tokens: 9, idleRuns: 9}]]),
      runsBegun: [{...begin, key: 'p/gone', runId: 'open', startedAt: 0}],
      runsEnded: [
        anEnd('claimed', {key: 'p/claimed', ...day(1)}),
        anEnd('old', day(2)),
        anEnd('too many', day(96)),
        ...[97, 98, 99].map((n) => anEnd(`kept ${n}`, day(n))),
      ],
      actions: [1, 99].map((n) => ({
        at: n * DAY,
        by: 'ann',
        command: {command: 'pause', project: `day ${n}`},
      })),
    });
    const pruned = store.prune({keepDays: 30, keepRuns: 3}, 100 * DAY);
    assert.deepEqual(pruned, {
      runs: [
        {key: 'p/i1', runId: 'old'},
        {key: 'p/i1', runId: 'too many'},
      ],
      actions: 1,
    });
    const left = store.recentRuns(99).map(({runId}) => runId);
    assert.deepEqual(left, ['kept 99', 'kept 98', 'kept 97', 'claimed']);
    assert.deepEqual(
      store.openRuns().map(({runId}) => runId),
      ['open'],
    );
    assert.deepEqual(
      store.actions(9).map(({at}) => at),
      [99 * DAY],
    );
    assert.equal(store.countersOf('p/i1').runs, 9, 'an old issue may come back');
  });
});

test('what an issue cost in all its life outlives the pruning of its runs', async () => {
  using dir = new TemporaryDir();
  await withStore(dir.path, (store) => {
    const cost = (n: number) => ({...day(n), usage: tokens(n)});
    const known = (n: number) => ({
      results: {...NO_RESULTS, isMeasured: n !== 1, isPartial: n === 2 || n === 20},
    });
    store.save({runsEnded: [1, 2, 10, 20].map((n) => anEnd(`r${n}`, {...cost(n), ...known(n)}))});
    store.save({runsEnded: [anEnd('another', {key: 'p/i2', ...cost(20)})]});
    const lifetime = {runs: 4, msRunning: 2_000, usage: tokens(33), unmeasured: 1, partial: 2};
    assert.deepEqual(store.lifetimeOf('p/i1'), lifetime);
    assert.equal(store.prune({keepDays: 10, keepRuns: 99}, 15 * DAY).runs.length, 2);
    assert.deepEqual(store.lifetimeOf('p/i1'), lifetime);
    assert.equal(store.prune({keepDays: 10, keepRuns: 99}, 25 * DAY).runs.length, 1);
    assert.deepEqual(store.lifetimeOf('p/i1'), lifetime);
    assert.deepEqual(store.lifetimeOf('p/unknown'), {
      ...{runs: 0, msRunning: 0, usage: tokens(0), unmeasured: 0, partial: 0},
    });
  });
});

test('a row of history that says nothing to us does not hide the others', async () => {
  using dir = new TemporaryDir();
  await withStore(dir.path, (store) => store.save({runsEnded: [anEnd('good'), anEnd('bad')]}));
  new DatabaseSync(dir.at('symphony.db')).exec(
    "UPDATE runs SET outcome = 'puzzled' WHERE run_id = 'bad'",
  );
  const runs = await withStore(dir.path, (store) => store.recentRuns(9));
  assert.deepEqual(
    runs.map(({runId}) => runId),
    ['good'],
  );
});

test('a backup taken while the store is open equals it, and is never written over', async () => {
  using dir = new TemporaryDir();
  using copy = new TemporaryDir();
  const {store} = openStore(dir.path);
  await using _closed = store;
  store.save({claims: new Map([['p/i1', aClaim()]]), runsEnded: [anEnd('r1')]});
  store.backup(copy.at('symphony.db'));
  assert.equal(statSync(copy.at('symphony.db')).mode & 0o777, 0o600);

  assert.deepEqual(await reloaded(copy.path), store.load());
  assert.deepEqual(
    await withStore(copy.path, (restored) => restored.recentRuns(9)),
    store.recentRuns(9),
  );
  assert.throws(() => store.backup(copy.at('symphony.db')), {name: 'StoreFailure'});
  assert.equal((await reloaded(copy.path)).claims.size, 1);
});
