import {closeSync, fstatSync, mkdirSync, openSync, renameSync, writeSync} from 'node:fs';
import {dirname} from 'node:path';

export interface RotatingFileOptions {
  readonly path: string;
  readonly maxBytes?: number;
  /** Older files beside the current one: `<path>.1` is the newest of them. */
  readonly keep?: number;
  /** Called when writing starts to fail and when it works again; not for each line. */
  readonly onTrouble?: (trouble: FileTrouble) => void;
  readonly now?: () => number;
}

export type FileTrouble =
  | {readonly is: 'failing'; readonly reason: string}
  | {readonly is: 'working-again'; readonly dropped: number};

const MAX_BYTES = 10 * 1024 * 1024;
const KEEP = 5;
/** A full disk stays full for a while: no retry with every line. */
const RETRY_MS = 1000;
/** Logs contain titles and paths of the user's work. */
const OWNER_ONLY_FILE = 0o600;

/**
 * A log file with a bounded size that never blocks the service: a line that cannot be written is
 * dropped and counted; nothing is buffered and nothing is thrown. Writes are synchronous: lines are
 * few (runners write what agents stream to transcripts), the last ones before a crash are on disk,
 * and no queue can grow.
 */
export class RotatingFile implements Disposable {
  readonly #options: RotatingFileOptions;
  readonly #maxBytes: number;
  readonly #keep: number;
  readonly #now: () => number;
  #fd: number | null = null;
  #bytes = 0;
  /** After a partial write the next line must start on a new line. */
  #isMidLine = false;
  #dropped = 0;
  #retryAt = Number.NEGATIVE_INFINITY;

  constructor(options: RotatingFileOptions) {
    this.#options = options;
    this.#maxBytes = options.maxBytes ?? MAX_BYTES;
    this.#keep = options.keep ?? KEEP;
    this.#now = options.now ?? (() => performance.now());
  }

  /** Lines lost since writing started to fail. */
  get dropped(): number {
    return this.#dropped;
  }

  write(line: string): void {
    if (this.#dropped > 0 && this.#now() < this.#retryAt) {
      this.#dropped++;
      return;
    }
    try {
      this.#append(Buffer.from(line));
    } catch (error) {
      this.#fail(error);
      return;
    }
    if (this.#dropped === 0) return;
    const dropped = this.#dropped;
    this.#dropped = 0;
    this.#options.onTrouble?.({is: 'working-again', dropped});
  }

  [Symbol.dispose](): void {
    this.#close();
  }

  #append(line: Buffer): void {
    if (this.#fd === null) this.#open();
    if (this.#bytes > 0 && this.#bytes + line.length > this.#maxBytes) this.#rotate();
    const bytes = this.#isMidLine ? Buffer.concat([Buffer.from('\n'), line]) : line;
    const written = writeSync(this.#fd ?? -1, bytes);
    this.#bytes += written;
    this.#isMidLine = written < bytes.length;
    if (this.#isMidLine) throw new Error(`only ${written} of ${bytes.length} bytes were written`);
  }

  #open(): void {
    const {path} = this.#options;
    mkdirSync(dirname(path), {recursive: true, mode: 0o700});
    this.#fd = openSync(path, 'a', OWNER_ONLY_FILE);
    this.#bytes = fstatSync(this.#fd).size;
  }

  #rotate(): void {
    const {path} = this.#options;
    this.#close();
    for (let number = this.#keep - 1; number >= 0; number--) {
      try {
        renameSync(number === 0 ? path : `${path}.${number}`, `${path}.${number + 1}`);
      } catch {
        // The file does not exist yet; a file that cannot be renamed is appended to.
      }
    }
    this.#open();
  }

  #fail(error: unknown): void {
    this.#close();
    this.#retryAt = this.#now() + RETRY_MS;
    this.#dropped++;
    if (this.#dropped > 1) return;
    const reason = error instanceof Error ? error.message : String(error);
    this.#options.onTrouble?.({is: 'failing', reason});
  }

  #close(): void {
    if (this.#fd === null) return;
    const fd = this.#fd;
    this.#fd = null;
    try {
      closeSync(fd);
    } catch {
      // Some file systems report the last error on close; there is nothing left to do about it.
    }
  }
}
