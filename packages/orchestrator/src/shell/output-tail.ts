import type {Readable} from 'node:stream';

/** Enough for a stack trace and what led to it. */
const LIMIT_BYTES = 64 * 1024;

/** Reads streams, so that whoever writes to them never waits, and remembers the last of it. */
export class OutputTail {
  #bytes: Buffer = Buffer.alloc(0);
  #isCut = false;

  drain(stream: Readable | null | undefined): void {
    stream?.on('data', (chunk: Buffer) => this.#push(chunk));
    // A pipe that breaks is the end of a process, which is told elsewhere.
    stream?.on('error', () => {});
  }

  text(): string {
    const text = this.#bytes.toString('utf8').trim();
    // Half a word may be half a secret, which no mask would recognize.
    return this.#isCut ? text.replace(/^\S*\s/, '') : text;
  }

  #push(chunk: Buffer): void {
    const all = Buffer.concat([this.#bytes, chunk]);
    this.#isCut ||= all.length > LIMIT_BYTES;
    // Copied, so that a few bytes do not keep a large chunk alive.
    this.#bytes = Buffer.from(all.subarray(Math.max(0, all.length - LIMIT_BYTES)));
  }
}
