import assert from 'node:assert/strict';
import {test} from 'node:test';
import {type ActionView, IssueView} from '@symphony-supervisor/protocol';
import {ActionList, ErrorBody, OrderTaken, RefreshTaken} from '../../src/http/index.ts';
import {Metrics} from '../../src/metrics/index.ts';
import {openStore} from '../../src/store/index.ts';
import {codeOf, rawRequest} from './raw-request.ts';
import {readSamples} from './read-samples.ts';
import {Served} from './served.ts';

// The uid is known where the kernel lists who owns a connection.
const UID = process.platform === 'linux' ? ` uid ${process.getuid?.()}` : '';
const BY = `control token, 127.0.0.1${UID}`;
const BY_ADA = `control token (cli ada@host), 127.0.0.1${UID}`;

async function refused(response: Response): Promise<[number, string]> {
  return [response.status, ErrorBody.parse(await response.json()).error.code];
}

test('stop holds, retry with a message goes on, restart lets go; each with who ordered it', async () => {
  await using served = await Served.start({issues: ['T-1']});
  const turn = await served.puppet.nextTurn();
  assert.deepEqual(await refused(await served.order('/api/v1/T-1/retry')), [409, 'conflict']);

  const stopped = await served.order('/api/v1/T-1/stop');
  assert.equal(stopped.status, 202);
  const taken = OrderTaken.parse(await stopped.json());
  assert.deepEqual([taken.command, taken.by], ['stop', BY]);
  await turn.agent.gone;
  await served.until(({held}) => held[0]?.reason === 'stopped_by_operator');

  const headers = {'content-type': 'application/json', 'x-symphony-by': 'cli ada@host'};
  const body = JSON.stringify({message: 'Use the blue one.'});
  const retried = await served.ask('/api/v1/issues/T-1/retry', {method: 'POST', headers, body});
  assert.equal(OrderTaken.parse(await retried.json()).by, BY_ADA);
  assert.match((await served.puppet.nextTurn()).input, /Use the blue one\./);

  // It stays away from the tracker's queue: nothing else would keep it from being dispatched again.
  await served.order('/api/v1/pause');
  assert.equal((await served.order('/api/v1/T-1/restart')).status, 202);
  await served.until(({counts}) => counts.running + counts.stopping + counts.held === 0);
  assert.deepEqual(await refused(await served.order('/api/v1/T-1/stop')), [409, 'conflict']);
  const shown = async (path: string) =>
    ActionList.parse(await (await served.ask(path)).json()).actions.map(inShort);
  const all = [
    ['restart', BY, 'p', 'T-1', null],
    ['pause', BY, null, null, null],
    ['retry', BY_ADA, 'p', 'T-1', 'Use the blue one.'],
    ['stop', BY, 'p', 'T-1', null],
  ];
  assert.deepEqual(await shown('/api/v1/actions'), all);
  assert.deepEqual(await shown('/api/v1/actions?limit=2'), all.slice(0, 2));
  const tooMany = await served.ask('/api/v1/actions?limit=501');
  assert.deepEqual(await refused(tooMany), [400, 'bad_request']);
  const view = IssueView.parse(await (await served.ask('/api/v1/issues/T-1')).json());
  assert.deepEqual(
    view.actions.map(inShort),
    all.filter(([, , , identifier]) => identifier !== null),
  );
  assert.deepEqual(
    (await recorded(served)).map(({by, command}) => [by, command.command]),
    [
      [BY, 'restart'],
      [BY, 'pause'],
      [BY_ADA, 'retry'],
      [BY, 'stop'],
    ],
  );
});

function inShort({command, by, project, issue_identifier, message}: ActionView) {
  return [command, by, project, issue_identifier, message];
}

/** As the store has it when the supervisor is gone. */
async function recorded(served: Served) {
  await served.stop();
  const {store} = openStore(served.stateDir);
  const actions = store.actions(100);
  await store[Symbol.asyncDispose]();
  return actions;
}

test('dismiss ends the run, and what waits is dismissed, too; said twice, the same answer', async () => {
  using metrics = new Metrics();
  await using served = await Served.start({
    issues: ['T-1', 'T-2'],
    settings: {agent: {max_concurrent_agents: 1}},
    metrics,
  });
  const turn = await served.puppet.nextTurn();
  await served.until(({counts}) => counts.waiting === 1);
  const dismiss = async (issue: string) => {
    const answer = await served.order(`/api/v1/issues/${issue}/dismiss`);
    assert.equal(answer.headers.get('deprecation'), null);
    return [answer.status, OrderTaken.parse(await answer.json()).command];
  };
  const status = async (issue: string) =>
    IssueView.parse(await (await served.ask(`/api/v1/issues/${issue}`)).json());
  const waiting = await status('t-2');
  assert.deepEqual(
    [waiting.status, waiting.issue_title, waiting.state],
    ['waiting', 'T-2', 'Todo'],
  );
  assert.deepEqual(await refused(await served.order('/api/v1/T-2/stop')), [409, 'conflict']);
  assert.deepEqual(await dismiss('T-2'), [202, 'dismiss']);
  for (let times = 0; times < 2; times++) assert.deepEqual(await dismiss('T-1'), [202, 'dismiss']);
  await turn.agent.gone;
  await served.until(({counts}) => counts.dismissed === 2 && counts.held === 0);
  assert.deepEqual(await dismiss('T-1'), [202, 'dismiss']);
  const view = await status('T-1');
  assert.deepEqual([view.status, view.held?.reason], ['dismissed', 'dismissed']);
  assert.deepEqual(
    view.actions.map(({command}) => command),
    ['dismiss', 'dismiss', 'dismiss'],
  );
  const nobody = await served.order('/api/v1/T-9/dismiss');
  assert.deepEqual(await refused(nobody), [404, 'issue_not_found']);
  const samples = readSamples(await (await served.ask('/metrics')).text());
  assert.equal(samples.get('symphony_claims{project="p",state="dismissed"}'), 2);
  assert.equal(samples.get('symphony_claims{project="p",state="held"}'), 0);
  assert.deepEqual(
    [...samples.keys()].filter((name) => name.startsWith('symphony_held_issues{')),
    [],
  );
});

