import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {Tail} from '@symphony-supervisor/protocol';
import {endProcesses, identify} from '@symphony-supervisor/protocol/processes';

export interface Outcome {
  readonly ok: boolean;
  /** The end of its output, stdout and stderr. */
  readonly said: string;
  readonly tookMs: number;
}

const SAID_BYTES = 2000;
/** Between SIGTERM and SIGKILL: the command may hold a lock. */
const GRACE_MS = 2000;

/** Runs a command that should be quick; every failure is a result. */
export async function tryCommand(
  command: string,
  args: readonly string[],
  limitMs: number,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<Outcome> {
  const said = new Tail(SAID_BYTES);
  const begunAt = performance.now();
  // In a session of its own, so that it cannot prompt on our terminal and can be ended as a whole.
  const child = spawn(command, args, {env, stdio: ['ignore', 'pipe', 'pipe'], detached: true});
  let ending: Promise<void> | null = null;
  const timer = setTimeout(() => {
    ending = endGroup(child.pid);
  }, limitMs);
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => said.push(chunk));
  }
  try {
    const [code] = await once(child, 'close');
    if (ending !== null) said.push(Buffer.from(` no end after ${limitMs / 1000} s`));
    return {
      ok: code === 0 && ending === null,
      said: said.text().trim(),
      tookMs: performance.now() - begunAt,
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return {ok: false, said: reason, tookMs: performance.now() - begunAt};
  } finally {
    clearTimeout(timer);
    await ending;
  }
}

/** Includes processes that its first one left behind and that hold the output open. */
async function endGroup(pid: number | undefined): Promise<void> {
  const root = pid === undefined ? null : identify(pid);
  if (root !== null) await endProcesses({roots: [root], markers: [], except: []}, GRACE_MS);
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // All of its processes have ended.
  }
}
