import {uuidV7} from '../ids.ts';
import {PlayedTurn, type TurnStatus} from '../script/played-turn.ts';
import {type Item, userMessage} from './items.ts';
import type {Thread} from './thread.ts';
import {countOf, type Tokens, tokenUsage, USUAL_COST} from './tokens.ts';
import type {Answer, Wire} from './wire.ts';

export type WaitingOn = 'waitingOnApproval' | 'waitingOnUserInput';

export interface TurnError {
  readonly message: string;
  readonly codexErrorInfo: unknown;
  readonly additionalDetails: string | null;
  readonly misalignment: null;
}

/** One turn, from its start to its one end, and everything that is said in its name. */
export class Turn extends PlayedTurn {
  readonly id = uuidV7();
  readonly thread: Thread;
  readonly wire: Wire;
  #startedAtMs: number | null = null;
  #lastMessage: Item | null = null;
  #unpaid: Tokens | null = null;
  #waitingOn: WaitingOn | null = null;
  /** Requests to the client whose end is to be announced. */
  readonly #openRequests = new Set<number>();

  constructor(thread: Thread, wire: Wire) {
    super();
    this.thread = thread;
    this.wire = wire;
  }

  override get cwd(): string {
    return this.thread.record.cwd;
  }

  override get marks(): Readonly<Record<string, string>> {
    return {CODEX_THREAD_ID: this.thread.id};
  }

  get hasStarted(): boolean {
    return this.#startedAtMs !== null;
  }

  begin(input: unknown): void {
    this.#startedAtMs = Date.now();
    this.thread.record.lastTurnId = this.id;
    this.thread.save();
    this.#announce({type: 'active', activeFlags: []});
    this.say('turn/started', {turn: this.describe()}, false);
    this.#hear(input);
  }

  /** More input while the turn runs: what the model was saying is cut, and the turn goes on. */
  steer(input: unknown): void {
    this.cut();
    this.#hear(input);
  }

  /** The turn's end. The first one counts. */
  end(status: Exclude<TurnStatus, 'inProgress'>, error: TurnError | null = null): void {
    if (this.isOver) return;
    if (status === 'interrupted') this.pay();
    this.settle(status);
    this.thread.turn = null;
    this.thread.save();
    if (status === 'completed') this.#announceUnread();
    this.#announce({type: error === null ? 'idle' : 'systemError'});
    if (error !== null) this.say('error', {error, willRetry: false});
    this.say('turn/completed', {turn: this.describe(error)}, false);
    for (const requestId of this.#openRequests) this.#announceResolved(requestId);
    this.giveUp();
  }

  say(method: string, params: object, withTurnId = true): void {
    const ids = withTurnId
      ? {threadId: this.thread.id, turnId: this.id}
      : {threadId: this.thread.id};
    this.wire.notify(method, {...ids, ...params});
  }

  start(item: Item): void {
    this.say('item/started', {item, startedAtMs: item.startedAtMs});
  }

  /** May come after the turn's end, as it does for commands that outlive it. */
  finish(item: Item, changes: object = {}): void {
    const completedAtMs = Date.now();
    const finished: Item = {...item, ...changes, completedAtMs};
    if (item.type === 'agentMessage') this.#lastMessage = finished;
    this.say('item/completed', {item: finished, completedAtMs});
  }

  /** From here on the model's request counts, even if the turn is interrupted. */
  owe(tokens: Tokens = USUAL_COST): void {
    this.#unpaid = tokens;
  }

  pay(): void {
    if (this.#unpaid !== null) this.spend(this.#unpaid);
    this.#unpaid = null;
  }

  spend(tokens: Tokens = USUAL_COST): void {
    const count = countOf(tokens);
    if (count.totalTokens === 0) return;
    this.thread.add(count);
    this.thread.save();
    const {total, last} = this.thread.record;
    this.say('thread/tokenUsage/updated', {tokenUsage: tokenUsage(total, last)});
  }

  /** Shown in the thread's status until the client has answered. */
  waitOn(flag: WaitingOn): void {
    if (this.#waitingOn === flag) return;
    this.#waitingOn = flag;
    this.#announce({type: 'active', activeFlags: [flag]});
  }

  /** A request whose answer only a person or a policy can give. */
  async askClient(flag: WaitingOn, method: string, params: object): Promise<Answer> {
    this.waitOn(flag);
    const {id, answer} = this.request(method, params);
    this.#openRequests.add(id);
    const given = await this.until(answer);
    this.#openRequests.delete(id);
    this.#announceResolved(id);
    this.#waitingOn = null;
    this.#announce({type: 'active', activeFlags: []});
    return given;
  }

  request(method: string, params: object): {id: number; answer: Promise<Answer>} {
    return this.wire.request(method, {threadId: this.thread.id, turnId: this.id, ...params});
  }

  /** The `turn` of a response or notification. */
  describe(error: TurnError | null = null) {
    const startedAtMs = this.#startedAtMs;
    const completedAtMs = this.isOver ? Date.now() : null;
    const summary = this.status === 'completed' ? this.#lastMessage : null;
    return {
      id: this.id,
      rootTurnId: this.id,
      items: summary === null ? [] : [summary],
      itemsView: summary === null ? 'notLoaded' : 'summary',
      status: this.status,
      error,
      startedAt: inSeconds(startedAtMs),
      completedAt: inSeconds(completedAtMs),
      durationMs:
        startedAtMs === null || completedAtMs === null ? null : completedAtMs - startedAtMs,
    };
  }

  #hear(input: unknown): void {
    const message = userMessage(uuidV7(), input);
    this.start(message);
    this.finish(message);
  }

  #announce(status: object): void {
    this.say('thread/status/changed', {status}, false);
  }

  #announceResolved(requestId: number): void {
    this.say('serverRequest/resolved', {requestId}, false);
  }

  #announceUnread(): void {
    const readState = {firstUnread: {type: 'turn', turnId: this.id}, revision: uuidV7()};
    this.say('thread/readState/changed', {readState}, false);
  }
}

function inSeconds(ms: number | null): number | null {
  return ms === null ? null : Math.floor(ms / 1000);
}
