import assert from 'node:assert/strict';
import {existsSync} from 'node:fs';
import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import type {AgentJobOf, RunFailure} from '@symphony-supervisor/protocol';
import {acp} from '../../packages/runner/src/agent/acp/agent.ts';
import {converseWith} from '../../packages/runner/test/agent/contract/conversation.ts';
import {placeIn} from '../../packages/runner/test/agent/contract/surroundings.ts';
import {aFolder} from '../rig/fixtures/folder.ts';
import {say, useTool} from '../rig/messages-stub/message-step.ts';
import {MessagesStub} from '../rig/messages-stub/messages-stub.ts';
import {jobOf} from './contract-player.ts';
import {opencodeCommand} from './opencode-home.ts';

async function aScene(fields: Partial<AgentJobOf<'acp'>>) {
  const folder = await aFolder();
  const place = placeIn(folder.path);
  const stub = await MessagesStub.listen();
  const job = {...jobOf(await opencodeCommand(place.home, stub.baseUrl)), ...fields};
  return {
    ...{place, stub, conversation: converseWith(acp, job, place)},
    async [Symbol.asyncDispose]() {
      await this.conversation[Symbol.asyncDispose]();
      await stub[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** A plugin of the repository that leaves a trace. */
async function plant(workspace: string, trace: string): Promise<void> {
  const folder = join(workspace, '.opencode/plugin');
  await mkdir(folder, {recursive: true});
  const plugin = `import {writeFileSync} from 'node:fs';
    writeFileSync(${JSON.stringify(trace)}, 'here');
    export const Plugin = async () => ({});`;
  await writeFile(join(folder, 'trap.js'), plugin);
}

test('a plugin of the repository runs if the repository is trusted, and else nothing does', async () => {
  for (const isTrusted of [false, true]) {
    await using scene = await aScene({trust_repository: isTrusted});
    const {place, stub, conversation} = scene;
    const trace = join(place.folder, 'trace');
    await plant(place.workspace, trace);
    const start = conversation.session.start(null);
    if (isTrusted) {
      await start;
      stub.answers([say('hello')]);
      assert.equal(await conversation.turn('Hello.'), null);
    } else {
      await assert.rejects(start, (error: RunFailure) => {
        return error.failure.code === 'untrusted_repository';
      });
      assert.deepEqual(conversation.processes, []);
    }
    assert.equal(existsSync(trace), isTrusted, 'otherwise this test shows nothing');
  }
});

test('an agent that may only read cannot write, and its turn says so', async () => {
  await using scene = await aScene({access: 'read'});
  const {place, stub, conversation} = scene;
  const filePath = join(place.workspace, 'made');
  stub.answers([useTool('write', {filePath, content: 'x'}), say('made')]);
  await conversation.session.start(null);
  const failure = await conversation.turn('Make it.');
  assert.equal(failure?.failure.code, 'turn_failed');
  assert.match(failure?.message ?? '', /refused: edit .*made \(agent\.access: read\)/);
  assert.equal(existsSync(filePath), false);
});
