import {readFileSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {DatabaseSync} from '@photostructure/sqlite';
import {identify} from '@symphony-supervisor/protocol/processes';
import * as z from 'zod/mini';
import type {Database} from './database.ts';
import {makeLockFile, makeStateDir, OWNER_ONLY_FILE} from './state-dir.ts';
import {resultCode, StoreFailure} from './store-failure.ts';

/** Another supervisor uses this state directory; `holder` is known if it left a note. */
export class AlreadyRunning extends Error {
  override readonly name = 'AlreadyRunning';
  readonly code = 'already_running';
  readonly pid: number | null;
  /** ISO 8601. */
  readonly since: string | null;

  constructor(stateDir: string, holder: Holder | null) {
    const who = holder === null ? '' : ` (process ${holder.pid}, since ${holder.started_at})`;
    super(`another supervisor uses ${stateDir}${who}`);
    this.pid = holder?.pid ?? null;
    this.since = holder?.started_at ?? null;
  }
}

const Holder = z.object({pid: z.int(), started_at: z.string()});
type Holder = z.infer<typeof Holder>;

/** Two processes that start at the same moment may collide briefly; one of them must win. */
const PATIENCE_MS = 500;
const SQLITE_BUSY = 5;

/** A garbage-collected connection drops its lock, so the one in use is always referenced. */
const held = new Set<Database>();

/**
 * One supervisor per state directory. The lock is an open transaction on a database of its own: the
 * operating system releases it with the process, however that ends. Nothing else in this process
 * may open `lock.db`: closing any descriptor of a file releases all locks that the process has on
 * it.
 */
export class InstanceLock implements AsyncDisposable {
  readonly #db: Database;
  readonly #note: string;

  private constructor(db: Database, note: string) {
    this.#db = db;
    this.#note = note;
    held.add(db);
  }

  static take(stateDir: string, self: {pid: number; startedAt: Date}): InstanceLock {
    makeStateDir(stateDir);
    const note = join(stateDir, 'lock.json');
    const db = lockDatabase(stateDir, note);
    const lock = new InstanceLock(db, note);
    try {
      const holder: Holder = {pid: self.pid, started_at: self.startedAt.toISOString()};
      writeFileSync(`${note}.new`, `${JSON.stringify(holder)}\n`, {mode: OWNER_ONLY_FILE});
      renameSync(`${note}.new`, note);
    } catch {
      // The note is informational; the lock works without it, on a full disk, too.
    }
    return lock;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!held.delete(this.#db)) return;
    rmSync(this.#note, {force: true});
    this.#db.exec('ROLLBACK');
    this.#db.close();
  }
}

function lockDatabase(stateDir: string, note: string): Database {
  const path = join(stateDir, 'lock.db');
  let db: Database | null = null;
  try {
    makeLockFile(path);
    db = new DatabaseSync(path, {timeout: PATIENCE_MS});
    db.exec('BEGIN EXCLUSIVE');
    return db;
  } catch (error) {
    db?.close();
    if (((resultCode(error) ?? 0) & 0xff) === SQLITE_BUSY) {
      throw new AlreadyRunning(stateDir, readHolder(note));
    }
    throw StoreFailure.from(error, `${path} cannot be locked`);
  }
}

/**
 * A note of a dead process belongs to a former holder: the present one has not written its own yet.
 */
function readHolder(note: string): Holder | null {
  try {
    const holder = Holder.parse(JSON.parse(readFileSync(note, 'utf8')));
    return identify(holder.pid) === null ? null : holder;
  } catch {
    return null;
  }
}
