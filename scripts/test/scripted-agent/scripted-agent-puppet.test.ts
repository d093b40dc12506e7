import assert from 'node:assert/strict';
import {spawn} from 'node:child_process';
import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, test} from 'node:test';
import {setImmediate} from 'node:timers/promises';
import {type Fields, fieldsOf} from '../../scripted-agent/json.ts';
import {AgentPuppet, type PuppetOptions} from '../../scripted-agent/puppet/puppet.ts';
import {bundleAgent} from './scripted-agent-bundle.ts';
import {AgentClient} from './scripted-agent-client.ts';
import {HOLD, lifeline} from './scripted-agent-lifeline.ts';

const program = bundleAgent();

async function listen(options: PuppetOptions = {}): Promise<AgentPuppet> {
  return AgentPuppet.listen({...options, program: await program});
}

/** What a supervisor does with `puppet.command`, up to a thread. */
async function launch(puppet: AgentPuppet): Promise<{client: AgentClient; threadId: string}> {
  const client = AgentClient.attach(spawn(puppet.command, {shell: true, env: {}, stdio: 'pipe'}));
  return client.begun();
}

describe('a puppet', {timeout: 60_000}, () => {
  test('steers a turn: every order is carried out in its place', async () => {
    await using puppet = await listen();
    const {client, threadId} = await launch(puppet);
    await using _ = client;
    const agent = await puppet.connection();
    const ended = client.turn(threadId, 'do it');
    const turn = await agent.nextTurn();
    assert.equal(turn.input, 'do it');
    assert.equal(turn.threadId, threadId);

    await turn.says('hello', {input: 5});
    const {exitCode, output} = await turn.runs('echo from the shell');
    assert.deepEqual([exitCode, output], [0, 'from the shell\n']);
    await turn.edits('made.txt', 'by hand');
    assert.ok(existsSync(join(client.folder, 'made.txt')));
    void turn.thinks('unawaited');
    void turn.completes();
    assert.equal((await ended).status, 'completed');
    await turn.over;
    assert.deepEqual(
      client.told('item/completed').map(({item}) => fieldsOf(item).type),
      ['userMessage', 'agentMessage', 'commandExecution', 'fileChange', 'reasoning'],
    );
  });

  test('gets the answers to what it asks', async () => {
    await using puppet = await listen();
    const {client, threadId} = await launch(puppet);
    await using _ = client;
    const ended = client.turn(threadId);
    const turn = await puppet.nextTurn();

    const answered = async (method: string, result: Fields) => {
      client.answer((await client.requested(method)).id, result);
    };
    const tool = turn.callsTool('tracker', {id: 1});
    await answered('item/tool/call', {contentItems: [], success: true});
    assert.deepEqual(await tool, {result: {contentItems: [], success: true}});

    const decision = turn.asksApproval('touch made');
    await answered('item/commandExecution/requestApproval', {decision: 'decline'});
    assert.equal(await decision, 'decline');

    const edit = turn.asksApproval({edit: 'made', text: ''});
    await answered('item/fileChange/requestApproval', {decision: 'accept'});
    assert.equal(await edit, 'accept');

    const permissions = turn.asksPermissions({network: {enabled: true}});
    await answered('item/permissions/requestApproval', {permissions: {}});
    assert.deepEqual(await permissions, {result: {permissions: {}}});

    const input = turn.asksInput('which?', ['this', 'that']);
    await answered('item/tool/requestUserInput', {answers: {}});
    assert.deepEqual(await input, {result: {answers: {}}});

    const name = turn.elicits('your name?');
    await answered('mcpServer/elicitation/request', {action: 'cancel'});
    assert.deepEqual(await name, {result: {action: 'cancel'}});

    const unknown = turn.requests('future/thing');
    const {id} = await client.requested('future/thing');
    client.send({id, error: {code: -32601, message: 'what?'}});
    assert.deepEqual(await unknown, {error: {code: -32601, message: 'what?'}});
    assert.equal(turn.agent.answers.length, 7);

    await turn.fails('enough', 'usageLimitExceeded');
    assert.equal(fieldsOf((await ended).error).codexErrorInfo, 'usageLimitExceeded');
  });

  test('sees what the client sends', async () => {
    await using puppet = await listen();
    const {client, threadId} = await launch(puppet);
    await using _ = client;
    const agent = await puppet.connection();
    await agent.hears('thread/start');
    assert.equal(fieldsOf(agent.initializeParams?.clientInfo).name, 'test');
    assert.equal(agent.threadStartParams?.approvalPolicy, 'never');
    assert.equal(agent.received('initialized').length, 1);
    const turnId = await client.startTurn(threadId);
    client.send({method: 'turn/interrupt', id: 'i', params: {threadId, turnId}});
    assert.deepEqual((await agent.hears('turn/interrupt')).params, {threadId, turnId});
  });

  test('an order that the end of the turn forestalls is rejected', async () => {
    await using puppet = await listen();
    const {client, threadId} = await launch(puppet);
    await using _ = client;
    const turnId = await client.startTurn(threadId);
    const turn = await puppet.nextTurn();
    const call = turn.callsTool('tracker');
    const late = turn.says('too late');
    await client.requested('item/tool/call');
    await client.request('turn/interrupt', {threadId, turnId});
    await assert.rejects(call, /TurnOver/);
    await assert.rejects(late, /the turn is over/);
    await turn.over;
  });

  test('lets an agent die, in a turn and out of one, and the next one resume its thread', async () => {
    await using puppet = await listen();
    const first = await launch(puppet);
    await using _ = first.client;
    await first.client.startTurn(first.threadId);
    const mortal = await puppet.connection();
    const turn = await mortal.nextTurn();
    const waiting = mortal.nextTurn();
    await turn.uses(7);
    await turn.dies();
    await assert.rejects(waiting, /gone/);
    await assert.rejects(turn.says('from the grave'), /gone/);

    const second = await launch(puppet);
    await using __ = second.client;
    await second.client.request('thread/resume', {threadId: first.threadId});
    await second.client.find(({method}) => method === 'thread/tokenUsage/updated');
    const agent = await puppet.connection();
    await agent.sends('{"between":"turns"}');
    await agent.exits(9);
    await second.client.exited;
    assert.ok(second.client.messages.some((message) => fieldsOf(message).between === 'turns'));
  });

  test('opens the gates of a script, and knows when one is reached', async () => {
    const script = [{say: 'before'}, {wait: 'go'}, {say: 'after'}];
    await using puppet = await listen({args: ['--script-json', JSON.stringify(script)]});
    const {client, threadId} = await launch(puppet);
    await using _ = client;
    const agent = await puppet.connection();
    const ended = client.turn(threadId);
    await agent.waitsAt('go');
    assert.equal(client.items('agentMessage').length <= 1, true);
    puppet.release('go');
    await ended;
    assert.equal(client.items('agentMessage').length, 2);
    await client.turn(threadId); // an open gate stays open
  });

  test('holds back the start of a turn, so that an interrupt comes too early', async () => {
    await using puppet = await listen({args: ['--started-gate', 'start']});
    const {client, threadId} = await launch(puppet);
    await using _ = client;
    const {result} = await client.request('turn/start', {threadId, input: []});
    const turnId = fieldsOf(fieldsOf(result).turn).id;
    const refused = await client.request('turn/interrupt', {threadId, turnId});
    assert.equal(fieldsOf(refused.error).message, 'no active turn to interrupt');
    puppet.release('start');
    await (await puppet.nextTurn()).completes();
  });

  test('takes everything along when it is disposed of, be it deaf or stopped', {
    skip: process.platform !== 'linux' && 'that a process is stopped is read from /proc',
  }, async () => {
    const puppet = await listen();
    const {client, threadId} = await launch(puppet);
    await using _ = client;
    const shell = lifeline(client.folder);
    await client.startTurn(threadId);
    const turn = await puppet.nextTurn();
    await turn.startsRunning(`${HOLD}; sleep 300`);
    await shell.holder;
    await turn.performs({ignore: 'SIGTERM'});
    await turn.performs({ignore: 'stdin'});
    void turn.agent.performs({signal: 'SIGSTOP'});
    while (!isStopped(turn.agent.pid)) await setImmediate();
    await puppet[Symbol.asyncDispose]();
    await client.exited;
    await shell.cut;
    assert.ok(!existsSync(puppet.home));
  });
});

function isStopped(pid: number): boolean {
  return /^State:\s+T/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
}
