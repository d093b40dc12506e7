import {type EndOfLife, Host} from '../host.ts';
import {uuidV7} from '../ids.ts';
import {type Fields, fieldsOf} from '../json.ts';
import type {Output} from '../output.ts';
import type {Step} from '../script/step.ts';
import {addTokens, type TokenCount} from '../server/tokens.ts';
import type {Shell} from '../shell.ts';
import type {ClaudeTurn} from './claude-turn.ts';
import type {ClientFlags} from './flags.ts';
import {performAnytime} from './repertoire.ts';
import {SessionStore} from './session-store.ts';

/** As if ended by SIGTERM. */
const TERMINATED = 143;

/** What the client answered to a request of ours. */
export type ClientAnswer = {readonly response: Fields} | {readonly error: string};

/** One process of Claude Code, which has one conversation. */
export class ClaudeHost extends Host {
  readonly flags: ClientFlags;
  readonly sessionId: string;
  readonly store: SessionStore;
  readonly shells = new Set<Shell>();
  /** The client's tool server, and what it offers. */
  servers: readonly string[] = [];
  tools: readonly string[] = [];
  turn: ClaudeTurn | null = null;
  results = 0;
  readonly #unanswered = new Map<unknown, (answer: ClientAnswer) => void>();
  #total: TokenCount;
  #closing = false;

  constructor(output: Output, home: string, flags: ClientFlags) {
    super(output, home);
    this.flags = flags;
    this.store = new SessionStore(home);
    this.sessionId = flags.resume ?? flags.sessionId ?? uuidV7();
    this.#total = this.store.totalOf(this.sessionId);
  }

  /** Every message of ours names the conversation. */
  say(message: Fields): void {
    this.output.line({...message, session_id: this.sessionId, uuid: uuidV7()});
  }

  request(request: Fields): Promise<ClientAnswer> {
    const request_id = uuidV7();
    const answer = new Promise<ClientAnswer>((resolve) => {
      this.#unanswered.set(request_id, resolve);
    });
    this.output.line({type: 'control_request', request_id, request});
    return answer;
  }

  /** A late answer is dropped. */
  settle({response: envelope}: Fields): void {
    const {request_id, subtype, response, error} = fieldsOf(envelope);
    const resolve = this.#unanswered.get(request_id);
    this.#unanswered.delete(request_id);
    resolve?.(
      subtype === 'success' ? {response: fieldsOf(response)} : {error: String(error ?? '')},
    );
  }

  /** What the conversation has used in all; forgotten if this process is killed, as by the original. */
  count(tokens: TokenCount): TokenCount {
    this.#total = addTokens(this.#total, tokens);
    return this.#total;
  }

  override perform(step: Step): unknown {
    return performAnytime(step, this);
  }

  /** A turn is finished first, but not for the sake of a signal. */
  override quit(end: EndOfLife | null = null): void {
    this.#closing = end === 'stdin';
    if (end === 'stdin' && this.turn !== null) return;
    if (this.store.has(this.sessionId)) this.store.save(this.sessionId, this.#total);
    this.killShells();
    process.exit(end === 'SIGTERM' ? TERMINATED : 0);
  }

  turnEnded(): void {
    this.turn = null;
    if (this.#closing) setImmediate(() => this.quit('stdin'));
  }

  protected override killShells(): void {
    for (const shell of this.shells) shell.kill();
  }
}
