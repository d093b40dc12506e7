import type {Readable} from 'node:stream';
import {Tail} from '@symphony-supervisor/protocol';

/** Enough for a stack trace and the lines before it. */
const LIMIT_BYTES = 64 * 1024;

/** Drains streams, so that their writer never blocks, and keeps the end. */
export class OutputTail {
  readonly #tail = new Tail(LIMIT_BYTES);

  drain(stream: Readable | null | undefined): void {
    stream?.on('data', (chunk: Buffer) => this.#tail.push(chunk));
    // A broken pipe is the end of a process, which is reported elsewhere.
    stream?.on('error', () => {});
  }

  text(): string {
    return this.#tail.text().trim();
  }
}
