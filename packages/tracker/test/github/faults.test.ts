import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {TrackerFailureCode} from '../../src/answer.ts';
import type {GithubTracker} from '../../src/github/adapter.ts';
import {soon, unwrap} from '../file/folder-of-issues.ts';
import type {Fault} from '../servers/fault-proxy.ts';
import {GithubWorld} from '../servers/github-world.ts';
import {BOARD, failureOf, GithubRig} from './rig.ts';

/** Enough for several pages and several requests of each kind. */
const start = () =>
  GithubRig.start((world) => {
    const project = world.project();
    for (let number = 1; number <= 250; number += 1) {
      world.add(number);
      world.place(number, project, 'Todo');
    }
  });

const READS: [name: string, (rig: GithubRig) => ReturnType<GithubTracker['issuesByIds']>][] = [
  ['by states', (rig) => rig.tracker().issuesByStates(['open'], soon())],
  ['by ids', (rig) => rig.tracker().issuesByIds(['1', '2'], soon())],
  [
    'in a project',
    (rig) => rig.tracker({project_number: 7}, BOARD).issuesByStates(['Todo'], soon()),
  ],
];

const answered = (
  status: number,
  body = '{"message": "no"}',
  headers: Record<string, string> = {},
): Fault => ({is: 'answer', status, body, headers});

const inAnHour = String(Math.floor(Date.now() / 1_000) + 3_000);

const USED_UP = {
  'x-ratelimit-limit': '5000',
  'x-ratelimit-remaining': '0',
  'x-ratelimit-reset': inAnHour,
};

const FAULTS: [Fault, TrackerFailureCode, RegExp][] = [
  [answered(429), 'tracker_rate_limited', /limits the rate of requests/],
  [answered(429, '', {'retry-after': '7'}), 'tracker_rate_limited', /no request for 7 s/],
  [answered(403, '', {'retry-after': '7'}), 'tracker_rate_limited', /no request for 7 s/],
  [
    answered(403, '{"message": "You have exceeded a secondary rate limit"}'),
    'tracker_rate_limited',
    /for 60 s/,
  ],
  [answered(403, '{}', USED_UP), 'tracker_rate_limited', /no request for (2\d|30)\d\d s/],
  [answered(403, '{"message": "Resource not accessible"}'), 'tracker_auth', /not accessible/],
  [answered(401), 'tracker_auth', /refuses the key/],
  [answered(500), 'tracker_status', /500/],
  [answered(500, `you sent ${new GithubWorld().token}`), 'tracker_status', /you sent \*\*\*/],
  [answered(502, '<html>bad gateway</html>'), 'tracker_status', /502/],
  [
    answered(302, '', {location: 'https://evil.example/'}),
    'tracker_status',
    /redirects to another host/,
  ],
  [{is: 'hang'}, 'tracker_request', /did not respond within/],
  [{is: 'stall'}, 'tracker_request', /did not respond within/],
  [{is: 'drop'}, 'tracker_request', /could not be reached/],
  [{is: 'cut'}, 'tracker_request', /could not be reached/],
  [answered(200, '{"data": {'), 'tracker_response', /not JSON|not GraphQL/],
  [answered(200, 'null'), 'tracker_response', /./],
  [answered(200, '{"data": null}'), 'tracker_response', /./],
  [answered(200, '{"data": {"repository": {}}}'), 'tracker_response', /./],
  [answered(200, ''), 'tracker_response', /./],
  [answered(304, ''), 'tracker_response', /./],
  [{is: 'flood', bytes: 100 * 1024 * 1024}, 'tracker_response', /too large/],
];

