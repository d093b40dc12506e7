import assert from 'node:assert/strict';
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import type {RunFailure} from '@symphony-supervisor/protocol';
import {aFolder} from '../../../../../test/rig/fixtures/folder.ts';
import {until} from '../../../../../test/rig/survivors.ts';
import {acp} from '../../../src/agent/acp/agent.ts';
import {type Conversation, converseWith} from '../contract/conversation.ts';
import {type Place, placeIn} from '../contract/surroundings.ts';
import {type AcpJob, playing} from './player.ts';

interface Scene {
  readonly place: Place;
  talk(turns: readonly unknown[], fields?: Partial<AcpJob>, ...args: string[]): Conversation;
}

function check(rule: string, act: (scene: Scene) => Promise<void>): void {
  test(rule, async () => {
    await using folder = await aFolder();
    const place = placeIn(folder.path);
    await act({
      place,
      talk: (turns, fields = {}, ...args) =>
        converseWith(acp, {...playing(place.home, turns, ...args), ...fields}, place),
    });
  });
}

const failure = (start: Promise<unknown>) =>
  start.then(
    () => null,
    (error: RunFailure) => `${error.failure.code}: ${error.message}`,
  );

/** What we sent of a method. */
async function sent(conversation: Conversation, method: string): Promise<unknown[]> {
  const lines = await conversation.transcript();
  const messages = lines.filter(({dir}) => dir === '->').map(({msg}) => msg as {method?: string});
  return messages.filter((message) => message.method === method);
}

check('an agent of another version is refused, and both versions are named', async ({talk}) => {
  await using conversation = talk([[]], {}, '--protocol-version', '2');
  const said = await failure(conversation.session.start(null));
  assert.match(said ?? '', /^agent_incompatible: .*version 2 .*version 1/);
});

check('an agent that is slow to start has a limit of its own', async ({talk}) => {
  await using conversation = talk([[]], {start_timeout_ms: 300, read_timeout_ms: 1}, '--silent');
  const said = await failure(conversation.session.start(null));
  assert.match(said ?? '', /^response_timeout: .*initialize within 300 ms/);
});

check('a replay is neither life nor transcript', async ({talk}) => {
  await using first = talk([[{say: 'begun', tokens: 0}]]);
  await first.session.start(null);
  assert.equal(await first.turn('Begin.'), null);
  const recorded = first.record();
  await first[Symbol.asyncDispose]();
  await using second = talk([[{say: 'gone on', tokens: 0}]], {}, '--without', 'resume');
  assert.deepEqual(await second.session.start(recorded), {resumed: true});
  assert.equal(second.told().signs_of_life ?? 0, 0);
  assert.equal(await second.turn('Go on.'), null);
  assert.equal(second.told().message, 'gone on');
  const lines = await second.transcript();
  assert.ok(lines.every((line) => !JSON.stringify(line).includes('said in an earlier run')));
  assert.ok(lines.some(({ev, updates}) => ev === 'replay_skipped' && updates === 2));
});

check('an agent that can neither resume nor load gets a new conversation', async ({talk}) => {
  await using conversation = talk([[{say: 'anew'}]], {}, '--without', 'resume,load');
  const recorded = {...conversation.record(), id: 'former'};
  assert.deepEqual(await conversation.session.start(recorded), {resumed: false});
  assert.match(conversation.notes.join(), /cannot resume conversations/);
});

check('without HTTP the tools come by a program on stdio', async ({talk}) => {
  const turns = [[{tool: 'look', arguments: {at: 'it'}}, {say: 'seen'}]];
  await using conversation = talk(turns, {}, '--without', 'http');
  await conversation.session.start(null);
  assert.equal(await conversation.turn('Look.'), null);
  assert.deepEqual(conversation.calls, [['look', {at: 'it'}]]);
  assert.deepEqual(conversation.notes, []);
  await conversation[Symbol.asyncDispose]();
  assert.deepEqual(conversation.leftProcesses(), []);
});

check('an agent that never asks for its tools is noted, once', async ({talk}) => {
  await using conversation = talk([[{say: 'one'}], [{say: 'two'}]], {}, '--without', 'tools');
  await conversation.session.start(null);
  assert.equal(await conversation.turn('Work.'), null);
  assert.equal(await conversation.turn('Work.'), null);
  assert.equal(conversation.notes.length, 1);
  assert.match(conversation.notes[0] ?? '', /has not asked for the tools/);
});

check('what is asked for is allowed by default, once and by kind', async ({talk, place}) => {
  await using conversation = talk([[{run: 'touch made', ask: true, tokens: 0}]]);
  await conversation.session.start(null);
  assert.equal(await conversation.turn('Work.'), null);
  assert.ok(existsSync(join(place.workspace, 'made')));
  const lines = await conversation.transcript();
  const answer = lines.find(({dir, msg}) => dir === '->' && /optionId/.test(JSON.stringify(msg)));
  assert.match(JSON.stringify(answer), /"optionId":"once"/);
  assert.ok(lines.some(({ev, text}) => ev === 'notice' && text === 'approved: run touch made'));
});

