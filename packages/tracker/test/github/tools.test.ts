import assert from 'node:assert/strict';
import {test} from 'node:test';
import {ToolSpec} from '@symphony-supervisor/protocol';
import {soon} from '../file/folder-of-issues.ts';
import {BOARD, GithubRig, issueOf, STATE_LABELS} from './rig.ts';

interface Refusal {
  readonly error: {readonly code: string; readonly message: string};
}

async function agent(rig: GithubRig, provider: Record<string, unknown> = {}) {
  const tracker = rig.tracker({state_labels: STATE_LABELS, ...provider}, BOARD);
  const issue = await issueOf(tracker, '1');
  const call = async (args: unknown, name = 'github_issue') => {
    const result = await tracker.callTool(issue, name, args, soon());
    assert.ok(!JSON.stringify(result).includes(rig.world.token));
    return result;
  };
  const refusal = async (args: unknown, name?: string) => {
    const {success, content, wrote} = await call(args, name);
    assert.deepEqual([success, wrote], [false, false], JSON.stringify(args));
    return (content as unknown as Refusal).error;
  };
  return {tracker, issue, call, refusal};
}

const start = () =>
  GithubRig.start((world) => {
    world.add(1, {labels: ['status:todo', 'Bug']});
    world.add(2);
  });

test('an agent is offered a tool for its own issue, and a raw one only if that is wanted', async () => {
  await using rig = await start();
  const {tracker, issue} = await agent(rig);
  const [spec, ...more] = tracker.tools(issue);
  assert.ok(ToolSpec.safeParse(spec).success);
  assert.deepEqual(more, []);
  assert.equal(spec?.input_schema.additionalProperties, false);
  assert.match(spec?.description ?? '', /States: Todo, In Progress, Review, Done/);
  const raw = await agent(rig, {raw_tool: true});
  const names = raw.tracker.tools(raw.issue).map(({name}) => name);
  assert.deepEqual(names, ['github_issue', 'github_api']);
});

test('it moves, labels, comments, closes, and says what it changed', async () => {
  await using rig = await start();
  const {world} = rig;
  const {call} = await agent(rig);
  const first = await call({
    ...{state: 'Review', comment: 'Ready', add_labels: ['new'], remove_labels: ['bug', 'absent']},
  });
  assert.deepEqual([first.success, first.wrote], [true, true]);
  const {issue, changed} = first.content as {issue: Record<string, unknown>; changed: string[]};
  assert.deepEqual(changed, ['state', 'labels', 'comment']);
  assert.equal(issue.state, 'Review');
  assert.deepEqual(issue.labels, ['status:review', 'new']);
  assert.deepEqual(world.issue(1).labels, ['status:review', 'new']);
  assert.deepEqual(world.issue(1).comments, ['Ready']);
  // The comment is last: whoever must call again leaves no second one.
  assert.equal(world.writes.at(-1), '1 comment');

  const nothing = await call({state: 'review', add_labels: ['NEW']});
  assert.deepEqual([nothing.success, nothing.wrote], [true, false]);

  const closed = await call({close: 'not_planned'});
  assert.equal(closed.wrote, true);
  assert.equal(world.writes.at(-1), '1 closed not_planned');
  assert.equal((await call({close: 'completed'})).wrote, false);
});

test('arguments that it does not understand are refused with the reason', async () => {
  await using rig = await start();
  const {refusal} = await agent(rig);
  const rows: [unknown, RegExp][] = [
    [{}, /at least one of comment, state/],
    [null, /must be an object/],
    [{comment: 'x', issue: 2}, /unknown: issue/],
    [{state: ' '}, /state must not be blank/],
    [{add_labels: ['a,b']}, /one line of plain text/],
    [{add_labels: []}, /must not be empty/],
    [{close: 'done'}, /completed or not_planned/],
    [{close: 'completed', state: 'Done'}, /either state or close/],
    [{add_labels: ['STATUS:done']}, /is the label of a state; use state/],
    [{remove_labels: ['status:todo']}, /is the label of a state; use state/],
  ];
  for (const [args, expected] of rows) {
    const {code, message} = await refusal(args);
    assert.equal(code, 'invalid_arguments');
    assert.match(message, expected);
  }
  assert.equal((await refusal({}, 'github_api')).code, 'unknown_tool');
  assert.deepEqual(rig.world.writes, []);
});

test('a conflict and a failure are results', async () => {
  await using rig = await start();
  const {refusal} = await agent(rig);
  rig.world.issue(1).labels = ['status:done'];
  assert.equal((await refusal({state: 'Review', comment: 'x'})).code, 'conflict');
  assert.equal((await refusal({close: 'completed'})).code, 'conflict');
  rig.world.issues.delete(1);
  assert.equal((await refusal({comment: 'x'})).code, 'issue_not_found');
  rig.proxy.always({is: 'answer', status: 500, body: `who are you, ${rig.world.token}?`});
  assert.equal((await refusal({comment: 'x'})).code, 'tracker_status');
  assert.deepEqual(rig.world.writes, []);
});

