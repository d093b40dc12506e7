import type {Entry, Exit, Message, Session} from '../recording.ts';
import {asksAPerson, isGrant} from './asking.ts';
import {at, textAt} from './dig.ts';
import {PlayReport} from './play-report.ts';

/** What our client asks by itself. Whatever else a recorded client asked is left out, with its answer. */
const OUR_METHODS = new Set([
  'initialize',
  'thread/start',
  'thread/resume',
  'thread/name/set',
  'thread/backgroundTerminals/clean',
  'turn/start',
  'turn/interrupt',
]);
/** Asked more often by us than by the client of the recording, and always granted. */
const COURTESIES = ['thread/name/set', 'thread/backgroundTerminals/clean'];

export interface Stage {
  readonly say: (line: string) => void;
  readonly complain: (text: string) => void;
  /** Nothing goes on before the client asks this. */
  readonly awaits: (method: string) => void;
  readonly exit: (exit: Exit) => void;
}

interface Asked {
  readonly id: number | string;
  readonly method: string;
}

/**
 * Plays Codex's part of a recording to another client than the recorded one. It waits where Codex
 * waited: for the next request of the client, and for the answers to its own. Where the client leaves
 * the recorded path, it improvises the little that Codex would do.
 */
export class Play {
  readonly report = new PlayReport();
  readonly #session: Session;
  readonly #stage: Stage;
  readonly #asked: Asked[] = [];
  /** Ids of recorded requests → ids of those that stand for them; gone when answered. */
  readonly #owed = new Map<number | string, number | string>();
  #position = 0;
  #policy: unknown = null;
  #threadId: string | null = null;
  /** Of the turn that is under way. */
  #turnId: string | null = null;
  /** The client went beyond the recording: what is left is said, and then Codex is gone. */
  #isEnding = false;
  /** The last that was said is that it will be tried again. Codex, left alone, says so for ever. */
  #isRetrying = false;
  #exited = false;

  constructor(session: Session, stage: Stage) {
    this.#session = session;
    this.#stage = stage;
    this.#go();
  }

  hear(line: string): void {
    const {id, method, params, ...answer} = JSON.parse(line) as Message;
    if (method === undefined) this.report.answered(id, answer);
    else if (id === undefined) this.report.notified(method);
    else {
      this.#policy = at(params, 'approvalPolicy') ?? this.#policy;
      this.#asked.push({id, method});
    }
    this.#go();
  }

