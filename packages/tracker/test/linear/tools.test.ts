import assert from 'node:assert/strict';
import {test} from 'node:test';
import {KEY} from '../servers/linear-server.ts';
import {aLinear, known, LIVE} from './open-linear.ts';

/** A world with one issue, and calls of its tools. */
async function aRun(provider: Record<string, unknown> = {}) {
  const linear = await aLinear({provider});
  const issue = linear.world.addIssue(linear.team);
  const mine = await known(linear.tracker, issue);
  linear.proxy.seen.length = 0;
  const call = async (name: string, args: unknown) => {
    const result = await linear.tracker.callTool(mine, name, args, LIVE);
    assert.doesNotMatch(JSON.stringify(result), new RegExp(KEY));
    return result;
  };
  return {...linear, issue, mine, call};
}

function errorIn(content: unknown): string {
  const {error} = content as {error: {code: string}};
  return error.code;
}

test('linear_issue moves, labels, attaches and comments in one call', async () => {
  await using run = await aRun();
  run.world.addLabel('Reviewed');
  const result = await run.call('linear_issue', {
    state: 'In Review',
    comment: 'Please look.',
    add_labels: ['reviewed'],
    attach_url: 'https://example.com/pull/1',
    attach_title: 'The change',
  });
  const {id, identifier, title} = run.issue;
  assert.deepEqual(result, {
    success: true,
    wrote: true,
    content: {
      issue: {
        id,
        identifier,
        title,
        state: 'In Review',
        labels: ['reviewed'],
        updated_at: run.issue.updatedAt,
      },
      changed: ['state', 'labels', 'attachment', 'comment'],
    },
  });
  assert.equal(run.issue.state.name, 'In Review');
  assert.deepEqual(run.issue.comments, ['Please look.']);
  assert.deepEqual(run.issue.attachments, [
    {url: 'https://example.com/pull/1', title: 'The change'},
  ]);
  const repeated = await run.call('linear_issue', {state: 'In Review', add_labels: ['Reviewed']});
  assert.deepEqual([repeated.success, repeated.wrote], [true, false]);
});

test('a label must exist for the team; of two, the team’s own is taken', async () => {
  await using run = await aRun();
  const other = run.world.addTeam('OPS');
  run.world.addLabel('theirs', other);
  run.world.addLabel('group', null, true);
  run.world.addLabel('both');
  const own = run.world.addLabel('Both', run.team);
  for (const name of ['theirs', 'group', 'unheard of']) {
    const result = await run.call('linear_issue', {add_labels: [name], comment: 'Labelled.'});
    assert.equal(errorIn(result.content), 'label_not_found');
  }
  assert.deepEqual(run.issue.comments, [], 'nothing is written then');
  await run.call('linear_issue', {add_labels: ['both']});
  assert.deepEqual(run.issue.labels, [own]);
});

test('arguments that make no sense are refused without a request', async () => {
  await using run = await aRun();
  const rows = [
    null,
    {},
    {issue: 'ENG-2', state: 'Done'},
    {state: ''},
    {state: 'two\nlines'},
    {comment: ' '},
    {comment: 'x'.repeat(65_537)},
    {add_labels: 'bug'},
    {attach_url: 'javascript:alert(1)'},
    {attach_url: 'file:///etc/passwd'},
    {attach_title: 'no address'},
  ];
  for (const args of rows) {
    const result = await run.call('linear_issue', args);
    assert.deepEqual([result.success, result.wrote], [false, false]);
    assert.equal(errorIn(result.content), 'invalid_arguments', JSON.stringify(args));
  }
  assert.equal(run.proxy.seen.length, 0);
});

test('a call tells what a person has done meanwhile', async () => {
  await using run = await aRun();
  run.world.move(run.issue, 'Done');
  const result = await run.call('linear_issue', {state: 'In Review', comment: 'Please look.'});
  assert.equal(errorIn(result.content), 'conflict');
  assert.deepEqual([run.issue.state.name, run.issue.comments], ['Done', []]);
  run.world.issues.length = 0;
  const gone = await run.call('linear_issue', {comment: 'Please look.'});
  assert.equal(errorIn(gone.content), 'issue_not_found');
});

