import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {test} from 'node:test';
import {Ajv2020} from 'ajv/dist/2020.js';
import {acp} from '../../packages/runner/src/agent/acp/agent.ts';
import {type AcpJob, playing} from '../../packages/runner/test/agent/acp/player.ts';
import {
  type Conversation,
  converseWith,
} from '../../packages/runner/test/agent/contract/conversation.ts';
import {placeIn} from '../../packages/runner/test/agent/contract/surroundings.ts';
import {aFolder} from '../rig/fixtures/folder.ts';

// What we say to an agent, held against the schema that the authors of the protocol publish.

interface Definition {
  readonly 'x-method'?: string;
  readonly 'x-side'?: 'agent' | 'client';
}

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
}

const path = createRequire(import.meta.url).resolve(
  '@agentclientprotocol/sdk/schema/v1/schema.json',
);
const schema: {$defs: Record<string, Definition>} = JSON.parse(readFileSync(path, 'utf8'));
const ajv = new Ajv2020({strict: false, validateFormats: false, allErrors: true});
ajv.addSchema({...schema, anyOf: undefined, $id: 'acp'});

/** By method, `agent` for what we send to the agent, `client` for what we answer. */
function definitionOf(method: string, side: 'agent' | 'client', ends: RegExp): string {
  const found = Object.entries(schema.$defs).find(
    ([name, def]) => def['x-method'] === method && def['x-side'] === side && ends.test(name),
  );
  assert.ok(found !== undefined, `the protocol has no ${method}`);
  return found[0];
}

function assertValid(definition: string, value: unknown): void {
  const validate = ajv.getSchema(`acp#/$defs/${definition}`);
  assert.ok(validate !== undefined, definition);
  assert.ok(
    validate(value),
    `${definition}: ${ajv.errorsText(validate.errors)}\n${JSON.stringify(value)}`,
  );
}

/** Checks all that we said, and returns what it was. */
async function assertSpoken(conversation: Conversation): Promise<string[]> {
  const asked = new Map<unknown, string>();
  const spoken: string[] = [];
  for (const {dir, msg} of await conversation.transcript()) {
    const {id, method, params, result} = (msg ?? {}) as Message;
    if (dir === '<-' && method !== undefined && id !== undefined) asked.set(id, method);
    if (dir !== '->') continue;
    if (method !== undefined) {
      assertValid(definitionOf(method, 'agent', /(Request|Notification)$/), params);
      spoken.push(method);
    } else if (result !== undefined) {
      const answered = asked.get(id) ?? '';
      assertValid(definitionOf(answered, 'client', /Response$/), result);
      spoken.push(`answer to ${answered}`);
    }
  }
  return spoken;
}

test('all that we say to an agent is in the words of the protocol', async () => {
  await using folder = await aFolder();
  const place = placeIn(folder.path);
  const talk = (turns: readonly unknown[], fields: Partial<AcpJob>, ...args: string[]) =>
    converseWith(acp, {...playing(place.home, turns, ...args), ...fields}, place);
  const spoken: string[] = [];

  const run = {run: 'true', ask: true, tokens: 0};
  await using first = talk([[run], [{question: 'Why?'}, 'hang']], {mode: 'plan'});
  await first.session.start(null);
  assert.equal(await first.turn('Work.'), null);
  assert.equal((await first.turn('Ask.'))?.failure.code, 'turn_input_required');
  const recorded = first.record();
  await first[Symbol.asyncDispose]();
  spoken.push(...(await assertSpoken(first)));
  // The schema lets actions of later versions pass.
  const declined = (await first.transcript()).filter(({msg}) => {
    return (
      ((msg as Message | undefined)?.result as {action?: string} | undefined)?.action === 'decline'
    );
  });
  assert.equal(declined.length, 1);

  for (const presetOrArgs of ['resume', 'load'] as const) {
    const args = presetOrArgs === 'load' ? ['--without', 'resume,http'] : [];
    // The fields that a preset adds have to be where the protocol wants them, too.
    await using later = talk(
      [[run, {say: 'on'}]],
      {preset: 'claude-agent-acp', mode: 'build'},
      ...args,
    );
    assert.deepEqual(await later.session.start(recorded), {resumed: true});
    assert.equal(await later.turn('Go on.'), null);
    await later[Symbol.asyncDispose]();
    spoken.push(...(await assertSpoken(later)));
  }

  assert.deepEqual([...new Set(spoken)].toSorted(), [
    'answer to elicitation/create',
    'answer to session/request_permission',
    'initialize',
    'session/cancel',
    'session/load',
    'session/new',
    'session/prompt',
    'session/resume',
    'session/set_config_option',
  ]);
});

test('the schema would tell', () => {
  assert.throws(() => assertValid('NewSessionRequest', {cwd: '/w'}), /mcpServers/);
  const outcome = {outcome: 'chosen', optionId: 'x'};
  assert.throws(() => assertValid('RequestPermissionResponse', {outcome}), /outcome/);
});
