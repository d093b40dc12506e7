import {StringDecoder} from 'node:string_decoder';

/** Enough to be worth a line of its own. */
const JOIN_CHARACTERS = 16 * 1024;
/** No secret is longer; an endless word is cut there. */
const LONGEST_WORD = 4 * 1024;

interface Open {
  readonly itemId: unknown;
  readonly toFields: (text: string) => string;
  text: string;
}

/**
 * Joins streamed pieces of text, one stream per item, into fewer and larger ones. While a stream goes
 * on, its last word is held back: it may be the first half of something that must be masked.
 */
export class DeltaJoiner {
  readonly #emit: (fields: string) => void;
  readonly #open = new Map<string, Open>();
  readonly #decoders = new Map<string, StringDecoder>();

  /** `emit` gets the fields of a transcript line, without its braces. */
  constructor(emit: (fields: string) => void) {
    this.#emit = emit;
  }

  /** Takes a notification whose params have a textual `delta`. */
  take(method: string, params: Record<string, unknown>): boolean {
    const {delta, itemId} = params;
    if (typeof delta !== 'string') return false;
    this.#append(`${method} ${String(itemId)}`, itemId, delta, (text) => {
      return `"dir":"<-","msg":${JSON.stringify({method, params: {...params, delta: text}})}`;
    });
    return true;
  }

  /** Bytes of a pipe, which may end in the middle of a character. */
  takeOutput(source: string, chunk: Buffer): void {
    const decoder = this.#decoders.get(source) ?? new StringDecoder('utf8');
    this.#decoders.set(source, decoder);
    this.#append(`output ${source}`, null, decoder.write(chunk), (text) => {
      return JSON.stringify({ev: 'output', source, text}).slice(1, -1);
    });
  }

  /** An item that has ended will add nothing to its last word. */
  flushItem(itemId: unknown): void {
    for (const [key, open] of this.#open) {
      if (open.itemId === itemId) this.#flushOne(key, open, true);
    }
  }

  /** All but the words that have not ended yet. */
  flushWords(): void {
    for (const [key, open] of this.#open) this.#flushOne(key, open, false);
  }

  flush(): void {
    for (const [key, open] of this.#open) this.#flushOne(key, open, true);
  }

  #append(key: string, itemId: unknown, text: string, toFields: Open['toFields']): void {
    const open = this.#open.get(key);
    if (open === undefined) this.#open.set(key, {itemId, toFields, text});
    else {
      open.text += text;
      if (open.text.length > JOIN_CHARACTERS) this.#flushOne(key, open, false);
    }
  }

  #flushOne(key: string, open: Open, whole: boolean): void {
    const cut = whole ? open.text.length : endOfLastWord(open.text);
    const ready = open.text.slice(0, cut);
    if (cut === open.text.length) this.#open.delete(key);
    else open.text = open.text.slice(cut);
    if (ready !== '') this.#emit(open.toFields(ready));
  }
}

function endOfLastWord(text: string): number {
  const space = text.search(/\s\S*$/);
  return text.length - (space + 1) > LONGEST_WORD ? text.length : space + 1;
}