check('access: read refuses a change; the turn counts if the agent goes on', async (scene) => {
  const edit = {edit: 'a.txt', text: 'x', ask: true, tokens: 0};
  const turns = [
    [edit, {say: 'then not', tokens: 0}],
    [{say: 'now', tokens: 0}, edit],
  ];
  await using conversation = scene.talk(turns, {access: 'read'});
  await conversation.session.start(null);
  assert.equal(await conversation.turn('Change it.'), null);
  const gaveUp = await conversation.turn('Change it.');
  assert.equal(gaveUp?.failure.code, 'turn_failed');
  assert.match(gaveUp?.message ?? '', /edit .*a\.txt \(agent\.access: read\)/);
  assert.equal(existsSync(join(scene.place.workspace, 'a.txt')), false);
  const lines = await conversation.transcript();
  assert.ok(lines.some(({ev, status}) => ev === 'file_change' && status === 'declined'));
});

check('files and terminals are not offered, and every request is answered', async ({talk}) => {
  const methods = ['fs/write_text_file', 'terminal/create', 'session/request_permission', 'x/y'];
  await using conversation = talk([methods.map((request) => ({request}))]);
  await conversation.session.start(null);
  assert.equal(await conversation.turn('Work.'), null);
  const lines = await conversation.transcript();
  const answers = lines.filter(({dir, msg}) => dir === '->' && 'error' in (msg as object));
  const codes = answers.map(({msg}) => (msg as {error: {code: number}}).error.code);
  assert.deepEqual(codes, [-32601, -32601, -32602, -32601]);
});

check('an agent without a login is unauthorized, in a turn', async ({talk}) => {
  await using conversation = talk([[{fail: 'log in first', info: 'unauthorized'}]]);
  await conversation.session.start(null);
  assert.equal((await conversation.turn('Work.'))?.failure.code, 'unauthorized');
});

check('mode and model are chosen in the words of the agent', async ({talk}) => {
  const fields = {mode: 'plan', model: 'scripted/large'};
  await using conversation = talk([[{say: 'ok'}]], fields);
  await conversation.session.start(null);
  assert.deepEqual(
    (await sent(conversation, 'session/set_config_option')).map((message) => {
      const {configId, value} = (message as {params: Record<string, unknown>}).params;
      return [configId, value];
    }),
    [
      ['mode', 'plan'],
      ['model', 'scripted/large'],
    ],
  );
});

check('what the agent starts with is not chosen again', async ({talk}) => {
  await using conversation = talk([[{say: 'ok'}]], {mode: 'build'});
  await conversation.session.start(null);
  assert.deepEqual(await sent(conversation, 'session/set_config_option'), []);
});

check('a word that the agent does not know is told with those that it knows', async ({talk}) => {
  await using unknown = talk([[]], {model: 'gpt-0'});
  const said = await failure(unknown.session.start(null));
  assert.match(said ?? '', /^agent_incompatible: agent\.model is gpt-0, .*scripted\/small/);
  await using missing = talk([[]], {effort: 'high'});
  const told = await failure(missing.session.start(null));
  assert.match(told ?? '', /^agent_incompatible: agent\.effort is high, .*does not let it/);
});

check('the cost that an agent tells is shown, and nothing is counted', async ({talk}) => {
  await using conversation = talk([[{say: 'costly', tokens: 2_000_000}]]);
  await conversation.session.start(null);
  assert.equal(await conversation.turn('Work.'), null);
  const {is_measured: isMeasured, usage} = conversation.progress.measured;
  assert.deepEqual([isMeasured, usage.total_tokens], [false, 0]);
  const lines = await conversation.transcript();
  assert.ok(lines.some(({ev, text}) => ev === 'notice' && /has cost 2 USD/.test(String(text))));
});

check('a session that is disposed of while it starts leaves no process', async ({talk}) => {
  const conversation = talk([[]], {preset: 'opencode', trust_repository: false});
  const starting = failure(conversation.session.start(null));
  await conversation[Symbol.asyncDispose]();
  assert.notEqual(await starting, null);
  assert.deepEqual(conversation.leftProcesses(), []);
});

check('what a helper of the agent says is life, and is not shown', async ({talk}) => {
  const says = (sessionUpdate: string) => ({
    notify: 'session/update',
    params: {
      sessionId: 'helper',
      update: {sessionUpdate, messageId: 'm', content: {type: 'text', text: 'from a helper'}},
    },
  });
  const turn = [says('agent_message_chunk'), says('usage_update'), {say: 'mine', tokens: 0}];
  await using conversation = talk([turn]);
  await conversation.session.start(null);
  assert.equal(await conversation.turn('Work.'), null);
  const {messages, signs_of_life: life, message} = conversation.told();
  assert.deepEqual([message, messages - life], ['mine', 1], 'the usage of a helper is no life');
  const lines = await conversation.transcript();
  assert.deepEqual(
    lines.filter(({ev, text}) => ev === 'message' && text !== undefined).map(({text}) => text),
    ['mine'],
  );
});

check('an agent that ended between two turns fails the next one', async ({talk}) => {
  await using conversation = talk([[{say: 'one', tokens: 0}]]);
  await conversation.session.start(null);
  assert.equal(await conversation.turn('Work.'), null);
  const [pid = 0] = conversation.processes;
  process.kill(pid, 'SIGKILL');
  await until(async () => (conversation.leftProcesses().length === 0 ? true : null));
  assert.equal((await conversation.turn('Go on.'))?.failure.code, 'port_exit');
});
