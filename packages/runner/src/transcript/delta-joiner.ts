import {StringDecoder} from 'node:string_decoder';
import {asText} from './as-text.ts';

/** Enough for a separate line. */
const JOIN_CHARACTERS = 16 * 1024;
/** No secret is longer; an endless word is cut there. */
const LONGEST_WORD = 4 * 1024;

/** A streamed text, identified by its kind and its item. */
export interface Stream {
  readonly name: string | null;
  readonly itemId: unknown;
  /** Fields of a transcript line with this text, without its braces. */
  readonly fieldsOf: (text: string) => string;
}

interface Open extends Stream {
  readonly key: string;
  text: string;
}

/**
 * Joins streamed chunks of text, one stream per item, into fewer and larger ones. While a stream continues,
 * its last word is held back: it may be the first half of a secret that must be masked.
 */
export class DeltaJoiner {
  readonly #emit: (fields: string) => void;
  readonly #open = new Map<string, Open>();
  readonly #decoders = new Map<string, StringDecoder>();
  /** The stream of the last chunk, and nearly always of the next one. */
  #latest: Open | null = null;

  /** `emit` gets the fields of a transcript line, without its braces. */
  constructor(emit: (fields: string) => void) {
    this.#emit = emit;
  }

  /** Takes a chunk of text; in one stream the first caller's `fieldsOf` is used. */
  take({name, itemId, fieldsOf}: Stream, delta: string): void {
    let open = this.#latest;
    if (open === null || open.itemId !== itemId || open.name !== name) {
      open = this.#find({key: `${name} ${asText(itemId)}`, name, itemId, fieldsOf, text: ''});
      this.#latest = open;
    }
    this.#append(open, delta);
  }

  /** Bytes of a pipe, which may end in the middle of a character. */
  takeOutput(source: string, chunk: Buffer): void {
    const decoder = this.#decoders.get(source) ?? new StringDecoder('utf8');
    this.#decoders.set(source, decoder);
    const fieldsOf = (text: string) => JSON.stringify({ev: 'output', source, text}).slice(1, -1);
    const key = `output ${source}`;
    const open = this.#find({key, name: null, itemId: null, fieldsOf, text: ''});
    this.#append(open, decoder.write(chunk));
  }

  /** An item that has ended will add nothing to its last word. */
  flushItem(itemId: unknown): void {
    for (const open of this.#open.values()) {
      if (open.itemId === itemId) this.#flushOne(open, true);
    }
  }

  /** Everything but unfinished words. */
  flushWords(): void {
    for (const open of this.#open.values()) this.#flushOne(open, false);
  }

  flush(): void {
    for (const open of this.#open.values()) this.#flushOne(open, true);
  }

  /** The open stream with this key, or the given one, which is then opened. */
  #find(fresh: Open): Open {
    const open = this.#open.get(fresh.key);
    if (open !== undefined) return open;
    this.#open.set(fresh.key, fresh);
    return fresh;
  }

  #append(open: Open, text: string): void {
    open.text += text;
    if (open.text.length > JOIN_CHARACTERS) this.#flushOne(open, false);
  }

  #flushOne(open: Open, whole: boolean): void {
    const cut = whole ? open.text.length : endOfLastWord(open.text);
    const ready = open.text.slice(0, cut);
    if (cut === open.text.length) {
      this.#open.delete(open.key);
      if (this.#latest === open) this.#latest = null;
    } else open.text = open.text.slice(cut);
    if (ready !== '') this.#emit(open.fieldsOf(ready));
  }
}

function endOfLastWord(text: string): number {
  let end = text.length;
  while (end > 0 && text.charAt(end - 1).trim() !== '') end--;
  return text.length - end > LONGEST_WORD ? text.length : end;
}
