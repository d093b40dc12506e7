/** Some pieces of one stream of text, joined. */
export interface Streamed {
  readonly method: string;
  /** Of the first piece; the others differ in nothing but their text. */
  readonly params: Record<string, unknown>;
  readonly text: string;
  /** How many pieces it came in. */
  readonly pieces: number;
}

interface Shape {
  readonly method: string;
  readonly params: Record<string, unknown>;
  readonly before: string;
  readonly after: string;
}

/**
 * Knows a piece of streamed text by the one before it. An agent sends hundreds of them a second, which differ
 * in their text and nothing else; to parse each, and to tell everybody of each, is most of what a run costs.
 */
export class DeltaLines {
  readonly #key: string;
  readonly #onStreamed: (streamed: Streamed) => void;
  #shape: Shape | null = null;
  #text = '';
  #pieces = 0;
  /** A line of another kind was read since the last batch ended. */
  #hasOther = false;

  /** `field` holds the text of a piece. */
  constructor(field: string, onStreamed: (streamed: Streamed) => void) {
    this.#key = `"${field}":"`;
    this.#onStreamed = onStreamed;
  }

  /** Whether the line was another piece of the same stream; the next `flush` reports it. */
  takes(line: string): boolean {
    const text = this.#pieceIn(line);
    if (text === null) {
      this.#hasOther = true;
      return false;
    }
    this.#text += text;
    this.#pieces++;
    return true;
  }

  /** A notification with a piece of text, as it was parsed. */
  learn(method: string, params: Record<string, unknown>, delta: string, line: string): void {
    this.#shape = null;
    const keyAt = line.indexOf(this.#key);
    const textAt = keyAt + this.#key.length;
    // A quote within a text has a backslash before it: what looks like the key is one, and the only one is ours.
    const isLiteral = keyAt >= 0 && keyAt === line.lastIndexOf(this.#key);
    if (isLiteral && line.startsWith(`${delta}"`, textAt)) {
      const [before, after] = [line.slice(0, textAt), line.slice(textAt + delta.length)];
      this.#shape = {method, params, before, after};
    }
    this.#onStreamed({method, params, text: delta, pieces: 1});
  }

  /** Reports all that was taken. */
  flush(): void {
    const [shape, text, pieces] = [this.#shape, this.#text, this.#pieces];
    this.#text = '';
    this.#pieces = 0;
    if (shape === null || pieces === 0) return;
    this.#onStreamed({method: shape.method, params: shape.params, text, pieces});
  }

  /** After all lines that were read together. True: they were pieces of streamed text and nothing else. */
  endBatch(): boolean {
    const isTextOnly = this.#pieces > 0 && !this.#hasOther;
    this.flush();
    this.#hasOther = false;
    return isTextOnly;
  }

  #pieceIn(line: string): string | null {
    const shape = this.#shape;
    if (shape === null) return null;
    const {before, after} = shape;
    if (line.length < before.length + after.length) return null;
    if (!line.startsWith(before) || !line.endsWith(after)) return null;
    const text = line.slice(before.length, -after.length);
    // What ends the text early, or means something else than it says, is for the parser.
    return text.includes('"') || text.includes('\\') ? null : text;
  }
}
