import {
  type FailureCode,
  NO_USAGE,
  RunFailure,
  type ThreadRecord,
} from '@symphony-supervisor/protocol';
import type {AgentSession, SessionOptions} from '../../../src/agent/agent.ts';
import {LiveTurn} from '../../../src/agent/live-turn.ts';
import {within} from '../../../src/agent/within.ts';
import type {TeletypeJob} from './agent.ts';
import {type Message, TeletypeLine} from './line.ts';

const INTERRUPT_LIMIT_MS = 2000;
const MODEL = 'teletype-1';
/** What its reasons mean; any other may pass. */
const CODES: Readonly<Record<string, FailureCode>> = {
  stop: 'turn_cancelled',
  'unauthorized-401': 'unauthorized',
  'forbidden-403': 'unauthorized',
  'context-too-long': 'context_window_exceeded',
};

const NO_SUCH_TOOL = {success: false, content: 'there is no such tool'};

type Ended = NonNullable<Message['ended']>;

/** One process with one conversation. */
export class TeletypeSession implements AgentSession {
  threadId = '';
  readonly #options: SessionOptions;
  readonly #line: TeletypeLine;
  readonly #silenceMs: number;
  #turn: LiveTurn<Ended | null> | null = null;
  #question: string | null = null;
  #items = 0;

  constructor(job: TeletypeJob, options: SessionOptions) {
    this.#options = options;
    this.#silenceMs = job.turn_timeout_ms;
    this.#line = new TeletypeLine(job, options, {
      onMessage: (message) => this.#onMessage(message),
      onMalformed: (what) => options.progress.malformed(what),
    });
    const {pid, gone} = this.#line.process;
    if (pid !== null) options.onProcess(pid);
    void gone.then((failure) => this.#turn?.break(failure));
  }

  async start(recorded: ThreadRecord | null): Promise<{resumed: boolean}> {
    await this.#line.greet();
    const {progress, onNote} = this.#options;
    let {opened} = await this.#line.ask({open: recorded?.id ?? null});
    const isResumed = recorded !== null && opened === recorded.id;
    if (isResumed) progress.meter.startFrom(recorded.id, recorded.usage);
    else if (recorded !== null) {
      onNote('the conversation cannot be resumed, a new one begins');
      ({opened} = await this.#line.ask({open: null}));
    }
    this.threadId = opened ?? '';
    progress.follow(this.threadId);
    return {resumed: isResumed};
  }

  async takeTurn(text: string, onStarted: (turnId: string) => void): Promise<RunFailure | null> {
    const turn = new LiveTurn<Ended | null>(this.#silenceMs, onStarted);
    this.#turn = turn;
    this.#line.send({turn: text});
    const end = await turn.ended;
    if (this.#question !== null) return new RunFailure('turn_input_required', this.#question);
    if (end.is === 'broken') return end.failure;
    if (end.result === null) return null;
    const {by, reason} = end.result;
    return new RunFailure(CODES[by] ?? 'turn_failed', reason);
  }

  async interrupt(): Promise<void> {
    const turn = this.#turn;
    if (turn === null || turn.isOver) return;
    this.#line.send({stop: true});
    await within(this.#options.stop.stepLimit(INTERRUPT_LIMIT_MS), turn.ended);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.interrupt();
    await this.#line.process.end();
  }

  #onMessage({began, ended, says, used, calls, asks, with: args}: Message): void {
    const {progress, transcript} = this.#options;
    this.#turn?.showsLife();
    progress.heard({event: 'notification', message: says ?? null, isSignOfLife: true});
    if (began !== undefined) this.#turn?.hasStarted(String(began));
    if (ended !== undefined) this.#turn?.complete(this.#turn.id ?? '', ended);
    if (says !== undefined) {
      transcript.line({ev: 'message', id: String(this.#items++), text: says, done: true});
    }
    if (used !== undefined && used > 0) this.#count(used);
    if (calls !== undefined) void this.#call(calls, args);
    if (asks !== undefined) this.#ask(asks);
  }

  #count(tokens: number): void {
    const {progress, transcript} = this.#options;
    const usage = {...NO_USAGE, input_tokens: tokens, total_tokens: tokens};
    progress.meter.more(this.threadId, usage, MODEL);
    const {total_tokens} = progress.meter.ofThread(this.threadId);
    transcript.line({ev: 'usage', model: MODEL, total_tokens});
  }

  async #call(name: string, args: unknown): Promise<void> {
    const {job, callTool, transcript} = this.#options;
    const id = String(this.#items++);
    const line = {ev: 'tool', id, name, input: JSON.stringify(args), ms: null} as const;
    transcript.line({...line, result: null, ok: null});
    const isOurs = job.tools.some((tool) => tool.name === name);
    const call = async () => (isOurs ? await callTool(name, args) : NO_SUCH_TOOL);
    const {success, content} = await (this.#turn?.whileWaitingForUs(call) ?? call());
    transcript.line({...line, result: JSON.stringify(content), ok: success});
    this.#line.send({result: content});
  }

  #ask(question: string): void {
    this.#question ??= question;
    this.#options.transcript.line({ev: 'question', text: question, options: []});
    void this.interrupt();
  }
}
