import assert from 'node:assert/strict';
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, test} from 'node:test';
import {type Fields, fieldsOf} from '../../scripted-agent/json.ts';
import {AgentClient} from './scripted-agent-client.ts';

const flags = (client: AgentClient) =>
  client
    .told('thread/status/changed')
    .map(({status}) => fieldsOf(status))
    .filter(({type}) => type === 'active')
    .map(({activeFlags}) => String(activeFlags));

describe('the steps of the scripted agent', {timeout: 60_000}, () => {
  test('think streams a reasoning item', async () => {
    const {client, threadId} = await AgentClient.withThread([{think: 'about it'}]);
    await using _ = client;
    await client.turn(threadId);
    assert.equal(client.told('item/reasoning/summaryTextDelta').length, 2);
    assert.deepEqual(client.items('reasoning')[0]?.summary, ['about it']);
  });

  test('run is a real command in the workspace, in a session of its own, marked with the thread', async () => {
    const command = 'pwd; echo $CODEX_THREAD_ID >&2; kill -0 -- -$$ && echo leader; exit 3';
    const {client, threadId} = await AgentClient.withThread([{run: command}]);
    await using _ = client;
    assert.equal((await client.turn(threadId)).status, 'completed');
    const [item] = client.items('commandExecution');
    assert.equal(item?.aggregatedOutput, `${client.folder}\n${threadId}\nleader\n`);
    assert.equal(item?.exitCode, 3);
    assert.equal(item?.status, 'failed');
    const deltas = client.told('item/commandExecution/outputDelta').map(({delta}) => delta);
    assert.equal(deltas.join(''), item?.aggregatedOutput);
  });

  test('a command in the background outlives its turn and completes its item later', async () => {
    const {client, threadId} = await AgentClient.withThread([
      {run: 'until [ -e go ]; do sleep 0.01; done; echo late', background: true},
    ]);
    await using _ = client;
    const {id} = await client.turn(threadId);
    assert.deepEqual(client.items('commandExecution'), []);
    writeFileSync(join(client.folder, 'go'), '');
    await client.until(() => client.items('commandExecution').length > 0);
    assert.equal(client.told('item/completed').at(-1)?.turnId, id);
  });

  test('edit really writes, and shows the change', async () => {
    const {client, threadId} = await AgentClient.withThread([
      {edit: 'sub/new.txt', text: 'hello\n'},
      {edit: 'sub/new.txt', text: 'bye\n'},
    ]);
    await using _ = client;
    await client.turn(threadId);
    const path = join(client.folder, 'sub/new.txt');
    assert.equal(readFileSync(path, 'utf8'), 'bye\n');
    const [added, updated] = client.items('fileChange').map(({changes}) => changes as Fields[]);
    assert.deepEqual(added, [{path, kind: {type: 'add'}, diff: 'hello\n'}]);
    assert.equal(updated?.[0]?.diff, '@@ -1,1 +1,1 @@\n-hello\n+bye\n');
    assert.equal(client.told('turn/diff/updated').length, 2);
  });

  test('tool passes the call on, takes the answer, and notes whether it was expected', async () => {
    const {client, threadId} = await AgentClient.withThread([
      {tool: 'tracker', arguments: {query: 'issue 1'}, expect: 'todo'},
      {tool: 'tracker', expect: 'todo'},
      {tool: 'tracker'},
    ]);
    await using _ = client;
    const turnId = await client.startTurn(threadId);
    const first = await client.requested('item/tool/call');
    assert.equal(first.id, 0);
    assert.deepEqual(first.params.arguments, {query: 'issue 1'});
    client.answer(first.id, {contentItems: [{type: 'inputText', text: 'todo'}], success: true});
    const second = await client.requested('item/tool/call');
    client.answer(second.id, {contentItems: [], success: false});
    const third = await client.requested('item/tool/call');
    client.send({id: third.id, error: {code: -32601, message: 'unsupported'}});
    assert.equal((await client.end(turnId)).status, 'completed');
    assert.deepEqual(
      client.items('dynamicToolCall').map(({status}) => status),
      ['completed', 'failed', 'failed'],
    );
    await client.until(() => /"todo" NOT met/.test(client.stderr));
    assert.match(client.stderr, /"todo" met/);
    assert.match(client.stderr, /tool "tracker" was not offered/);
  });

  const decisions = [
    {decision: 'accept', runs: true, item: 'completed', turn: 'completed'},
    {decision: 'acceptForSession', runs: true, item: 'completed', turn: 'completed'},
    {decision: 'decline', runs: false, item: 'declined', turn: 'completed'},
    {decision: 'cancel', runs: false, item: 'declined', turn: 'interrupted'},
  ];
  for (const {decision, runs, item, turn} of decisions) {
    for (const [step, method, type] of [
      [
        {run: 'touch made', ask: 'may I?'},
        'item/commandExecution/requestApproval',
        'commandExecution',
      ],
      [{edit: 'made', text: '', ask: true}, 'item/fileChange/requestApproval', 'fileChange'],
    ] as const) {
      test(`${type}: "${decision}" is honoured`, async () => {
        const {client, threadId} = await AgentClient.withThread([step]);
        await using _ = client;
        const turnId = await client.startTurn(threadId);
        const {id} = await client.requested(method);
        client.answer(id, {decision});
        assert.equal((await client.end(turnId)).status, turn);
        assert.equal(client.items(type)[0]?.status, item);
        assert.equal(existsSync(join(client.folder, 'made')), runs);
        assert.deepEqual(flags(client), ['', 'waitingOnApproval', '']);
        assert.deepEqual(client.told('serverRequest/resolved'), [{threadId, requestId: id}]);
      });
    }
  }

  test('what was accepted for the session is not asked again', async () => {
    const step = {run: 'true', ask: true};
    const {client, threadId} = await AgentClient.withThread([step, step]);
    await using _ = client;
    const turnId = await client.startTurn(threadId);
    const {id} = await client.requested('item/commandExecution/requestApproval');
    client.answer(id, {decision: 'acceptForSession'});
    await client.end(turnId);
    assert.equal(client.items('commandExecution').length, 2);
  });

  test('an error in place of a decision fails the item, and the turn goes on', async () => {
    const {client, threadId} = await AgentClient.withThread([{run: 'touch made', ask: true}]);
    await using _ = client;
    const turnId = await client.startTurn(threadId);
    const {id} = await client.requested('item/commandExecution/requestApproval');
    client.send({id, error: {code: -32601, message: 'unsupported'}});
    assert.equal((await client.end(turnId)).status, 'completed');
    assert.equal(client.items('commandExecution')[0]?.status, 'failed');
    assert.ok(!existsSync(join(client.folder, 'made')));
  });

  test('an interrupt takes back a pending request after the end of the turn', async () => {
    const {client, threadId} = await AgentClient.withThread([{run: 'true', ask: true}]);
    await using _ = client;
    const turnId = await client.startTurn(threadId);
    await client.requested('item/commandExecution/requestApproval');
    await client.request('turn/interrupt', {threadId, turnId});
    await client.find(({method}) => method === 'serverRequest/resolved');
    assert.deepEqual(
      client.messages.slice(-5).map((message) => fieldsOf(message).method ?? 'response'),
      [
        'thread/tokenUsage/updated',
        'response',
        'thread/status/changed',
        'turn/completed',
        'serverRequest/resolved',
      ],
    );
  });

  test('permissions, questions, elicitations and unknown requests wait for their answers', async () => {
    const {client, threadId} = await AgentClient.withThread([
      {permissions: {network: {enabled: true}}, reason: 'to fetch'},
      {question: 'How wide?', options: ['Small', 'Wide'], id: 'scope'},
      {elicit: 'Your name?', schema: {type: 'object'}},
      {request: 'future/thing', params: {x: 1}},
    ]);
    await using _ = client;
    const turnId = await client.startTurn(threadId);
    const permissions = await client.requested('item/permissions/requestApproval');
    assert.deepEqual(permissions.params.permissions, {network: {enabled: true}, fileSystem: null});
    client.answer(permissions.id, {permissions: {}, scope: 'turn'});
    const question = await client.requested('item/tool/requestUserInput');
    assert.equal((question.params.questions as Fields[])[0]?.id, 'scope');
    client.answer(question.id, {answers: {scope: {answers: ['Small']}}});
    const elicitation = await client.requested('mcpServer/elicitation/request');
    assert.equal(elicitation.params.message, 'Your name?');
    client.answer(elicitation.id, {action: 'decline', content: null, _meta: null});
    const unknown = await client.requested('future/thing');
    assert.equal(unknown.params.x, 1);
    client.send({id: unknown.id, error: {code: -32601, message: 'unsupported'}});
    assert.equal((await client.end(turnId)).status, 'completed');
    assert.deepEqual(flags(client), [
      ...['', 'waitingOnApproval', '', 'waitingOnUserInput', ''],
      ...['waitingOnApproval', ''],
    ]);
  });

  test('usage, rate limits and notifications of any name are passed on', async () => {
    const {client, threadId} = await AgentClient.withThread([
      {usage: {input: 100, cached: 40, output: 5, reasoning: 2}},
      {usage: 10},
      {rate_limits: {primary: 13, secondary: {usedPercent: 40, resetsAt: 7}}},
      {notify: 'future/news', params: {x: 1}},
    ]);
    await using _ = client;
    const {id: turnId} = await client.turn(threadId);
    const [, usage] = client.told('thread/tokenUsage/updated');
    assert.deepEqual(fieldsOf(fieldsOf(usage?.tokenUsage).total), {
      totalTokens: 115,
      inputTokens: 110,
      cachedInputTokens: 40,
      cacheWriteInputTokens: 0,
      outputTokens: 5,
      reasoningOutputTokens: 2,
    });
    const limits = fieldsOf(client.told('account/rateLimits/updated')[0]?.rateLimits);
    assert.equal(fieldsOf(limits.primary).usedPercent, 13);
    assert.equal(fieldsOf(limits.secondary).resetsAt, 7);
    assert.deepEqual(client.told('future/news'), [{threadId, turnId, x: 1}]);
  });

  test('once: something else the first time in a workspace, also over restarts', async () => {
    const script = [{once: [{fail: 'at first'}], later: [{say: 'now it works'}]}];
    const {client, threadId} = await AgentClient.withThread(script);
    await using _ = client;
    assert.equal((await client.turn(threadId)).status, 'failed');
    await client.close();
    const again = await AgentClient.start(['--script-json', JSON.stringify(script)], client.folder);
    await using __ = again;
    await again.initialize();
    assert.equal((await again.turn(await again.startThread())).status, 'completed');
  });

  test('--from-prompt takes the steps of a turn from its input', async () => {
    await using client = await AgentClient.start(['--from-prompt']);
    await client.initialize();
    const threadId = await client.startThread();
    const prompt = 'Please:\n\n```agent\n- say: as told\n- usage: 5\n- interrupt\n```\n\nThanks.';
    assert.equal((await client.turn(threadId, prompt)).status, 'interrupted');
    assert.equal(client.items('agentMessage')[0]?.text, 'as told');
    assert.equal((await client.turn(threadId, 'go on')).status, 'completed');
    const slip = await client.turn(threadId, '```agent\n- sya: x\n```');
    assert.match(String(fieldsOf(slip.error).message), /unknown step "sya"/);

    const turnId = await client.startTurn(threadId, '```agent\n- hang\n- say: the old way\n```');
    const input = [{type: 'text', text: '```agent\n- say: the new way\n```'}];
    await client.request('turn/steer', {threadId, expectedTurnId: turnId, input});
    await client.end(turnId);
    assert.equal(client.items('agentMessage').at(-1)?.text, 'the new way');
  });

  test('a YAML script is read, and a slip in a script ends the agent at once', async () => {
    await using client = await AgentClient.start(['--script', 'script.yaml']);
    assert.deepEqual(await client.exited, {code: 2, signal: null});
    writeFileSync(join(client.folder, 'script.yaml'), '- - say: one\n- - say: two\n');
    await using reader = await AgentClient.start(['--script', 'script.yaml'], client.folder);
    await reader.initialize();
    const threadId = await reader.startThread();
    await reader.turn(threadId);
    await reader.turn(threadId);
    assert.deepEqual(
      reader.items('agentMessage').map(({text}) => text),
      ['one', 'two'],
    );

    for (const [slip, complaint] of [
      [[{sya: 'x'}], /unknown step "sya"/],
      [[{say: 5}], /step "say" takes text/],
      [[{say: 'x', pace: 5}], /step "say" has no option "pace"/],
    ] as const) {
      await using refused = await AgentClient.start(['--script-json', JSON.stringify(slip)]);
      assert.deepEqual(await refused.exited, {code: 2, signal: null});
      await refused.until(() => complaint.test(refused.stderr));
    }
  });
});
