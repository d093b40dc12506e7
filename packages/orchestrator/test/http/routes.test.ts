import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';
import {IssueView, Snapshot} from '@symphony-supervisor/protocol';
import {ErrorBody, Health, RunList} from '../../src/http/index.ts';
import {codeOf} from './raw-request.ts';
import {Served} from './served.ts';

// One supervisor with two projects, both of which have an issue T-1; only T-2 has had a run that ended.

let served: Served;

before(async () => {
  const hooks = {after_create: 'true'};
  served = await Served.start({
    issues: ['T-1', 'pause'],
    otherProject: ['T-1', 'T-2'],
    settings: {hooks},
  });
  const isTalking = ({running}: Snapshot) =>
    running.filter(({phase}) => phase === 'streaming_turn').length === 4;
  await served.until(isTalking);
  assert.equal((await served.order('/api/v1/T-2/stop')).status, 202);
  await served.until(({held}) => held.length === 1);
});

after(() => served[Symbol.asyncDispose]());

async function json(path: string): Promise<unknown> {
  const response = await served.ask(path);
  assert.equal(response.status, 200, path);
  assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8');
  return response.json();
}

test('the state has the shape that is promised', async () => {
  const snapshot = Snapshot.parse(await json('/api/v1/state'));
  assert.deepEqual(snapshot.counts, {
    ...{running: 3, stopping: 0, retrying: 0, held: 1, dismissed: 0, waiting: 0, kept: 0},
  });
  assert.deepEqual(snapshot.projects.map(({name}) => name).toSorted(), ['p', 'q']);
});

test('an issue by its short and its long path', async () => {
  for (const path of ['/api/v1/T-2', '/api/v1/issues/T-2', '/api/v1/issues/T%2D2?project=q']) {
    const view = IssueView.parse(await json(path));
    assert.equal(view.issue_identifier, 'T-2');
    assert.equal(view.project, 'q');
    assert.equal(view.status, 'held');
    assert.equal(view.held?.reason, 'stopped_by_operator');
    assert.equal(view.runs[0]?.outcome, 'stopped_by_operator');
  }
});

test('an identifier that two projects have is ambiguous until one is named', async () => {
  const refused = await served.raw('/api/v1/T-1');
  assert.equal(refused.status, 409);
  assert.equal(codeOf(refused), 'ambiguous_issue');
  for (const project of ['p', 'q']) {
    assert.equal(IssueView.parse(await json(`/api/v1/T-1?project=${project}`)).project, project);
  }
  const order = await served.order('/api/v1/T-1/stop');
  assert.equal(order.status, 409);
});

test('an unknown issue', async () => {
  for (const path of [
    '/api/v1/nope',
    '/api/v1/issues/nope',
    '/api/v1/issues/owner%2Frepo%231%20%C3%BC',
    '/api/v1/issues/T-1?project=nope',
  ]) {
    const refused = await served.raw(path);
    assert.equal(refused.status, 404, path);
    assert.equal(codeOf(refused), 'issue_not_found');
  }
  assert.equal((await served.order('/api/v1/issues/nope/restart')).status, 404);
});

test('an issue that is called like a route is reached by its long path', async () => {
  assert.equal((await served.raw('/api/v1/pause')).status, 405);
  const view = IssueView.parse(await json('/api/v1/issues/pause'));
  assert.equal(view.issue_identifier, 'pause');
  const short = await served.order('/api/v1/runs/stop');
  assert.equal(short.status, 404);
  assert.equal(ErrorBody.parse(await short.json()).error.code, 'not_found');
});

test('recent runs, as many as are wanted', async () => {
  const {runs} = RunList.parse(await json('/api/v1/runs'));
  assert.deepEqual(
    runs.map(({issue_identifier}) => issue_identifier),
    ['T-2'],
  );
  assert.deepEqual(RunList.parse(await json('/api/v1/runs?limit=0')).runs, []);
  for (const limit of ['-1', 'x', '501', '1.5']) {
    const refused = await served.raw(`/api/v1/runs?limit=${limit}`);
    assert.equal(refused.status, 400, limit);
    assert.equal(codeOf(refused), 'bad_request');
  }
});

