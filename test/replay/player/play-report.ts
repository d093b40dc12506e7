import type {Message} from '../recording.ts';
import {at, textAt} from './dig.ts';

export interface PlayedRequest {
  readonly id: number | string;
  readonly method: string;
  readonly params: unknown;
  /** Once a turn is over, a client may be gone before it has read a request. */
  readonly duringTurn: boolean;
  readonly answers: Message[];
}

/** What became of a play, as the agent tells the test. Plain data but for the methods that gather it. */
export class PlayReport {
  readonly requests: PlayedRequest[] = [];
  /** What no client of Codex should say, or ours has no reason to. */
  readonly unexpected: string[] = [];
  /** Thread → the total that was last told of it, as Codex words it. */
  readonly tokens: Record<string, unknown> = {};
  /** The request that was not made when the client left; null: nothing was left to wait for. */
  waitsFor: string | null = null;
  rawLines = 0;
  /** Of all threads, helpers' included. */
  readonly startedTurns: {readonly threadId: string | null}[] = [];

  said(message: Message, duringTurn: boolean): void {
    const {id, method = '', params} = message;
    if (id !== undefined) this.requests.push({id, method, params, duringTurn, answers: []});
    const threadId = textAt(params, 'threadId');
    if (method === 'turn/started') this.startedTurns.push({threadId});
    if (method === 'thread/tokenUsage/updated' && threadId !== null) {
      this.tokens[threadId] = at(params, 'tokenUsage', 'total');
    }
  }

  answered(id: number | string | undefined, answer: Message): void {
    const request = this.requestOf(id);
    if (request === null) this.unexpected.push(`an answer to ${id}, which was never asked`);
    else request.answers.push(answer);
  }

  notified(method: string): void {
    if (method !== 'initialized') this.unexpected.push(method);
  }

  requestOf(id: number | string | undefined): PlayedRequest | null {
    return this.requests.find((request) => request.id === id) ?? null;
  }

  get allAnswered(): boolean {
    return this.requests.every(({answers}) => answers.length > 0);
  }
}