  #go(): void {
    for (;;) {
      const entry = this.#session[this.#position];
      if (entry !== undefined && this.#plays(entry)) this.#position++;
      else if (!this.#servesOutOfTurn(entry)) break;
    }
    const waiting = this.#session[this.#position];
    this.report.waitsFor = waiting?.is === 'client-request' ? waiting.method : null;
    if (this.report.waitsFor !== null) this.#stage.awaits(this.report.waitsFor);
    else if (this.#isRetrying) this.#stage.awaits('turn/interrupt');
    // A recording that was cut off has no exit of its own.
    if (waiting === undefined && this.#hasReasonToExit()) this.#exit({code: 0, signal: null});
  }

  /** False: not yet. */
  #plays(entry: Entry): boolean {
    switch (entry.is) {
      case 'client-request':
        return this.#isEnding || !this.#isOurs(entry.method) || this.#matches(entry);
      case 'client-answer':
        return this.#isEnding || this.#hasAnswer(entry.id, entry.answer);
      case 'said':
        this.#say(entry.message);
        return true;
      case 'raw':
        this.report.rawLines++;
        this.#stage.say(entry.line);
        return true;
      case 'stderr':
        this.#stage.complain(entry.text);
        return true;
      case 'exit':
        return this.#hasReasonToExit() && this.#exit(entry.exit);
    }
  }

  /** Our client interrupts a turn, and never an idle thread as other clients do. */
  #isOurs(method: string): boolean {
    return OUR_METHODS.has(method) && (method !== 'turn/interrupt' || this.#turnId !== null);
  }

  #matches(recorded: Asked): boolean {
    const [asked] = this.#asked;
    if (asked?.method !== recorded.method) return false;
    this.#asked.shift();
    this.#owed.set(recorded.id, asked.id);
    return true;
  }

  #hasAnswer(id: number | string, recorded: Message): boolean {
    const request = this.report.requestOf(id);
    if (request === null) return true;
    if (request.answers.length === 0) return false;
    // Granted then, declined now: what followed does not follow.
    if (asksAPerson(request.method, this.#policy) && isGrant(recorded)) this.#leaveThePath();
    return true;
  }

  #say(message: Message): void {
    const {id, method} = message;
    if (method === undefined) {
      const ours = this.#owed.get(id ?? '');
      if (ours === undefined) return; // its request was left out
      this.#owed.delete(id ?? '');
      this.#noteResult(message.result);
      this.#stage.say(JSON.stringify({...message, id: ours}));
    } else {
      this.report.said(message, this.#turnId !== null);
      this.#noteNotice(method, message.params);
      this.#isRetrying = at(message.params, 'willRetry') === true;
      this.#stage.say(JSON.stringify(message));
    }
  }

  #noteResult(result: unknown): void {
    this.#threadId = textAt(result, 'thread', 'id') ?? this.#threadId;
    this.#turnId = textAt(result, 'turn', 'id') ?? this.#turnId;
  }

  #noteNotice(method: string, params: unknown): void {
    // Helpers of the agent have threads and turns of their own.
    if (textAt(params, 'threadId') !== this.#threadId) return;
    if (method === 'turn/started') this.#turnId = textAt(params, 'turn', 'id');
    if (method === 'turn/completed') this.#turnId = null;
  }

  /** Codex ends by itself only where it owes something; else it waits for its input to end. */
  #hasReasonToExit(): boolean {
    if (this.#isEnding) return this.report.allAnswered;
    const owes = this.#owed.size > 0 || this.#turnId !== null;
    return owes && !this.#isRetrying && this.report.allAnswered;
  }

  #exit(exit: Exit): true {
    if (!this.#exited) this.#stage.exit(exit);
    this.#exited = true;
    return true;
  }

  /** The client asked something else than the recording has next. True when that was dealt with. */
  #servesOutOfTurn(waiting: Entry | undefined): boolean {
    const [asked] = this.#asked;
    if (asked === undefined || this.#isEnding) return false;
    if (waiting?.is === 'client-request' && this.#isAhead(asked.method)) {
      this.#position++; // a request that this client does not make
      return true;
    }
    this.#asked.shift();
    this.#improvise(asked);
    return true;
  }

  #isAhead(method: string): boolean {
    for (const entry of this.#session.slice(this.#position + 1)) {
      if (entry.is !== 'client-request') continue;
      if (entry.method === method) return true;
      // The interrupt of a later turn is not for this one.
      if (method === 'turn/interrupt' && entry.method === 'turn/start') return false;
    }
    return false;
  }

  #improvise({id, method}: Asked): void {
    if (COURTESIES.includes(method)) this.#stage.say(JSON.stringify({id, result: {}}));
    else if (method === 'turn/interrupt') this.#interrupt(id);
    else if (OUR_METHODS.has(method)) this.#isEnding = true;
    else {
      this.report.unexpected.push(method);
      this.#stage.say(JSON.stringify({id, error: {code: -32600, message: 'Invalid request'}}));
    }
  }

  #interrupt(id: number | string): void {
    if (this.#turnId === null) {
      const error = {code: -32600, message: 'no active turn to interrupt'};
      this.#stage.say(JSON.stringify({id, error}));
      return;
    }
    this.#leaveThePath();
    this.#stage.say(JSON.stringify({id, result: {}}));
    const turn = {id: this.#turnId, items: [], status: 'interrupted', error: null};
    this.#say({method: 'turn/completed', params: {threadId: this.#threadId, turn}});
  }

  #leaveThePath(): void {
    this.#position = this.#session.length;
  }
}
