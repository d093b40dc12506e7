import assert from 'node:assert/strict';
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {until} from '../../../../../test/rig/survivors.ts';
import type {Conversation} from './conversation.ts';

/** Takes a turn that does not end, and kills the agent in the middle of it. */
export async function killAgent(
  conversation: Conversation,
  text: string,
  isUnderWay: () => Promise<void>,
): Promise<void> {
  const turn = conversation.turn(text);
  await isUnderWay();
  const pid = conversation.processes.at(-1);
  assert.ok(pid !== undefined, 'there is no process');
  process.kill(pid, 'SIGKILL');
  assert.equal((await turn)?.failure.code, 'port_exit');
}

/** Waits for a file that a command of the agent makes in the workspace. */
export async function made(workspace: string, name: string): Promise<void> {
  const path = join(workspace, name);
  assert.ok(await until(async () => (existsSync(path) ? true : null)), `${name} was never made`);
}
