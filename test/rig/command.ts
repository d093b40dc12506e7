import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {text} from 'node:stream/consumers';
import {fileURLToPath} from 'node:url';

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const EMPTY_HOME = fileURLToPath(new URL('./empty-home', import.meta.url));

/** Runs one of our commands as a user would, and waits for its end. */
export async function command(
  bin: 'symphony-runner',
  args: readonly string[],
  options: {cwd: string; env?: Record<string, string>},
): Promise<Finished> {
  const path = fileURLToPath(new URL(`../../node_modules/.bin/${bin}`, import.meta.url));
  const child = spawn(path, args, {
    cwd: options.cwd,
    env: {...process.env, HOME: EMPTY_HOME, ...options.env},
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return {code, stdout, stderr};
}