for (const [name, read] of READS) {
  test(`every fault has its category, ${name}, and takes nobody down`, async () => {
    await using rig = await start();
    for (const [fault, code, message] of FAULTS) {
      rig.proxy.always(fault);
      rig.limitMs = fault?.is === 'hang' || fault?.is === 'stall' ? 200 : 30_000;
      const failure = failureOf(await read(rig), rig.world);
      const told = JSON.stringify({fault, failure});
      assert.equal(failure.code, code, told);
      assert.match(failure.message, message, told);
      assert.equal(failure.retryAfterMs !== undefined, code === 'tracker_rate_limited', told);
    }
    rig.proxy.always(null);
    rig.limitMs = 30_000;
    unwrap(await read(rig));
  });

  test(`a fault in the middle is the fault of the whole, ${name}`, async () => {
    await using rig = await start();
    const whole = unwrap(await read(rig));
    const requests = rig.asked().length;
    for (let at = 0; at < requests; at += 1) {
      const before = Array.from({length: at}, () => null);
      rig.proxy.next(...before, answered(200, '[{"no": "issue"}'));
      assert.equal(failureOf(await read(rig), rig.world).code, 'tracker_response');
    }
    // What is only a hiccup is not even noticed.
    rig.proxy.next(answered(503), {is: 'drop'});
    assert.deepEqual(unwrap(await read(rig)), whole);
  });
}

test('while GitHub wants no requests, none is sent', async () => {
  await using rig = await start();
  const tracker = rig.tracker();
  rig.proxy.always(answered(429, '', {'retry-after': '60'}));
  await tracker.issuesByIds(['1'], soon());
  rig.proxy.always(null);
  rig.asked();
  const failure = failureOf(await tracker.issuesByStates(['open'], soon()), rig.world);
  assert.equal(failure.code, 'tracker_rate_limited');
  assert.ok((failure.retryAfterMs ?? 0) > 50_000);
  assert.deepEqual(rig.asked(), []);
  assert.notEqual(tracker.budget().not_before, null);
});

test('REST that is used up does not stop reads by id, which GraphQL answers', async () => {
  await using rig = await start();
  const tracker = rig.tracker();
  rig.world.left.core = 1;
  await tracker.issuesByStates(['open'], soon());
  rig.asked();
  const list = failureOf(await tracker.issuesByStates(['open'], soon()), rig.world);
  assert.equal(list.code, 'tracker_rate_limited');
  assert.deepEqual(rig.asked(), [], 'REST was asked although it is used up');
  const [issue] = unwrap(await tracker.issuesByIds(['1'], soon()));
  assert.deepEqual(rig.asked(), ['POST /graphql']);
  assert.equal(issue?.state, 'open');
  // Who blocks it is a question for REST: nobody knows, so it must not be started.
  assert.deepEqual(issue?.blocked_by, [{id: null, identifier: null, state: null}]);
  assert.equal(tracker.budget().requests?.remaining, 0);
  assert.notEqual(tracker.budget().not_before, null);
});

test('GraphQL that is used up does not stop the list of candidates', async () => {
  await using rig = await start();
  const tracker = rig.tracker();
  rig.world.left.graphql = 1;
  unwrap(await tracker.issuesByIds(['1'], soon()));
  const failure = failureOf(await tracker.issuesByIds(['1'], soon()), rig.world);
  assert.equal(failure.code, 'tracker_rate_limited');
  assert.equal(unwrap(await tracker.issuesByStates(['open'], soon())).length, 250);
});

test('a page that comes twice is no page', async () => {
  await using rig = await start();
  let first = '';
  const keep = (body: string) => {
    first = body;
    return body;
  };
  rig.proxy.next(null, {is: 'change', change: keep}, {is: 'change', change: () => first});
  const failure = failureOf(await rig.tracker().issuesByStates(['open'], soon()), rig.world);
  assert.equal(failure.code, 'tracker_pagination');
});

test('a cursor that is missing, or comes twice, ends the list as a failure', async () => {
  await using rig = await start();
  const tracker = rig.tracker({project_number: 7}, BOARD);
  const cursor = (to: string) => (body: string) =>
    body.replace(/"endCursor":"[^"]*"/, `"endCursor":${to}`);
  for (const to of ['null', '"MTAw"']) {
    // The repository, three pages of issues, then pages of statuses.
    rig.proxy.next(null, null, null, null, null, {is: 'change', change: cursor(to)});
    const failure = failureOf(await tracker.issuesByStates(['Todo'], soon()), rig.world);
    assert.equal(failure.code, 'tracker_pagination', to);
  }
});

