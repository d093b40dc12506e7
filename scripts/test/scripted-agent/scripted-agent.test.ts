import assert from 'node:assert/strict';
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, test} from 'node:test';
import type {JournalLine} from '../../scripted-agent/journal.ts';
import {fieldsOf} from '../../scripted-agent/json.ts';
import {AgentClient, newFolder} from './scripted-agent-client.ts';
import {HOLD, lifeline} from './scripted-agent-lifeline.ts';

const text = (input: string) => [{type: 'text', text: input}];
const messageOf = (response: {readonly error?: unknown}) =>
  String(fieldsOf(response.error).message);

describe('the protocol of the scripted agent', {timeout: 60_000}, () => {
  test('a handshake tells the version, and later requests need one', async () => {
    await using client = await AgentClient.start([]);
    assert.equal(messageOf(await client.request('account/read', {})), 'Not initialized');

    const {result} = await client.initialize();
    assert.match(String(fieldsOf(result).userAgent), /^scripted-agent\/0\.166\.0 \(/);
    assert.equal(messageOf(await client.initialize()), 'Already initialized');
    assert.deepEqual((await client.request('account/read', {})).result, {
      account: {type: 'apiKey'},
      requiresOpenaiAuth: false,
      workspaceRouting: null,
    });
  });

  test('wrong requests are refused with the one code, and garbage is only noted', async () => {
    await using client = await AgentClient.start([]);
    await client.initialize();
    client.write('this is not json\n');
    const threadId = '01a1e1b6-30ab-7961-9028-dc841341c96b';
    const refusals = {
      'unknown variant `no/such`': await client.request('no/such', {}),
      'missing field `params`': await client.request('account/read'),
      'missing field `threadId`': await client.request('thread/resume', {}),
      'thread not found': await client.request('turn/start', {threadId, input: text('x')}),
      'invalid thread id': await client.request('turn/start', {threadId: 'nope', input: []}),
      'no rollout found for thread id': await client.request('thread/resume', {threadId}),
      'unknown variant `on-failure`': await client.request('thread/start', {
        approvalPolicy: 'on-failure',
      }),
      'unknown variant `workspaceWrite`': await client.request('thread/start', {
        sandbox: 'workspaceWrite',
      }),
      'expected a string': await client.request('thread/start', {cwd: 5}),
    };
    for (const [expected, {error}] of Object.entries(refusals)) {
      assert.equal(fieldsOf(error).code, -32600);
      assert.ok(String(fieldsOf(error).message).includes(expected), JSON.stringify(error));
    }
    await client.until(() => client.stderr.includes('not a message: this is not json'));
  });

  test('a thread echoes its policies; tools need the experimental API', async () => {
    await using client = await AgentClient.start([]);
    await client.initialize({});
    const granular = {granular: {rules: false}};
    const {result} = await client.request('thread/start', {
      cwd: '/nowhere',
      approvalPolicy: granular,
      sandbox: 'workspace-write',
    });
    const {approvalPolicy, sandbox, cwd} = fieldsOf(result);
    assert.deepEqual(approvalPolicy, granular);
    assert.equal(fieldsOf(sandbox).type, 'workspaceWrite');
    assert.equal(cwd, '/nowhere');
    const refused = await client.request('thread/start', {dynamicTools: []});
    assert.match(messageOf(refused), /requires experimentalApi/);
  });

  test('two turns on one thread: order of messages, own steps, usage added up', async () => {
    const script = [[{say: 'first answer'}], [{say: 'second', tokens: {input: 7, output: 3}}]];
    const {client, threadId} = await AgentClient.withThread(script);
    await using _ = client;
    const first = await client.turn(threadId);
    assert.equal(first.status, 'completed');
    assert.deepEqual(
      client.messages.slice(4).map((message) => fieldsOf(message).method ?? 'response'),
      [
        'response',
        'thread/status/changed',
        'turn/started',
        'item/started',
        'item/completed',
        'item/started',
        'item/agentMessage/delta',
        'item/agentMessage/delta',
        'item/completed',
        'thread/tokenUsage/updated',
        'thread/readState/changed',
        'thread/status/changed',
        'turn/completed',
      ],
    );
    assert.deepEqual(
      client.told('item/agentMessage/delta').map(({delta}) => delta),
      ['first ', 'answer'],
    );

    const second = await client.turn(threadId);
    assert.notEqual(second.id, first.id);
    const [item] = second.items as {text: string}[];
    assert.equal(item?.text, 'second');
    const [, usage] = client.told('thread/tokenUsage/updated').map((each) => each.tokenUsage);
    assert.equal(fieldsOf(fieldsOf(usage).last).totalTokens, 10);
    assert.equal(fieldsOf(fieldsOf(usage).total).totalTokens, 1060);
  });

  test('the last turn repeats when the script has run out', async () => {
    const {client, threadId} = await AgentClient.withThread([[{say: 'a'}], [{say: 'b'}]]);
    await using _ = client;
    for (let n = 0; n < 3; n++) await client.turn(threadId);
    assert.deepEqual(
      client.items('agentMessage').map((item) => item.text),
      ['a', 'b', 'b'],
    );
  });

  test('notifications that the client does not want are not sent', async () => {
    await using client = await AgentClient.start([]);
    await client.initialize({optOutNotificationMethods: ['item/agentMessage/delta']});
    await client.turn(await client.startThread());
    assert.equal(client.items('agentMessage').length, 1);
    assert.deepEqual(client.told('item/agentMessage/delta'), []);
  });

  test('a new process resumes a thread and replays its usage; an unused thread is lost', async () => {
    const folder = newFolder();
    const before = await AgentClient.start([], folder);
    await before.initialize();
    const dynamicTools = [{name: 'tracker', description: '', inputSchema: {}}];
    const threadId = await before.startThread({dynamicTools});
    const unused = await before.startThread();
    await before.request('thread/name/set', {threadId: unused, name: 'never used'});
    const {id: turnId} = await before.turn(threadId);
    await before.request('thread/name/set', {threadId, name: 'ABC-1: a title'});
    await before.close();

    const script = JSON.stringify([{tool: 'tracker'}]);
    await using after = await AgentClient.start(['--script-json', script], folder);
    await after.initialize();
    const {result} = await after.request('thread/resume', {threadId, excludeTurns: true});
    assert.equal(fieldsOf(result).approvalPolicy, 'never');
    assert.equal(fieldsOf(fieldsOf(result).thread).name, 'ABC-1: a title');
    await after.find(({method}) => method === 'thread/goal/cleared');
    const [replayed] = after.told('thread/tokenUsage/updated');
    assert.equal(replayed?.turnId, turnId);
    assert.equal(fieldsOf(fieldsOf(replayed?.tokenUsage).total).totalTokens, 1050);

    await after.startTurn(threadId);
    const call = await after.requested('item/tool/call');
    assert.doesNotMatch(after.stderr, /not offered/);
    after.answer(call.id, {contentItems: [], success: true});
    await after.find(({method}) => method === 'turn/completed');
    const [, usage] = after.told('thread/tokenUsage/updated');
    assert.equal(fieldsOf(fieldsOf(usage?.tokenUsage).total).totalTokens, 2100);

    const lost = await after.request('thread/resume', {threadId: unused});
    assert.equal(messageOf(lost), `no rollout found for thread id ${unused}`);
  });

  test('an interrupt that comes before the turn has started is refused, and the turn runs on', async () => {
    const {client, threadId} = await AgentClient.withThread([{say: 'unhurt'}]);
    await using _ = client;
    client.send({method: 'turn/start', id: 's', params: {threadId, input: text('go')}});
    const refused = await client.request('turn/interrupt', {threadId, turnId: 'x'});
    assert.equal(messageOf(refused), 'no active turn to interrupt');
    const {params} = await client.find(({method}) => method === 'turn/completed');
    assert.equal(fieldsOf(fieldsOf(params).turn).status, 'completed');
  });

  test('an interrupt leaves the shell running, and cleaning the terminals kills it', async () => {
    const {client, threadId} = await AgentClient.withThread([
      {run: `${HOLD}; until [ -e go ]; do sleep 0.01; done; echo alive; exec sleep 300`},
    ]);
    await using _ = client;
    const shell = lifeline(client.folder);
    const turnId = await client.startTurn(threadId);
    await shell.holder;

    const response = await client.request('turn/interrupt', {threadId, turnId});
    assert.deepEqual(response.result, {});
    const ended = await client.end(turnId);
    assert.equal(ended.status, 'interrupted');
    assert.deepEqual(ended.items, []);
    writeFileSync(join(client.folder, 'go'), '');
    await client.until(() => client.told('item/commandExecution/outputDelta').length > 0);
    const listed = await client.request('thread/backgroundTerminals/list', {threadId});
    assert.equal((fieldsOf(listed.result).data as unknown[]).length, 1);

    await client.request('thread/backgroundTerminals/clean', {threadId});
    await client.until(() => client.items('commandExecution').length > 0);
    const [item] = client.items('commandExecution');
    assert.equal(item?.exitCode, -1);
    await shell.cut;
  });

  test('more input while a turn runs steers it: same id, and the pause is cut', async () => {
    const {client, threadId} = await AgentClient.withThread(['hang', {say: 'steered'}]);
    await using _ = client;
    const turnId = await client.startTurn(threadId);
    const steered = await client.request('turn/start', {threadId, input: text('hurry')});
    assert.equal(fieldsOf(fieldsOf(steered.result).turn).id, turnId);
    const [item] = (await client.end(turnId)).items as {text: string}[];
    assert.equal(item?.text, 'steered');
    assert.equal(client.items('userMessage').length, 2);
  });

  test('the end of stdin ends the agent and its shells with code 0, also in a turn', async () => {
    const {client, threadId} = await AgentClient.withThread([{run: `${HOLD}; sleep 300`}]);
    await using _ = client;
    const shell = lifeline(client.folder);
    await client.startTurn(threadId);
    await shell.holder;
    assert.deepEqual(await client.close(), {code: 0, signal: null});
    await shell.cut;
  });

  test('SIGTERM ends the agent with code 0', async () => {
    await using client = await AgentClient.start([]);
    await client.initialize();
    client.child.kill('SIGTERM');
    assert.deepEqual(await client.exited, {code: 0, signal: null});
  });

  test('a journal keeps what the agent heard and how its turns ended, beyond its death', async () => {
    const journal = join(newFolder(), 'journal');
    const args = ['--journal', journal];
    const {client, threadId} = await AgentClient.withThread([{say: 'hi'}, {exit: 1}], args);
    await using _ = client;
    await client.startTurn(threadId);
    await client.exited;
    const lines = readFileSync(journal, 'utf8').trimEnd().split('\n');
    const kept = lines.map((line): JournalLine => JSON.parse(line));
    const heard = kept.flatMap((line) => (line.report === 'received' ? [line.message.method] : []));
    assert.deepEqual(heard, ['initialize', 'initialized', 'thread/start', 'turn/start']);
    assert.deepEqual(kept.at(-1)?.report, 'turn');
    assert.equal(kept[0]?.pid, client.child.pid);
  });
});
