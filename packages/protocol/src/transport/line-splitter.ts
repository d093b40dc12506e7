/** The longest line that is accepted. Real agents were seen to send 1.2 MB. */
export const MAX_LINE_BYTES = 10 * 1024 * 1024;

const NEWLINE = 0x0a;

/**
 * Splits a byte stream into lines. Of a line beyond the limit only the length is kept, so a sender
 * cannot exhaust memory.
 */
export class LineSplitter {
  readonly #onLine: (line: string) => void;
  readonly #onOversize: (bytes: number) => void;
  readonly #limit: number;
  #chunks: Buffer[] = [];
  #length = 0;

  constructor(
    onLine: (line: string) => void,
    onOversize: (bytes: number) => void,
    limit: number = MAX_LINE_BYTES,
  ) {
    this.#onLine = onLine;
    this.#onOversize = onOversize;
    this.#limit = limit;
  }

  push(chunk: Buffer): void {
    let start = 0;
    // Lines are split one by one only after a partial line or near the limit.
    while (this.#length > 0 || chunk.length - start > this.#limit) {
      const end = chunk.indexOf(NEWLINE, start);
      if (end < 0) return this.#keep(chunk.subarray(start));
      this.#keep(chunk.subarray(start, end));
      this.#finish();
      start = end + 1;
    }
    // All others are decoded together: a newline is never part of another character.
    const end = chunk.lastIndexOf(NEWLINE);
    if (end >= start) {
      for (const line of chunk.toString('utf8', start, end).split('\n')) this.#onLine(chomp(line));
      start = end + 1;
    }
    if (start < chunk.length) this.#keep(chunk.subarray(start));
  }

  /** The unterminated last line, when the stream ends. */
  end(): void {
    if (this.#length > 0) this.#finish();
  }

  #keep(part: Buffer): void {
    this.#length += part.length;
    if (this.#length <= this.#limit) this.#chunks.push(part);
    else this.#chunks = [];
  }

  #finish(): void {
    const [only] = this.#chunks;
    const length = this.#length;
    const bytes =
      this.#chunks.length === 1 && only !== undefined ? only : Buffer.concat(this.#chunks);
    this.#chunks = [];
    this.#length = 0;
    if (length > this.#limit) {
      this.#onOversize(length);
      return;
    }
    this.#onLine(chomp(bytes.toString('utf8')));
  }
}

function chomp(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}
