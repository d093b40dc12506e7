import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {text} from 'node:stream/consumers';
import {fileURLToPath} from 'node:url';

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

type Bin = 'symphony-runner';

export function binOf(name: Bin): string {
  return fileURLToPath(new URL(`../../packages/orchestrator/bin/${name}.js`, import.meta.url));
}

const EMPTY_HOME = fileURLToPath(new URL('./empty-home', import.meta.url));

/** Runs one of our commands as a user would, and waits for its end. */
export async function command(
  bin: Bin,
  args: readonly string[],
  options: {cwd: string; env?: Record<string, string>},
): Promise<Finished> {
  const child = spawn(process.execPath, [binOf(bin), ...args], {
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