test('transcripts of live and of ended runs, in pages of whole lines', async () => {
  const ended = IssueView.parse(await json('/api/v1/T-2'));
  const live = IssueView.parse(await json('/api/v1/T-1?project=p'));
  for (const view of [ended, live]) {
    const url = view.logs.transcripts[0]?.url ?? '';
    const whole = await served.ask(url);
    assert.equal(whole.headers.get('content-type'), 'application/x-ndjson; charset=utf-8');
    const text = await whole.text();
    for (const line of text.trimEnd().split('\n')) JSON.parse(line);
    const first = await served.ask(`${url}?limit=1`);
    const next = first.headers.get('x-symphony-next-offset');
    assert.equal(await first.text(), text.slice(0, Number(next)));
    const rest = await served.ask(`${url}?offset=${next}&limit=${text.length - Number(next)}`);
    assert.equal(await rest.text(), text.slice(Number(next)));
  }
});

test('an unknown transcript, and paths that lead out of their folder', async () => {
  for (const id of ['nope', '..%2F..%2Fsymphony', '%2e%2e', 'a%00b', 'A'.repeat(300)]) {
    const refused = await served.raw(`/api/v1/runs/${id}/transcript`);
    assert.equal(refused.status, 404, id);
    assert.equal(codeOf(refused), 'transcript_not_found');
  }
});

test('liveness and readiness', async () => {
  assert.deepEqual(Health.parse(await json('/livez')), {status: 'ok', codes: [], reasons: []});
  assert.deepEqual(Health.parse(await json('/readyz')), {status: 'ok', codes: [], reasons: []});
});

test('a wrong method says which would be right, an unknown route says so', async () => {
  const wrong: [string, string, string][] = [
    ['POST', '/api/v1/state', 'GET, HEAD'],
    ['DELETE', '/api/v1/state', 'GET, HEAD'],
    ['HEAD', '/api/v1/events', 'GET'],
    ['GET', '/api/v1/refresh', 'POST'],
    ['GET', '/api/v1/T-1/stop', 'POST'],
    ['PUT', '/api/v1/issues/T-1', 'GET, HEAD'],
    ['OPTIONS', '/api/v1/issues/T-1/retry', 'POST'],
    ['GET', '/webhooks/p', 'POST'],
  ];
  for (const [method, path, allow] of wrong) {
    const refused = await served.raw(path, {method});
    assert.equal(refused.status, 405, `${method} ${path}`);
    assert.equal(refused.headers.allow, allow);
    if (method !== 'HEAD') assert.equal(codeOf(refused), 'method_not_allowed');
  }
  for (const path of [
    '/nope',
    '/api',
    '/api/v1',
    '/api/v1/',
    '/api/v2/state',
    '/api/v1/T-1/nope',
  ]) {
    const refused = await served.raw(path);
    assert.equal(refused.status, 404, path);
    assert.equal(codeOf(refused), 'not_found');
  }
});

test('HEAD is GET without a body', async () => {
  const answer = await served.raw('/api/v1/state', {method: 'HEAD'});
  assert.deepEqual([answer.status, answer.body], [200, '']);
});

test('what is no request at all is refused in the same shape', async () => {
  assert.equal(codeOf(await served.raw('/api/v1/%')), 'bad_request');
  const long = await served.raw('/', {headers: {x: 'x'.repeat(20_000)}});
  assert.deepEqual([long.status, codeOf(long)], [400, 'bad_request']);
});

test('GET changes nothing', async () => {
  const {api} = served.supervisor;
  const {generated_at: _, polling: __, projects: ___, ...earlier} = api.snapshot;
  const paths = ['/api/v1/state', '/api/v1/issues/T-2', '/api/v1/runs', '/readyz', '/', '/metrics'];
  const orders = ['stop', 'retry', 'release'].map((order) => `/api/v1/issues/T-2/${order}`);
  const directions = ['pause', 'resume', 'refresh'].map((order) => `/api/v1/${order}`);
  for (const path of [...paths, ...orders, ...directions]) await served.ask(path);
  const {generated_at: ____, polling: _____, projects, ...later} = api.snapshot;
  assert.deepEqual(
    {...later, codex_totals: null, running: later.running.length},
    {...earlier, codex_totals: null, running: earlier.running.length},
  );
  assert.deepEqual(
    projects.map(({is_paused}) => is_paused),
    [false, false],
  );
});
