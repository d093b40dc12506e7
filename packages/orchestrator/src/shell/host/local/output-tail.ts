import type {Readable} from 'node:stream';
import {Tail} from '@symphony-supervisor/protocol';

/** Enough for a stack trace and what led to it. */
const LIMIT_BYTES = 64 * 1024;

/** Drains streams, so that their writer never blocks, and keeps the end. */
export class OutputTail {
  readonly #tail = new Tail(LIMIT_BYTES);

  drain(stream: Readable | null | undefined): void {
    stream?.on('data', (chunk: Buffer) => this.#tail.push(chunk));
    // A pipe that breaks is the end of a process, which is told elsewhere.
    stream?.on('error', () => {});
  }

  text(): string {
    return this.#tail.text().trim();
  }
}
