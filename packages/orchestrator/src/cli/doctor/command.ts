import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {Tail} from '@symphony-supervisor/protocol';
import {endProcesses, identify} from '@symphony-supervisor/protocol/processes';

export interface Outcome {
  readonly ok: boolean;
  /** The last of what it said, on both outputs. */
  readonly said: string;
  readonly tookMs: number;
}

const SAID_BYTES = 2000;
/** Between SIGTERM and SIGKILL: what is tried may hold a lock. */
const GRACE_MS = 2000;

/** Runs something that ought to be quick; whatever is wrong with it is an answer. */
export async function tryCommand(
  command: string,
  args: readonly string[],
  limitMs: number,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<Outcome> {
  const said = new Tail(SAID_BYTES);
  const begunAt = performance.now();
  // In a session of its own: nothing can ask a question on our terminal, and all of it can be ended.
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

/** Also what its first process has left behind: that holds the output open. */
async function endGroup(pid: number | undefined): Promise<void> {
  const root = pid === undefined ? null : identify(pid);
  if (root !== null) await endProcesses({roots: [root], markers: [], except: []}, GRACE_MS);
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // All of it has ended.
  }
}
