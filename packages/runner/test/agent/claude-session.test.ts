import assert from 'node:assert/strict';
import {test} from 'node:test';
import {fileURLToPath} from 'node:url';
import type {AgentJobOf} from '@symphony-supervisor/protocol';
import {aFolder} from '../../../../test/rig/fixtures/folder.ts';
import {claude} from '../../src/agent/claude/agent.ts';
import {type Conversation, converseWith} from './contract/conversation.ts';
import {placeIn} from './contract/surroundings.ts';

// What only Claude Code does, told by the scripted agent.

const SCRIPTED = fileURLToPath(
  new URL('../../../../scripts/dist/scripted-agent.js', import.meta.url),
);

type Fields = Partial<AgentJobOf<'claude'>>;

async function play(
  steps: unknown[],
  act: (conversation: Conversation) => Promise<void>,
  fields: Fields = {},
): Promise<void> {
  await using folder = await aFolder();
  const place = placeIn(folder.path);
  const script = JSON.stringify([steps]).replaceAll("'", `'\\''`);
  const options = `--protocol claude --home '${place.home}' --script-json '${script}'`;
  const job: AgentJobOf<'claude'> = {
    ...{kind: 'claude', permission_mode: 'acceptEdits', allowed_tools: [], disallowed_tools: []},
    ...{on_permission: 'deny', sandbox: 'off', max_retries: 1},
    ...{model: null, effort: null, access: 'write'},
    ...{turn_timeout_ms: 60_000, read_timeout_ms: 30_000},
    command: `exec '${process.execPath}' '${SCRIPTED}' ${options}`,
    ...fields,
  };
  await using conversation = converseWith(claude, job, place);
  await conversation.session.start(null);
  await act(conversation);
}

test('retries of a request to the model are notices, and keep no turn alive', async () => {
  const steps = [{retrying: 100, every_ms: 100}, {say: 'at last'}];
  await play(
    steps,
    async (conversation) => {
      assert.equal((await conversation.turn('Work.'))?.failure.code, 'turn_timeout');
      const {signs_of_life: alive, messages} = conversation.told();
      assert.ok(messages > alive, 'they were heard');
      const lines = await conversation.transcript();
      assert.ok(lines.some(({ev, text}) => ev === 'notice' && /retry 1 of 100/.test(String(text))));
    },
    {turn_timeout_ms: 1000},
  );
});

test('a run does not go on without its tools', async () => {
  const servers = [{name: 'symphony', status: 'failed'}];
  const init = {notify: 'system', params: {subtype: 'init', mcp_servers: servers}};
  await play([init, 'hang'], async (conversation) => {
    const failure = await conversation.turn('Work.');
    assert.equal(failure?.failure.code, 'agent_incompatible');
    assert.match(failure?.message ?? '', /without our tools \(their server is failed\)/);
  });
});

test('the result of another turn ends none of ours', async () => {
  const result = {subtype: 'success', is_error: false, terminal_reason: 'completed'};
  const theirs = [
    {...result, origin: {kind: 'task-notification'}},
    {...result, user_message_uuids: ['of another message']},
    {...result, queued_turn_count: 1},
  ];
  const steps = theirs.map((params) => ({notify: 'result', params}));
  await play([...steps, {sleep: 200}, {say: 'ours'}], async (conversation) => {
    assert.equal(await conversation.turn('Work.'), null);
    assert.equal(conversation.told().message, 'ours');
  });
});

test('every request is answered, an unknown one by an error', async () => {
  const steps = [{request: 'future_question', params: {deep: [null]}}, {say: 'so be it'}];
  await play(steps, async (conversation) => {
    assert.equal(await conversation.turn('Work.'), null);
    const sent = (await conversation.transcript()).filter(({dir}) => dir === '->');
    assert.match(JSON.stringify(sent), /"subtype":"error".*there is no future_question here/);
  });
});

test('a permission is refused and the turn goes on, or it is a question', async () => {
  const steps = [{run: 'touch made', ask: 'It is outside.'}, {say: 'then not'}];
  await play(steps, async (conversation) => {
    assert.equal(await conversation.turn('Work.'), null);
    assert.equal(conversation.told().message, 'then not');
    const lines = await conversation.transcript();
    const refused = 'refused: May I use Bash: touch made\nIt is outside.';
    assert.ok(lines.some(({ev, text}) => ev === 'notice' && text === refused));
  });
  await play(
    steps,
    async (conversation) => {
      const failure = await conversation.turn('Work.');
      assert.equal(failure?.failure.code, 'turn_input_required');
      assert.equal(failure?.message, 'May I use Bash: touch made\nIt is outside.');
    },
    {on_permission: 'ask'},
  );
});

test('a question is kept with its options', async () => {
  const steps = [{question: 'Which colour?', options: ['Red', 'Blue']}];
  await play(steps, async (conversation) => {
    const failure = await conversation.turn('Paint.');
    assert.equal(failure?.message, 'Which colour?\n- Red\n- Blue');
    const question = (await conversation.transcript()).find(({ev}) => ev === 'question');
    assert.deepEqual(question?.options, ['Red', 'Blue']);
  });
});

test('limits of the account are reported', async () => {
  await play([{rate_limits: {primary: 13, secondary: 40}}], async (conversation) => {
    assert.equal(await conversation.turn('Work.'), null);
    const windows = conversation.told().rate_limits?.windows ?? [];
    assert.deepEqual(
      windows.map(({name, used_percent}) => [name, used_percent]),
      [
        ['five_hour', 13],
        ['seven_day', 40],
      ],
    );
  });
});
