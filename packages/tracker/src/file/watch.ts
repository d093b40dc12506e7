import {type BigIntStats, type FSWatcher, readdirSync, statSync, watch} from 'node:fs';
import {basename, join} from 'node:path';
import {isIssueFile} from './folder.ts';

/** Saving a file causes several events, a `git pull` hundreds. */
const GATHER_MS = 100;
/** How often the watch itself is checked, and the files where no watch is available. */
const LOOK_MS = 1_000;

/**
 * Reports changes to the issue files of a folder. Removing a folder silently ends its watch, and
 * some file systems support none, so the folder is also polled.
 */
export class FolderWatch implements AsyncDisposable {
  readonly #path: string;
  readonly #onChange: () => void;
  readonly #timer: NodeJS.Timeout;
  #watcher: FSWatcher | null = null;
  /** The watched folder, or null while there is none. */
  #folder: string | null;
  /** The files to compare with where no watch is available. */
  #files: string | null = null;
  #gathering: NodeJS.Timeout | null = null;

  constructor(path: string, onChange: () => void) {
    this.#path = path;
    this.#onChange = onChange;
    this.#folder = identityOf(path);
    this.#attach();
    this.#timer = setInterval(() => this.#look(), LOOK_MS).unref();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    clearTimeout(this.#gathering ?? undefined);
    this.#detach();
  }

  #look(): void {
    const folder = identityOf(this.#path);
    if (folder !== this.#folder) {
      this.#detach();
      this.#folder = folder;
      this.#changed();
    }
    if (this.#watcher === null) this.#attach();
  }

  #attach(): void {
    if (this.#folder === null) return;
    try {
      this.#watcher = watch(this.#path, {persistent: false}, (_event, name) => this.#heard(name));
      this.#watcher.on('error', () => this.#lost());
      if (this.#files !== null) this.#compare();
      this.#files = null;
    } catch {
      // No watches left, or none on this file system.
      this.#compare();
    }
  }

  #detach(): void {
    this.#watcher?.close();
    this.#watcher = null;
  }

  /** The watch failed, not the folder; it may have missed events. */
  #lost(): void {
    this.#detach();
    this.#changed();
  }

  #heard(name: string | null): void {
    // The removal of the folder is reported under its own name.
    if (name === basename(this.#path)) this.#look();
    if (name === null || isIssueFile(name)) this.#changed();
  }

  #compare(): void {
    const files = fingerprintOf(this.#path);
    if (this.#files !== null && this.#files !== files) this.#changed();
    this.#files = files;
  }

  /**
   * Debounced from the first event, so that a folder which never rests is reported all the same.
   */
  #changed(): void {
    this.#gathering ??= setTimeout(() => {
      this.#gathering = null;
      this.#onChange();
    }, GATHER_MS).unref();
  }
}

/** Inode numbers are reused at once; together with the birth time they identify one folder. */
function identityOf(path: string): string | null {
  const stat = statIfPossible(path);
  return stat?.isDirectory() ? `${stat.dev}:${stat.ino}:${stat.birthtimeNs}` : null;
}

function statIfPossible(path: string): BigIntStats | undefined {
  try {
    return statSync(path, {bigint: true, throwIfNoEntry: false});
  } catch {
    return undefined;
  }
}

function fingerprintOf(path: string): string {
  return namesIn(path)
    .map((name) => {
      const stat = statIfPossible(join(path, name));
      return `${name}:${stat?.ino}:${stat?.size}:${stat?.mtimeNs}`;
    })
    .join('\n');
}

function namesIn(path: string): string[] {
  try {
    return readdirSync(path).filter(isIssueFile).sort();
  } catch {
    return [];
  }
}
