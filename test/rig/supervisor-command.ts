import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {text} from 'node:stream/consumers';
import {fileURLToPath} from 'node:url';
import type {Finished} from './command.ts';

export const SUPERVISOR_BIN = fileURLToPath(
  new URL('../../packages/orchestrator/bin/symphony-supervisor.js', import.meta.url),
);
const EMPTY_HOME = fileURLToPath(new URL('./empty-home', import.meta.url));

interface Where {
  readonly cwd: string;
  readonly env?: Record<string, string>;
  /** Options of Node itself. */
  readonly node?: readonly string[];
}

/** Runs a command of the supervisor as a user would, and waits for its end. */
export async function supervisorCommand(args: readonly string[], where: Where): Promise<Finished> {
  const child = startSupervisorCommand(args, where);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return {code, stdout, stderr};
}

export function startSupervisorCommand(args: readonly string[], where: Where) {
  return spawn(process.execPath, [...(where.node ?? []), SUPERVISOR_BIN, ...args], {
    cwd: where.cwd,
    env: {...process.env, HOME: EMPTY_HOME, ...where.env},
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}