/** Changes the `data.repository` of an answer, and its errors. */
function withRepository(
  change: (repository: Record<string, unknown>) => unknown,
  errors: readonly object[] = [],
): Fault {
  return {
    is: 'change',
    change: (body) => {
      const {data} = JSON.parse(body);
      return JSON.stringify({data: {repository: change(data.repository)}, errors});
    },
  };
}

test('an answer by ids that is not whole invents no loss', async () => {
  await using rig = await start();
  const tracker = rig.tracker();
  const without = ({issue1: _, ...rest}: Record<string, unknown>) => ({...rest, issue1: null});
  const at = (type: string | null, path: readonly string[] = ['repository', 'issue1']) => ({
    ...{type, path, message: 'Something went wrong'},
  });
  const rows: [Fault, TrackerFailureCode | 'gone'][] = [
    [withRepository(without), 'tracker_response'],
    [withRepository(without, [at(null)]), 'tracker_response'],
    [withRepository(without, [at('NOT_FOUND')]), 'gone'],
    [withRepository(without, [at('FORBIDDEN')]), 'tracker_auth'],
    [withRepository(without, [at('RATE_LIMITED')]), 'tracker_rate_limited'],
    [
      withRepository((it) => it, [at(null, ['repository', 'issue2', 'labels'])]),
      'tracker_response',
    ],
    [
      withRepository((it) => it, [at('NOT_FOUND', ['repository', 'issue2', 'author'])]),
      'tracker_response',
    ],
    [withRepository(() => null, [at('NOT_FOUND', ['repository'])]), 'tracker_status'],
    [withRepository(() => null), 'tracker_response'],
    [
      withRepository((it) => ({...it, issue1: {...(it.issue1 as object), title: ''}})),
      'tracker_response',
    ],
    [
      withRepository((it) => ({...it, issue1: {...(it.issue1 as object), labels: {}}})),
      'tracker_response',
    ],
    [withRepository((it) => ({...it, issue1: it.issue2})), 'tracker_response'],
    [withRepository((it) => ({...it, issue1: {}})), 'tracker_response'],
  ];
  for (const [index, [fault, expected]] of rows.entries()) {
    const fresh = expected === 'tracker_rate_limited' ? rig.tracker() : tracker;
    rig.proxy.next(fault);
    const answer = await fresh.issuesByIds(['1', '2'], soon());
    if (expected === 'gone')
      assert.deepEqual(
        unwrap(answer).map(({id}) => id),
        ['2'],
      );
    else assert.equal(failureOf(answer, rig.world).code, expected, `row ${index}`);
  }
});

test('a malformed record in a list is left out with a warning, and by identifier too', async () => {
  await using rig = await start();
  const tracker = rig.tracker();
  const broken = (body: string) => body.replace('"title":"Issue 3"', '"title":null');
  rig.proxy.next(null, {is: 'change', change: broken});
  const listed = await tracker.issuesByStates(['open'], soon());
  assert.ok(listed.ok && listed.value.length === 249);
  assert.equal(listed.warnings[0]?.count, 1);
  assert.match(listed.warnings[0]?.examples[0] ?? '', /widgets-3 .*title cannot be read/);
  rig.proxy.next({is: 'change', change: broken});
  const named = await tracker.issuesByIdentifiers(['widgets-2', 'widgets-3'], soon());
  assert.ok(named.ok && named.value.length === 1 && named.warnings[0]?.count === 1);
});

test('a call ends when it is told to', async () => {
  await using rig = await start();
  rig.proxy.always({is: 'hang'});
  const stop = new AbortController();
  const call = rig.tracker().issuesByIds(['1'], stop.signal);
  stop.abort(new Error('shutting down'));
  const failure = failureOf(await call, rig.world);
  assert.equal(failure.code, 'tracker_request');
  assert.match(failure.message, /shutting down/);
});
