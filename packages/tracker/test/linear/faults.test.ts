import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {Answer} from '../../src/answer.ts';
import type {Fault} from '../servers/fault-proxy.ts';
import {KEY} from '../servers/linear-server.ts';
import {codeOf, identifiers, unwrap} from './open-linear.ts';
import {edited, threePages} from './pages.ts';

// Whatever happens on the way, a read gives every issue once, or it fails with its category.

function error(extensions: Record<string, unknown>, status = 400): Fault {
  const errors = [{message: `Something about ${KEY}`, extensions}];
  return {is: 'answer', status, body: JSON.stringify({errors})};
}

function assertSilent(answer: Answer<unknown>): void {
  assert.doesNotMatch(JSON.stringify(answer), new RegExp(KEY));
}

const FATAL: readonly [string, Fault, string][] = [
  ['429', {is: 'answer', status: 429}, 'tracker_rate_limited'],
  ['RATELIMITED', error({code: 'RATELIMITED'}), 'tracker_rate_limited'],
  [
    'RATELIMITED beside data',
    edited((reply) => {
      reply.errors = [{message: 'slow down', extensions: {code: 'RATELIMITED'}}];
    }),
    'tracker_rate_limited',
  ],
  ['401', {is: 'answer', status: 401, body: KEY}, 'tracker_auth'],
  ['401 with an error of no kind', error({}, 401), 'tracker_auth'],
  ['an authentication error', error({type: 'authentication error'}), 'tracker_auth'],
  [
    'an authentication error in a good answer',
    error({type: 'authentication error'}, 200),
    'tracker_auth',
  ],
  ['403', {is: 'answer', status: 403, body: `<html>${KEY}`}, 'tracker_status'],
  ['400', error({type: 'invalid input'}), 'tracker_status'],
  ['garbage', {is: 'answer', status: 200, body: '<html>no JSON</html>'}, 'tracker_response'],
  ['half of a JSON text', {is: 'change', change: (body) => body.slice(0, -20)}, 'tracker_response'],
  ['JSON of another kind', {is: 'answer', status: 200, body: '[]'}, 'tracker_response'],
  ['no data', {is: 'answer', status: 200, body: '{"data":null}'}, 'tracker_response'],
  ['an error without data', error({}, 200), 'tracker_response'],
  [
    'errors beside data',
    edited((reply) => {
      reply.data.issues.nodes.pop();
      reply.errors = [{message: `could not load ${KEY}`, path: ['issues', 'nodes', 49]}];
    }),
    'tracker_response',
  ],
  [
    'nodes that are no list',
    edited(({data}) => ({data: {issues: {...data.issues, nodes: null}}})),
    'tracker_response',
  ],
  ['100 MB', {is: 'flood', bytes: 100 * 1024 * 1024}, 'tracker_response'],
  [
    'a next page without a cursor',
    edited(({data}) => {
      data.issues.pageInfo.hasNextPage = true;
      data.issues.pageInfo.endCursor = null;
    }),
    'tracker_pagination',
  ],
  [
    'an empty page in the middle',
    edited(({data}) => {
      data.issues.nodes = [];
      data.issues.pageInfo = {hasNextPage: true, endCursor: 'further'};
    }),
    'tracker_pagination',
  ],
];

for (const [name, fault, code] of FATAL) {
  test(`${name}: ${code}, on every page`, async () => {
    for (const page of [1, 2, 3]) {
      await using linear = await threePages();
      linear.proxy.next(...Array<Fault>(page - 1).fill(null), fault);
      const answer = await linear.read();
      assert.equal(codeOf(answer), code, `page ${page}: ${JSON.stringify(answer)}`);
      assertSilent(answer);
      assert.equal(linear.proxy.seen.length, page, 'not asked for again');
    }
  });
}

test('the issues of a page again, under another cursor: tracker_pagination', async () => {
  for (const repeats of [2, 3]) {
    await using linear = await threePages();
    let first: Record<string, unknown>[] = [];
    const remember = edited(({data}) => {
      first = data.issues.nodes;
    });
    const repeat = edited(({data}) => {
      data.issues.nodes = first;
    });
    linear.proxy.next(remember, ...(repeats === 3 ? [null] : []), repeat);
    assert.equal(codeOf(await linear.read()), 'tracker_pagination');
    assert.equal(linear.proxy.seen.length, repeats);
  }
});

