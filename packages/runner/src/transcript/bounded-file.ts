import {closeSync, fstatSync, openSync, readSync, renameSync, rmSync, writeSync} from 'node:fs';

/** Beside the file while its middle is removed; one that a crash left behind is useless. */
const NEW = '.new';
const NEWLINE = 0x0a;

/**
 * A file of lines that never grows beyond a limit: of a longer one the first and the last quarter of the
 * limit are kept, and a line between them has the number of missing bytes. The file is replaced as a
 * whole, so a crash leaves the old or the new one.
 */
export class BoundedFile implements Disposable {
  readonly #path: string;
  readonly #limit: number;
  readonly #part: number;
  readonly #gapLine: (leftOutBytes: number) => string;
  #fd: number;
  #size: number;
  /** The first lines, which are always kept, end here. */
  #headEnd: number | null = null;
  #leftOut = 0;

  /** `gapLine` is one line with the number of missing bytes. */
  constructor(path: string, limit: number, gapLine: (leftOutBytes: number) => string) {
    this.#path = path;
    this.#limit = limit;
    this.#part = Math.floor(limit / 4);
    this.#gapLine = gapLine;
    this.#fd = openSync(path, 'a+', 0o600);
    this.#size = fstatSync(this.#fd).size;
  }

  /** Whole lines only. */
  append(lines: Buffer): void {
    for (const piece of this.#fitting(lines)) {
      const size = this.#size + piece.length;
      if (size > this.#part) this.#headEnd ??= this.#size;
      if (size > this.#limit) this.#takeOutMiddle(this.#headEnd ?? 0);
      writeAll(this.#fd, piece);
      this.#size += piece.length;
    }
  }

  [Symbol.dispose](): void {
    closeSync(this.#fd);
  }

  /** In chunks of at most a part of the limit. A longer single line is omitted. */
  *#fitting(lines: Buffer): Generator<Buffer> {
    let start = 0;
    let end = 0;
    while (end < lines.length) {
      const newline = lines.indexOf(NEWLINE, end);
      const next = newline < 0 ? lines.length : newline + 1;
      if (next - start > this.#part) {
        if (end > start) yield lines.subarray(start, end);
        start = end;
        if (next - start > this.#part) {
          yield Buffer.from(this.#gapLine(next - start));
          start = next;
        }
      }
      end = next;
    }
    if (end > start) yield lines.subarray(start, end);
  }

  #takeOutMiddle(headEnd: number): void {
    const head = read(this.#fd, 0, headEnd);
    const tail = fromLineStart(
      read(this.#fd, Math.max(headEnd, this.#size - this.#part), this.#size),
    );
    this.#leftOut += this.#size - headEnd - tail.length;
    const kept = Buffer.concat([head, Buffer.from(this.#gapLine(this.#leftOut)), tail]);
    const path = `${this.#path}${NEW}`;
    const fd = openSync(path, 'w+', 0o600);
    try {
      writeAll(fd, kept);
      renameSync(path, this.#path);
    } catch (error) {
      closeSync(fd);
      rmSync(path, {force: true});
      throw error;
    }
    closeSync(this.#fd);
    this.#fd = fd;
    this.#size = kept.length;
  }
}

/** A chunk that was cut out of a file may begin in the middle of a line. */
function fromLineStart(piece: Buffer): Buffer {
  return piece.subarray(piece.indexOf(NEWLINE) + 1);
}

function read(fd: number, from: number, to: number): Buffer {
  const buffer = Buffer.alloc(to - from);
  let done = 0;
  while (done < buffer.length) {
    const bytes = readSync(fd, buffer, done, buffer.length - done, from + done);
    if (bytes === 0) break; // the file was cut by another process
    done += bytes;
  }
  return buffer.subarray(0, done);
}

function writeAll(fd: number, bytes: Buffer): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
}
