import {createHash} from 'node:crypto';
import {type FSWatcher, watch} from 'node:fs';
import {readFile, stat} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {isDeepStrictEqual} from 'node:util';
import {
  readWorkflow,
  type WorkflowContext,
  type WorkflowReading,
} from '@symphony-supervisor/protocol/workflow';

/** Saving a file is several events. */
const GATHER_MS = 100;
/** A file that has not changed for this long is no longer being written. */
const REST_MS = 50;
/** A file that keeps changing is read anyway. */
const MAX_LOOKS = 20;
/** No workflow is larger; a larger file is reported without reading it each time. */
const MAX_DIGEST_BYTES = 1_000_000;

/**
 * Reports when a workflow file, or a prompt file that it names, has new content, valid or not; the caller keeps the last
 * valid version. A watch can be lost silently (its folder was replaced, the system has none left), so a caller that must
 * be sure calls `check`, as every tick does. The first check reports what exists.
 */
export class WorkflowWatch implements AsyncDisposable {
  readonly #path: string;
  readonly #context: WorkflowContext;
  readonly #onChange: (reading: WorkflowReading) => void;
  /** By folder. */
  readonly #watchers = new Map<string, FSWatcher>();
  /** What the workflow is made of beside its file. */
  #files: readonly string[] = [];
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

  /** Resolves when everything that was in the file at the time of the call has been reported. */
  check(): Promise<void> {
    this.#attach();
    // In sequence; a check that has begun may have missed the change this one is for.
    const look = this.#lastLook.then(() => this.#look());
    this.#lastLook = look.catch(() => {});
    return look;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true;
    clearTimeout(this.#gathering ?? undefined);
    for (const watcher of this.#watchers.values()) watcher.close();
    await this.#lastLook;
  }

  async #look(): Promise<void> {
    let found = await this.#fingerprint();
    if (this.#isDisposed || found === this.#known) return;
    if (this.#known !== null) found = await this.#atRest(found);
    if (this.#isDisposed || found === this.#known) return;
    // A change between fingerprint and reading is read twice; the other way round it would be missed.
    let reading = await readWorkflow(this.#path, this.#context);
    if (!isDeepStrictEqual(reading.files, this.#files)) {
      this.#files = reading.files;
      this.#attach();
      found = await this.#fingerprint();
      reading = await readWorkflow(this.#path, this.#context);
    }
    // The missing file can appear without a change of this one, so every check reads it again.
    this.#known = isWaiting(reading) ? null : found;
    if (!this.#isDisposed) this.#onChange(reading);
  }

  /** Half a file may be valid, only with fewer settings. */
  async #atRest(first: string): Promise<string> {
    let last = first;
    for (let looks = 0; looks < MAX_LOOKS; looks++) {
      await sleep(REST_MS);
      const found = await this.#fingerprint();
      if (found === last) break;
      last = found;
    }
    return last;
  }

  async #fingerprint(): Promise<string> {
    const parts = await Promise.all([this.#path, ...this.#files].map(fingerprint));
    return parts.join();
  }

  /** Watches the folders, not the files: many editors replace a file with a new one. */
  #attach(): void {
    if (this.#isDisposed) return;
    const folders = new Set([this.#path, ...this.#files].map((path) => dirname(path)));
    for (const [folder, watcher] of this.#watchers) {
      if (folders.has(folder)) continue;
      watcher.close();
      this.#watchers.delete(folder);
    }
    for (const folder of folders) if (!this.#watchers.has(folder)) this.#watch(folder);
  }

  #watch(folder: string): void {
    try {
      const watcher = watch(folder, (_event, changed) => {
        if (changed === null || this.#isOurs(join(folder, changed))) this.#gather();
      });
      watcher.on('error', () => {
        watcher.close();
        this.#watchers.delete(folder);
      });
      this.#watchers.set(folder, watcher);
    } catch {
      // No such folder, or no watches left: then changes are found by checks only.
    }
  }

  #isOurs(changed: string): boolean {
    return [this.#path, ...this.#files].some((path) => join(path) === changed);
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
