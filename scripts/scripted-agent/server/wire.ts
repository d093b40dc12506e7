import {type Fields, fieldsOf} from '../json.ts';
import type {Output} from '../output.ts';

/** What the client said to one of our requests. */
export type Answer = {readonly result: Fields} | {readonly error: Fields};

/** A client's request that gets an error for an answer. The real server has one code for nearly all. */
export class Refusal extends Error {
  readonly code: number;
  readonly data: Fields | undefined;

  constructor(message: string, code = -32600, data?: Fields) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** Our side of the JSON-RPC. */
export class Wire {
  readonly #output: Output;
  readonly #unanswered = new Map<unknown, (answer: Answer) => void>();
  #unwanted: ReadonlySet<unknown> = new Set();
  #nextId = 0;

  constructor(output: Output) {
    this.#output = output;
  }

  /** The client's `optOutNotificationMethods`. */
  optOut(methods: readonly unknown[]): void {
    this.#unwanted = new Set(methods);
  }

  notify(method: string, params: object): void {
    if (this.#unwanted.has(method)) return;
    this.line({method, params, emittedAtMs: Date.now()});
  }

  respond(id: unknown, result: object): void {
    this.line({id, result});
  }

  refuse(id: unknown, {code, message, data}: Refusal): void {
    this.line({error: {code, message, data}, id});
  }

  /** Our ids count from 0 and collide with the client's: two id spaces, as in the original. */
  request(method: string, params: object): {id: number; answer: Promise<Answer>} {
    const id = this.#nextId++;
    const answer = new Promise<Answer>((resolve) => this.#unanswered.set(id, resolve));
    this.line({method, id, params});
    return {id, answer};
  }

  /** Takes the client's answer. A late answer is dropped. */
  settle(message: Fields): void {
    const resolve = this.#unanswered.get(message.id);
    this.#unanswered.delete(message.id);
    resolve?.(
      'error' in message ? {error: fieldsOf(message.error)} : {result: fieldsOf(message.result)},
    );
  }

  protected line(message: object): void {
    this.#output.line(message);
  }
}
