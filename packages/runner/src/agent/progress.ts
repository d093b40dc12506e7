import type {AgentEventKind, AgentProgress, RateLimits} from '@symphony-supervisor/protocol';
import type {RunnerLink} from '../host/link.ts';
import {TokenMeter} from './token-meter.ts';

/** Enough for one line on a screen. */
const MESSAGE_CHARACTERS = 300;
/** Much more than that comes between two reports only from an agent that floods us. */
const STREAMED_CHARACTERS = 16 * 1024;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not reach a terminal
const CONTROL = /[\u0000-\u001f\u007f-\u009f]+/g;

/** What a message of an agent tells those who watch it. */
export interface Observation {
  /** null: nothing that has a name. */
  readonly event: AgentEventKind | null;
  readonly message: string | null;
  /** "Will retry" notices are not: a network that is down must not keep a turn alive. */
  readonly isSignOfLife: boolean;
}

export type MeasuredUsage = Pick<AgentProgress, 'is_measured' | 'is_partial' | 'usage' | 'models'>;

type ProgressLink = Pick<RunnerLink, 'progress' | 'milestone'>;

/** What an agent has done so far, kept up to date message by message at the cost of a few assignments. */
export class ProgressKeeper {
  readonly meter = new TokenMeter();
  readonly #isMeasured: boolean;
  readonly #link: ProgressLink;
  readonly #mask: (text: string) => string;
  #threadId = '';
  #event: AgentEventKind | null = null;
  #message: string | null = null;
  #messages = 0;
  #signsOfLife = 0;
  #rateLimits: RateLimits | null = null;
  #streamed = '';
  #isTurnOpen = false;
  #hasCutTurn = false;

  /** `isMeasured`: the agent says what it uses. */
  constructor(mask: (text: string) => string, link: ProgressLink, isMeasured: boolean) {
    this.#isMeasured = isMeasured;
    this.#mask = mask;
    this.#link = link;
  }

  follow(threadId: string): void {
    this.#threadId = threadId;
  }

  get rateLimits(): RateLimits | null {
    return this.#rateLimits;
  }

  /** The account's limits, as far as they are known by now. */
  limits(limits: RateLimits): void {
    this.#rateLimits = limits;
  }

  /** From here on the figures are the last ones seen, until the turn ends with a report. */
  turnBegins(): void {
    this.#isTurnOpen = true;
  }

  /** `isReported`: the agent itself has ended the turn, and said what it used. */
  turnEnds(isReported: boolean): void {
    this.#isTurnOpen = false;
    if (!isReported) this.#hasCutTurn = true;
  }

  /** What the run has used so far, as it is reported. */
  get measured(): MeasuredUsage {
    const isPartial = this.#isMeasured && (this.#isTurnOpen || this.#hasCutTurn);
    return {
      is_measured: this.#isMeasured,
      ...(isPartial ? {is_partial: true} : {}),
      usage: this.meter.run,
      models: this.meter.models,
    };
  }

  /** Text in so many pieces, which always prove life. It is cut when it is told: there are too many of them. */
  streamed(text: string, pieces: number): void {
    this.#streamed += text;
    if (this.#streamed.length > STREAMED_CHARACTERS) this.#cutStreamed();
    this.#counted(true, pieces);
  }

  /** Any other message of the agent. */
  heard({event, message, isSignOfLife}: Observation): void {
    this.#take(event, message);
    this.#counted(isSignOfLife);
  }

  /** Something that we did or concluded ourselves. */
  note(event: AgentEventKind, message: string | null = null): void {
    this.#take(event, message);
    this.#link.milestone(this.#current);
  }

  /** Joined like any message: an agent that sends one broken line may send thousands. */
  malformed(what: string): void {
    this.#take('malformed', what);
    this.#counted(false);
  }

  #take(event: AgentEventKind | null, message: string | null): void {
    this.#event = event ?? this.#event;
    if (message === null) return;
    this.#message = message;
    this.#streamed = '';
  }

  #counted(isSignOfLife: boolean, messages = 1): void {
    this.#messages += messages;
    if (isSignOfLife) this.#signsOfLife += messages;
    this.#link.progress(this.#current);
  }

  readonly #current = (): AgentProgress => ({
    event: this.#event,
    message: this.#text(),
    messages: this.#messages,
    signs_of_life: this.#signsOfLife,
    ...this.measured,
    thread_usage: this.meter.ofThread(this.#threadId),
    rate_limits: this.#rateLimits,
  });

  /** The end of the stream is what a watcher wants to see; the whole is in the transcript. */
  #cutStreamed(): void {
    this.#streamed = this.#streamed.slice(-MESSAGE_CHARACTERS);
  }

  #text(): string | null {
    this.#cutStreamed();
    const text = this.#streamed.trim() === '' ? this.#message : this.#streamed;
    if (text === null) return null;
    // Masked before it is cut: half a secret is not recognized as one.
    return this.#mask(text).replace(CONTROL, ' ').trim().slice(0, MESSAGE_CHARACTERS);
  }
}
