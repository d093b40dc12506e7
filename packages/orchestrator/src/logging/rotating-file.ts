import {closeSync, fstatSync, mkdirSync, openSync, renameSync, writeSync} from 'node:fs';
import {dirname} from 'node:path';

export interface RotatingFileOptions {
  readonly path: string;
  readonly maxBytes?: number;
  /** Older files beside the current one: `<path>.1` is the newest of them. */
  readonly keep?: number;
  /** Called when writing begins to fail and when it works again; never for each line. */
  readonly onTrouble?: (trouble: FileTrouble) => void;
  readonly now?: () => number;
}

export type FileTrouble =
  | {readonly is: 'failing'; readonly reason: string}
  | {readonly is: 'working-again'; readonly dropped: number};

const MAX_BYTES = 10 * 1024 * 1024;
const KEEP = 5;
/** A disk that is full stays full for a while: no need to ask it with every line. */
const RETRY_MS = 1000;
/** Logs hold titles and paths of other people's work. */
const OWNER_ONLY_FILE = 0o600;

/**
 * A log file that never grows beyond its size and never gets in the way: a line that cannot be written
 * is dropped and counted, nothing is kept for later, and nothing is thrown.
 *
 * Written synchronously. Lines are few (what agents stream goes to transcripts, by the runners), and so
 * the last ones before a crash are there, and there is no queue that could grow.
 */
export class RotatingFile implements Disposable {
  readonly #options: RotatingFileOptions;
  readonly #maxBytes: number;
  readonly #keep: number;
  readonly #now: () => number;
  #fd: number | null = null;
  #bytes = 0;
  /** After a write that was cut short, the next line must not go on in the middle of one. */
  #isMidLine = false;
  #dropped = 0;
  #retryAt = Number.NEGATIVE_INFINITY;

  constructor(options: RotatingFileOptions) {
    this.#options = options;
    this.#maxBytes = options.maxBytes ?? MAX_BYTES;
    this.#keep = options.keep ?? KEEP;
    this.#now = options.now ?? (() => performance.now());
  }

  /** Lines that were lost since writing began to fail. */
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
        // Not there yet; and a file that cannot be moved is written on.
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
      // On some disks the last error comes here; there is nobody left to tell.
    }
  }
}
