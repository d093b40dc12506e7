import {type BigIntStats, type FSWatcher, readdirSync, statSync, watch} from 'node:fs';
import {basename, join} from 'node:path';
import {isIssueFile} from './folder.ts';

/** Saving a file is several events, a `git pull` hundreds. */
const GATHER_MS = 100;
/** How often we look after the watch itself, and at the files where there can be none. */
const LOOK_MS = 1_000;

/**
 * Tells of changes to the issue files of a folder. A folder that is removed takes its watch with it,
 * silently, and some systems have none to give: so it also looks, from time to time.
 */
export class FolderWatch implements AsyncDisposable {
  readonly #path: string;
  readonly #onChange: () => void;
  readonly #timer: NodeJS.Timeout;
  #watcher: FSWatcher | null = null;
  /** The folder that we watch, or null while there is none. */
  #folder: string | null;
  /** Its files, where we have no watch and must compare. */
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

  /** The watch, not the folder; nobody knows what it missed. */
  #lost(): void {
    this.#detach();
    this.#changed();
  }

  #heard(name: string | null): void {
    // The end of the folder is told under its own name.
    if (name === basename(this.#path)) this.#look();
    if (name === null || isIssueFile(name)) this.#changed();
  }

  #compare(): void {
    const files = fingerprintOf(this.#path);
    if (this.#files !== null && this.#files !== files) this.#changed();
    this.#files = files;
  }

  /** The first of several events sets the time: a folder that never rests is told of all the same. */
  #changed(): void {
    this.#gathering ??= setTimeout(() => {
      this.#gathering = null;
      this.#onChange();
    }, GATHER_MS).unref();
  }
}

/** Inode numbers are used again at once; with the birth time they name one folder only. */
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