test('a cursor again, under other issues: tracker_pagination, and not followed', async () => {
  await using linear = await threePages();
  let first: unknown;
  const remember = edited(({data}) => {
    first = data.issues.pageInfo.endCursor;
  });
  const back = edited(({data}) => {
    data.issues.pageInfo.endCursor = first;
  });
  linear.proxy.next(remember, back);
  assert.equal(codeOf(await linear.read()), 'tracker_pagination');
  assert.equal(linear.proxy.seen.length, 2);
});

test('an issue that two pages show, or one page twice, is there once', async () => {
  await using linear = await threePages();
  let seen: Record<string, unknown> = {};
  linear.proxy.next(
    edited(({data}) => {
      seen = data.issues.nodes.at(-1) ?? {};
    }),
    edited(({data}) => {
      const {nodes} = data.issues;
      nodes.unshift(seen);
      nodes.push(nodes.at(-1) ?? {});
    }),
  );
  assert.deepEqual(identifiers(await linear.read()), linear.names);
});

test('what passes is tried again, and nothing is lost', async () => {
  const passing: Fault[] = [
    {is: 'answer', status: 500},
    {is: 'answer', status: 502, body: '<html>Bad gateway</html>'},
    {is: 'answer', status: 503},
    {is: 'drop'},
    {is: 'cut'},
  ];
  for (const fault of passing) {
    await using linear = await threePages();
    linear.proxy.next(null, fault, fault, null, fault);
    assert.deepEqual(identifiers(await linear.read()), linear.names);
    assert.equal(linear.proxy.seen.length, 6);
  }
});

test('what does not pass has its category', async () => {
  const rows: readonly [Fault, string][] = [
    [{is: 'answer', status: 500, body: KEY}, 'tracker_status'],
    [{is: 'drop'}, 'tracker_request'],
    [{is: 'cut'}, 'tracker_request'],
  ];
  for (const [fault, code] of rows) {
    await using linear = await threePages();
    linear.proxy.always(fault);
    const answer = await linear.read();
    assert.equal(codeOf(answer), code);
    assertSilent(answer);
  }
});

test('who does not answer, or not to the end, is not waited for', async () => {
  for (const fault of [{is: 'hang'}, {is: 'stall'}] as const) {
    await using linear = await threePages(1_000);
    linear.proxy.next(null, fault);
    const answer = await linear.read();
    assert.ok(!answer.ok && answer.failure.code === 'tracker_request');
    assert.match(answer.failure.message, /did not respond within 1000 ms/);
  }
});

test('"not before" comes from the header, else from the limits, else it is a minute', async () => {
  const resets = String(Date.now() + 600_000);
  const body = JSON.stringify({errors: [{message: 'Slow', extensions: {code: 'RATELIMITED'}}]});
  const points = 'x-ratelimit-complexity';
  const empty = {
    [`${points}-limit`]: '9',
    [`${points}-remaining`]: '0',
    [`${points}-reset`]: resets,
  };
  const rows: readonly [Record<string, string>, number, number][] = [
    [{'retry-after': '20'}, 19_000, 20_000],
    [empty, 590_000, 600_000],
    [{}, 59_000, 60_000],
  ];
  for (const [headers, least, most] of rows) {
    await using linear = await threePages();
    linear.proxy.next({is: 'answer', status: 400, headers, body});
    const limited = await linear.read();
    assert.ok(!limited.ok && limited.failure.code === 'tracker_rate_limited');
    const {retryAfterMs = 0} = limited.failure;
    assert.ok(retryAfterMs > least && retryAfterMs <= most, String(retryAfterMs));
    assert.equal(codeOf(await linear.read()), 'tracker_rate_limited');
    assert.equal(linear.proxy.seen.length, 1, 'kept without a request');
    assert.notEqual(linear.tracker.budget().not_before, null);
    assert.equal(linear.tracker.budget().made.rate_limited, 1);
  }
});

test('after any of it, the next read is whole again', async () => {
  await using linear = await threePages();
  for (const fault of [{is: 'cut'}, {is: 'drop'}, {is: 'answer', status: 500}] as Fault[]) {
    linear.proxy.always(fault);
    assert.notEqual(codeOf(await linear.read()), 'none');
    linear.proxy.always(null);
    assert.equal(unwrap(await linear.read()).length, linear.names.length);
  }
});