test('release is the old name of restart: it says so, and is on record as that', async () => {
  await using served = await Served.start({issues: ['T-1']});
  const turn = await served.puppet.nextTurn();
  const answer = await served.order('/api/v1/T-1/release');
  assert.match(answer.headers.get('deprecation') ?? '', /^@\d+$/);
  assert.equal(OrderTaken.parse(await answer.json()).command, 'restart');
  await turn.agent.gone;
  assert.notEqual((await served.puppet.nextTurn()).threadId, turn.threadId);
  assert.deepEqual(
    (await recorded(served)).map(({command}) => command.command),
    ['restart'],
  );
});

test('pause and resume, for one project or for all', async () => {
  await using served = await Served.start({otherProject: []});
  const paused = () =>
    served.supervisor.api.snapshot.projects.filter((p) => p.is_paused).map((p) => p.name);
  assert.equal((await served.order('/api/v1/pause', {project: 'q'})).status, 202);
  assert.deepEqual(paused(), ['q']);
  assert.equal((await served.order('/api/v1/pause')).status, 202);
  assert.deepEqual(paused().toSorted(), ['p', 'q']);
  assert.equal((await served.order('/api/v1/resume', {project: null})).status, 202);
  assert.deepEqual(paused(), []);
  const unknown = await served.order('/api/v1/pause', {project: 'nope'});
  assert.deepEqual(await refused(unknown), [404, 'project_not_found']);

  // Whoever orders sees at once what came of it.
  await served.ask('/api/v1/state');
  await served.order('/api/v1/pause', {project: 'p'});
  const state = (await (await served.ask('/api/v1/state')).json()) as {
    projects: {is_paused: boolean}[];
  };
  assert.deepEqual(state.projects.filter((p) => p.is_paused).length, 1);
});

test('refresh reads the tracker now', async () => {
  await using served = await Served.start({settings: {polling: {interval_ms: 3_600_000}}});
  await served.until(({polling}) => !polling.checking);
  const stranger = await fetch(`${served.url}/api/v1/refresh`, {method: 'POST'});
  assert.deepEqual(await refused(stranger), [401, 'unauthorized']);
  const answer = await served.order('/api/v1/refresh');
  assert.equal(answer.status, 202);
  const taken = RefreshTaken.parse(await answer.json());
  assert.deepEqual([taken.queued, taken.coalesced], [true, false]);
  assert.ok(Math.abs(Date.parse(taken.requested_at) - Date.now()) < 60_000);
  assert.deepEqual(taken.operations, ['poll', 'reconcile']);
  const origin = {origin: 'http://evil.example'};
  const foreign = await fetch(`${served.url}/api/v1/refresh`, {method: 'POST', headers: origin});
  assert.deepEqual(await refused(foreign), [403, 'foreign_origin']);
});

test('who may order, and who may not', async () => {
  await using served = await Served.start();
  const pause = (headers: Record<string, string>) =>
    rawRequest(served.url, '/api/v1/pause', {method: 'POST', headers});
  for (const headers of [{}, {origin: served.url}, {authorization: 'Bearer wrong'}]) {
    const answer = await pause(headers);
    assert.deepEqual([answer.status, codeOf(answer)], [401, 'unauthorized']);
    assert.equal(answer.headers['www-authenticate'], 'Bearer');
  }
  const authorization = `Bearer ${await served.token()}`;
  const foreign = [{host: 'evil.example'}, {origin: 'http://evil.example'}, {origin: 'null'}];
  for (const headers of foreign) {
    assert.equal((await pause({...headers, authorization})).status, 403);
  }
  assert.equal((await pause({authorization, 'x-symphony-by': 'a<b>'})).status, 400);
});

test('a body that is too large, of another type, or not what is described', async () => {
  await using served = await Served.start();
  const send = async (body: string, type: string) =>
    refused(
      await served.ask('/api/v1/pause', {method: 'POST', body, headers: {'content-type': type}}),
    );
  const json = 'application/json';
  assert.deepEqual(await send(JSON.stringify({project: 'x'.repeat(70_000)}), json), [
    ...[413, 'payload_too_large'],
  ]);
  assert.deepEqual(await send('project=p', 'application/x-www-form-urlencoded'), [
    ...[415, 'unsupported_media_type'],
  ]);
  for (const body of ['{', '[]', '"x"', '{"project": 1}', '{"projekt": "p"}']) {
    assert.deepEqual(await send(body, json), [400, 'bad_request'], body);
  }
  assert.equal(served.supervisor.api.snapshot.projects[0]?.is_paused, false);
});
