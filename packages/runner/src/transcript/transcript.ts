import {mkdirSync} from 'node:fs';
import {dirname} from 'node:path';
import type {Mask} from '@symphony-supervisor/protocol';
import {
  type AgentLine,
  isLastOfItem,
  type StreamedItem,
  type TurnLine,
} from '@symphony-supervisor/protocol/transcript';
import {BoundedFile} from './bounded-file.ts';
import {DeltaJoiner} from './delta-joiner.ts';

export interface TranscriptOptions {
  readonly maxBytes: number;
  readonly mask: Mask;
  readonly onTrouble: (message: string) => void;
  /** The kind of agent whose raw messages it holds. */
  readonly agent?: string;
}

const FLUSH_BYTES = 64 * 1024;
export const FLUSH_MS = 250;

/**
 * All output of an agent and its hooks, one JSON line each, secrets masked:
 * `{t, dir: "->" | "<-", agent, msg}` for the messages of the agent's own protocol (`->` is from the runner)
 * and `{t, ev, …}` for everything else, `t` in milliseconds since the run began. Actions of the agent are
 * there twice: raw, and in the vocabulary of `AgentLine`, which is displayed. Streamed text is there once,
 * and joined, both to keep the file small and because a secret in two chunks could not be recognized in
 * either.
 *
 * Lines are buffered and written synchronously: a slow disk slows the agent down instead of filling the
 * memory. If the transcript cannot be written, it is dropped; the run continues. Of a transcript beyond its
 * limit the beginning and the end are kept.
 */
export class Transcript {
  readonly #mask: Mask;
  readonly #agent: string;
  readonly #startedAt = performance.now();
  readonly #flushBytes: number;
  readonly #onTrouble: (message: string) => void;
  readonly #deltas = new DeltaJoiner((fields) => this.#write(fields));
  #file: BoundedFile | null = null;
  #lines: string[] = [];
  #pendingBytes = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(path: string, options: TranscriptOptions) {
    this.#agent = options.agent ?? 'none';
    this.#mask = options.mask;
    this.#flushBytes = Math.min(FLUSH_BYTES, options.maxBytes / 8);
    this.#onTrouble = options.onTrouble;
    try {
      mkdirSync(dirname(path), {recursive: true, mode: 0o700});
      this.#file = new BoundedFile(path, options.maxBytes, (bytes) => this.#cutLine(bytes));
    } catch (error) {
      this.#trouble(error);
    }
    this.event('run', {at: new Date().toISOString()});
  }

  /** A line of the protocol as it was sent or received: already JSON, so it is not serialized again. */
  message(direction: '->' | '<-', json: string, endedItem?: unknown): void {
    if (endedItem !== undefined) this.#deltas.flushItem(endedItem);
    this.#deltas.flushWords();
    this.#write(`"dir":"${direction}","agent":"${this.#agent}","msg":${json}`);
  }

  /** An action of the agent, in the same vocabulary for every kind. */
  line(line: AgentLine | TurnLine): void {
    if ('id' in line && isLastOfItem(line)) this.#deltas.flushItem(line.id);
    this.#deltas.flushWords();
    this.#write(JSON.stringify(line).slice(1, -1));
  }

  /** A chunk of the text of an item. */
  streamed(item: StreamedItem, id: string, delta: string): void {
    const fieldsOf = (text: string) => JSON.stringify({ev: item, id, delta: text}).slice(1, -1);
    this.#deltas.take({name: item, itemId: id, fieldsOf}, delta);
    this.#schedule();
  }

  /** A raw message with a chunk of text that is not displayed, `params.delta`. */
  delta(method: string, params: Record<string, unknown>, delta: string): void {
    const fieldsOf = (text: string) => {
      const message = JSON.stringify({method, params: {...params, delta: text}});
      return `"dir":"<-","agent":"${this.#agent}","msg":${message}`;
    };
    this.#deltas.take({name: method, itemId: params.itemId, fieldsOf}, delta);
    this.#schedule();
  }

  /** Bytes from a pipe that are not the protocol: stderr, hooks. */
  output(source: string, chunk: Buffer): void {
    this.#deltas.takeOutput(source, chunk);
    this.#schedule();
  }

  event(name: string, fields: object = {}): void {
    this.#deltas.flush();
    this.#write(JSON.stringify({ev: name, ...fields}).slice(1, -1));
  }

  close(): void {
    this.#deltas.flush();
    this.#flush();
    this.#file?.[Symbol.dispose]();
    this.#file = null;
  }

  #write(fields: string): void {
    const line = this.#mask(`{"t":${this.#now()},${fields}}\n`);
    this.#lines.push(line);
    this.#pendingBytes += line.length;
    if (this.#pendingBytes >= this.#flushBytes) this.#flush();
    else this.#schedule();
  }

  #now(): string {
    return (performance.now() - this.#startedAt).toFixed(1);
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.#deltas.flushWords();
      this.#flush();
    }, FLUSH_MS).unref();
  }

  #flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const text = this.#lines.join('');
    this.#lines = [];
    this.#pendingBytes = 0;
    if (text === '') return;
    try {
      this.#file?.append(Buffer.from(text));
    } catch (error) {
      this.#trouble(error);
    }
  }

  /** The line in place of omitted bytes. */
  #cutLine(bytes: number): string {
    return `{"t":${this.#now()},"ev":"transcript_cut","bytes":${bytes}}\n`;
  }

  #trouble(error: unknown): void {
    // Once: a full disk would otherwise be reported with every line.
    this.#onTrouble(
      `the transcript cannot be written: ${error instanceof Error ? error.message : String(error)}`,
    );
    this.#file?.[Symbol.dispose]();
    this.#file = null;
  }
}