test('what was written before a failure is told with it', async () => {
  await using run = await aRun();
  run.proxy.next(null, null, null, null, {is: 'answer', status: 500});
  const result = await run.call('linear_issue', {state: 'Done', comment: 'Finished.'});
  assert.deepEqual([result.success, result.wrote], [false, true]);
  assert.equal(errorIn(result.content), 'tracker_status');
  assert.deepEqual((result.content as {changed: unknown}).changed, ['state']);
  assert.deepEqual([run.issue.state.name, run.issue.comments], ['Done', []]);
});

test('the raw tool is not there unless it is configured', async () => {
  await using run = await aRun();
  assert.deepEqual(
    run.tracker.tools(run.mine).map(({name}) => name),
    ['linear_issue'],
  );
  const result = await run.call('linear_graphql', {query: '{ viewer { id } }'});
  assert.equal(errorIn(result.content), 'unknown_tool');
  assert.equal(run.proxy.seen.length, 0);
});

test('the raw tool sends one query or mutation, and gives the answer back', async () => {
  await using run = await aRun({raw_tool: true});
  assert.deepEqual(
    run.tracker.tools(run.mine).map(({name}) => name),
    ['linear_issue', 'linear_graphql'],
  );
  assert.deepEqual(await run.call('linear_graphql', {query: '{ viewer { id } }'}), {
    success: true,
    content: {data: {viewer: {id: run.world.viewer.id}}},
    wrote: false,
  });
  const mutation = `mutation Say($id: String!) {
    commentCreate(input: {issueId: $id, body: "Hi."}) { success }
  }`;
  const said = await run.call('linear_graphql', {query: mutation, variables: {id: run.issue.id}});
  assert.deepEqual([said.success, said.wrote], [true, true]);
  assert.deepEqual(run.issue.comments, ['Hi.']);
});

test('the raw tool takes exactly one operation, and no subscription', async () => {
  await using run = await aRun({raw_tool: true});
  const rows = [
    {query: ''},
    {query: 'not GraphQL'},
    {query: 'fragment F on User { id }'},
    {query: 'query A { viewer { id } } query B { viewer { id } }'},
    {query: 'subscription { issueCreated { id } }'},
    {query: '{ viewer { id } }', variables: 'none'},
    {query: `{ viewer { ${'id '.repeat(6_000)} } }`},
  ];
  for (const args of rows) {
    const result = await run.call('linear_graphql', args);
    assert.equal(errorIn(result.content), 'invalid_arguments', JSON.stringify(args).slice(0, 80));
  }
  assert.equal(run.proxy.seen.length, 0);
});

test('failures of the raw tool are results, too', async () => {
  await using run = await aRun({raw_tool: true});
  const invalid = await run.call('linear_graphql', {query: '{ viewer { nonsense } }'});
  assert.equal(errorIn(invalid.content), 'tracker_status');
  assert.match(JSON.stringify(invalid.content), /Cannot query field/);

  run.proxy.next({
    is: 'change',
    change: () =>
      JSON.stringify({
        data: {viewer: null},
        errors: [{message: `who is ${KEY}?`, path: ['viewer']}],
      }),
  });
  const partial = await run.call('linear_graphql', {query: '{ viewer { id } }'});
  assert.equal(partial.success, false);
  assert.deepEqual(partial.content, {
    data: {viewer: null},
    errors: [{message: 'who is ***?', path: ['viewer']}],
  });

  run.issue.description = 'x'.repeat(300_000);
  const query = '{ issues { nodes { description } } }';
  const large = await run.call('linear_graphql', {query});
  assert.equal(errorIn(large.content), 'result_too_large');
});
