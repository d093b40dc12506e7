import {createHash} from 'node:crypto';
import {type FSWatcher, watch} from 'node:fs';
import {readFile, stat} from 'node:fs/promises';
import {basename, dirname} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {
  readWorkflow,
  type WorkflowContext,
  type WorkflowReading,
} from '@symphony-supervisor/protocol/workflow';

/** Saving a file is several events. */
const GATHER_MS = 100;
/** A file that has not changed for this long is no longer being written. */
const REST_MS = 50;
/** One that never rests is read all the same. */
const MAX_LOOKS = 20;
/** No workflow is larger; a larger file is reported without reading it each time. */
const MAX_DIGEST_BYTES = 1_000_000;

/**
 * Tells when a workflow file has other content than before, good or bad; the caller keeps the last good
 * one. A watch can be lost without a word (its folder was replaced, the system has none left), so
 * a caller that must be sure calls `check`, as every tick does. The first check reports what exists.
 */
export class WorkflowWatch implements AsyncDisposable {
  readonly #path: string;
  readonly #context: WorkflowContext;
  readonly #onChange: (reading: WorkflowReading) => void;
  #watcher: FSWatcher | null = null;
  #gathering: NodeJS.Timeout | null = null;
  #known: string | null = null;
  #lastLook: Promise<void> = Promise.resolve();
  #isDisposed = false;

  constructor(
    path: string,
    context: WorkflowContext,
    onChange: (reading: WorkflowReading) => void,
  ) {
    this.#path = path;
    this.#context = context;
    this.#onChange = onChange;
    this.#attach();
  }

  /** Resolves when all is told that was in the file at the time of the call. */
  check(): Promise<void> {
    if (this.#watcher === null) this.#attach();
    // One after the other; a look that has begun may have missed what this one is for.
    const look = this.#lastLook.then(() => this.#look());
    this.#lastLook = look.catch(() => {});
    return look;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true;
    clearTimeout(this.#gathering ?? undefined);
    this.#watcher?.close();
    await this.#lastLook;
  }

  async #look(): Promise<void> {
    let found = await fingerprint(this.#path);
    if (this.#isDisposed || found === this.#known) return;
    if (this.#known !== null) found = await this.#atRest(found);
    if (this.#isDisposed || found === this.#known) return;
    // A change between fingerprint and reading is read twice; the other way round it would be missed.
    const reading = await readWorkflow(this.#path, this.#context);
    // The missing file can appear without a change of this one, so every check reads it again.
    this.#known = isWaiting(reading) ? null : found;
    if (!this.#isDisposed) this.#onChange(reading);
  }

  /** Half a file may be a good one, only with fewer settings. */
  async #atRest(first: string): Promise<string> {
    let last = first;
    for (let looks = 0; looks < MAX_LOOKS; looks++) {
      await sleep(REST_MS);
      const found = await fingerprint(this.#path);
      if (found === last) break;
      last = found;
    }
    return last;
  }

  /** The folder, not the file: many editors put a new file in the place of the old. */
  #attach(): void {
    if (this.#isDisposed) return;
    const name = basename(this.#path);
    try {
      const watcher = watch(dirname(this.#path), (_event, changed) => {
        if (changed === null || changed === name) this.#gather();
      });
      watcher.on('error', () => {
        watcher.close();
        this.#watcher = null;
      });
      this.#watcher = watcher;
    } catch {
      // No such folder, or no watches left: then changes are found by checks only.
    }
  }

  #gather(): void {
    if (this.#isDisposed) return;
    this.#gathering ??= setTimeout(() => {
      this.#gathering = null;
      void this.check();
    }, GATHER_MS);
  }
}

/** Whether the file that should hold a secret is missing or empty. */
function isWaiting(reading: WorkflowReading): boolean {
  return !reading.ok && reading.errors.some(({code}) => code === 'missing_secret');
}

/** Equal for equal content. */
async function fingerprint(path: string): Promise<string> {
  try {
    const stats = await stat(path);
    if (!stats.isFile()) return 'not a file';
    if (stats.size > MAX_DIGEST_BYTES) return `${stats.size} bytes of ${stats.mtimeMs}`;
    return createHash('sha256')
      .update(await readFile(path))
      .digest('hex');
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  }
}
