import {RunFailure} from '@symphony-supervisor/protocol';
import {identify, isAlive} from '@symphony-supervisor/protocol/processes';
import * as z from 'zod/mini';
import {link, readRegularText, removeFile, rename, writeFile} from '../processes/files.ts';
import {freshId} from '../processes/fresh-id.ts';

/** The holder of a lock. The nonce distinguishes two holdings of the same process. */
const Holder = z.object({
  pid: z.int(),
  startedAt: z.string(),
  runId: z.string(),
  nonce: z.string(),
});
type Holder = z.infer<typeof Holder>;

/**
 * Nothing runs twice in one workspace: not two supervisors, not `symphony-runner`. The lock is a file that
 * names its holder; the lock of a dead holder, by pid and start time, is void.
 */
export async function lockWorkspace(path: string, runId: string): Promise<AsyncDisposable> {
  const self = identify(process.pid);
  if (self === null) throw new Error('this process cannot be identified');
  const holder: Holder = {...self, runId, nonce: freshId()};
  const busyWith = await acquire(path, holder);
  if (busyWith !== null) {
    throw new RunFailure(
      'workspace_busy',
      `process ${busyWith.pid} (run ${busyWith.runId}) works in this workspace`,
    );
  }
  return {
    [Symbol.asyncDispose]: async () => {
      if ((await read(path))?.nonce === holder.nonce) await removeFile(path).catch(() => {});
    },
  };
}

/** null when acquired, else the live holder. */
async function acquire(path: string, holder: Holder): Promise<Holder | null> {
  for (;;) {
    if (await create(path, holder)) return null;
    const current = await read(path);
    if (current === null) continue; // released in between
    if (isAlive(current)) return current;

    // The holder is dead. Only one process may replace its file, or the second would replace the first one's
    // live lock: so each dead holding has a lock of its own, and under that lock the file is read
    // once more.
    const succession = `${path}.${current.nonce}`;
    const rival = await acquire(succession, holder);
    if (rival !== null) return rival;
    try {
      if ((await read(path))?.nonce !== current.nonce) continue;
      await replace(path, holder);
      return null;
    } finally {
      await removeFile(succession).catch(() => {});
    }
  }
}

/** By link, so that the file has its content from the first moment on. */
async function create(path: string, holder: Holder): Promise<boolean> {
  return withDraft(path, holder, async (draft) => {
    try {
      await link(draft, path);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw error;
    }
  });
}

async function replace(path: string, holder: Holder): Promise<void> {
  await withDraft(path, holder, (draft) => rename(draft, path));
}

async function withDraft<T>(
  path: string,
  holder: Holder,
  use: (draft: string) => Promise<T>,
): Promise<T> {
  const draft = `${path}.${freshId()}.draft`;
  await writeFile(draft, JSON.stringify(holder), 0o600);
  try {
    return await use(draft);
  } finally {
    await removeFile(draft).catch(() => {});
  }
}

const UNREADABLE: Holder = {pid: -1, startedAt: '', runId: 'unknown', nonce: 'unreadable'};

async function read(path: string): Promise<Holder | null> {
  const text = await readRegularText(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return null;
  try {
    return Holder.parse(JSON.parse(text));
  } catch {
    // Lock files are never half written, so this one is damaged and has no holder.
    return UNREADABLE;
  }
}