test('a comment that may have arrived is not sent again, and counts as written', async () => {
  await using rig = await start();
  const {call} = await agent(rig);
  rig.proxy.next(null, {is: 'cut'});
  const {success, wrote} = await call({comment: 'Hello'});
  assert.deepEqual([success, wrote], [false, true]);
  assert.deepEqual(rig.world.issue(1).comments, ['Hello']);
});

test('a failure after half of the work says that something was written', async () => {
  await using rig = await start();
  const {call, refusal} = await agent(rig);
  // The read, the new label, the old label, and then the comment.
  rig.proxy.next(null, null, null, {is: 'answer', status: 422});
  const {success, wrote} = await call({state: 'Review', comment: 'Ready'});
  assert.deepEqual([success, wrote], [false, true]);
  assert.deepEqual(rig.world.issue(1).labels, ['Bug', 'status:review']);
  rig.proxy.next(null, {is: 'answer', status: 422});
  assert.equal((await refusal({comment: 'Ready'})).code, 'tracker_status');
});

test('the raw tool reaches the repository', async () => {
  await using rig = await start();
  const {call} = await agent(rig, {raw_tool: true});
  const raw = (method: string, path: string, body?: unknown) =>
    call({method, path, ...(body === undefined ? {} : {body})}, 'github_api');
  const read = await raw('GET', '/repos/acme/WIDGETS/issues/2');
  assert.deepEqual([read.success, read.wrote], [true, false]);
  const {status, body} = read.content as {status: number; body: {number: number}};
  assert.deepEqual([status, body.number], [200, 2]);
  const write = await raw('POST', '/repos/Acme/widgets/issues/2/comments', {body: 'Hi'});
  assert.deepEqual([write.success, write.wrote], [true, true]);
  assert.deepEqual(rig.world.issue(2).comments, ['Hi']);
  rig.proxy.next({is: 'cut'});
  const lost = await raw('POST', '/repos/Acme/widgets/issues/2/comments', {body: 'Again'});
  assert.deepEqual([lost.success, lost.wrote], [false, true]);
  const absent = await raw('GET', '/repos/Acme/widgets/issues/99');
  assert.deepEqual([absent.success, absent.wrote], [false, false]);
});

test('the raw tool reaches nothing else', async () => {
  await using rig = await start();
  const {refusal} = await agent(rig, {raw_tool: true});
  rig.asked();
  const inside = '/repos/Acme/widgets';
  const paths = [
    '/user',
    '/repos/Acme/gadgets/issues',
    '/repos/Acme/widgets-two/issues',
    'repos/Acme/widgets/issues',
    `${inside}/../gadgets/issues`,
    `${inside}/%2e%2e/gadgets/issues`,
    `${inside}/%2E./gadgets`,
    `${inside}/%252e%252e/gadgets`,
    `${inside}/..%2fgadgets`,
    `${inside}/%2525252e%2525252e/gadgets`,
    `${inside}/..\\gadgets`,
    `${inside}/issues/%zz`,
    `${inside}//evil.example/x`,
    `${inside}/issues#x`,
    `${inside}/is sues`,
    'https://evil.example/repos/Acme/widgets/issues',
    '//evil.example/repos/Acme/widgets/issues',
    '',
  ];
  for (const path of paths) {
    const {code} = await refusal({method: 'GET', path}, 'github_api');
    assert.equal(code, 'invalid_arguments', path);
  }
  for (const method of ['DELETE', 'PATCH']) {
    const {message} = await refusal({method, path: `${inside}/`}, 'github_api');
    assert.match(message, /can only be read/);
  }
  const {message} = await refusal({method: 'TRACE', path: inside}, 'github_api');
  assert.match(message, /must be GET/);
  assert.deepEqual(rig.asked(), []);
});

test('the raw tool does not follow an issue to another repository', async () => {
  await using rig = await start();
  const {refusal} = await agent(rig, {raw_tool: true});
  rig.asked();
  const location = '/repos/Acme/gadgets/issues/2';
  rig.proxy.next({is: 'answer', status: 301, headers: {location}});
  const path = '/repos/Acme/widgets/issues/2';
  assert.equal((await refusal({method: 'GET', path}, 'github_api')).code, 'tracker_status');
  assert.deepEqual(rig.asked(), ['GET /issues/2']);
});

test('a long answer is cut for the agent', async () => {
  await using rig = await start();
  rig.world.issue(2).body = 'x'.repeat(300_000);
  const {call} = await agent(rig, {raw_tool: true});
  const {content} = await call({method: 'GET', path: '/repos/Acme/widgets/issues/2'}, 'github_api');
  const {body, truncated} = content as {body: string; truncated: boolean};
  assert.deepEqual([typeof body, body.length, truncated], ['string', 100_000, true]);
});
