import type {RunFailure} from '@symphony-supervisor/protocol';
import {
  type Loose,
  list,
  loose,
  numberOrNull,
  text,
  textOrNull,
} from '@symphony-supervisor/protocol/transcript';
import type {SessionOptions} from '../../agent.ts';
import {Lines} from '../lines/lines.ts';
import {isLife} from './life.ts';
import {observe} from './observe.ts';
import {mergeLimits} from './rate-limits.ts';
import {UsageCounter} from './usage.ts';
import {verdictOf} from './verdict.ts';

type Options = Pick<SessionOptions, 'progress' | 'transcript'>;

/** What Claude Code has said in one conversation: shown, counted, and kept for the verdict on its turn. */
export class Heard {
  readonly #threadId: string;
  readonly #progress: SessionOptions['progress'];
  readonly #transcript: SessionOptions['transcript'];
  readonly #lines = new Lines();
  readonly #usage: UsageCounter;
  /** As its last turn said. */
  #model: string | null = null;
  /** Of the turn under way. */
  #error: string | null = null;
  #retries = 0;

  constructor(threadId: string, {progress, transcript}: Options) {
    this.#threadId = threadId;
    this.#progress = progress;
    this.#transcript = transcript;
    this.#usage = new UsageCounter(progress.meter, threadId);
  }

  turnBegins(): void {
    this.#error = null;
    this.#retries = 0;
  }

  /** Any message. Returns whether it proves life. */
  take(message: Loose): boolean {
    const lines = this.#lines.of(message);
    for (const line of lines) this.#transcript.line(line);
    const isSignOfLife = isLife(message);
    this.#progress.heard(observe(lines, isSignOfLife));
    if (message.type === 'assistant') {
      this.#error = textOrNull(message.error) ?? this.#error;
      this.#usage.message(message);
    } else if (message.type === 'result') this.#count(message);
    else if (message.type === 'rate_limit_event') {
      const limits = mergeLimits(this.#progress.rateLimits, message);
      if (limits !== null) this.#progress.limits(limits);
    } else if (message.subtype === 'init') this.#model = textOrNull(message.model);
    else if (message.subtype === 'api_retry') this.#retries++;
    return isSignOfLife;
  }

  /** What our turn failed by; null if it was completed. */
  verdict(result: Loose): RunFailure | null {
    const {rateLimits} = this.#progress;
    const notes = {error: this.#error, retries: this.#retries, limits: rateLimits};
    const failure = verdictOf(result, notes);
    if (failure === null) this.#progress.note('turn_completed');
    else if (failure.failure.code === 'turn_cancelled') this.#progress.note('turn_cancelled');
    else this.#progress.note('turn_failed', failure.message);
    return failure;
  }

  /** A turn that was cut off has no result; what its messages told is the last that is known. */
  cutOff(): void {
    if (!this.#usage.isPartial) return;
    const {total_tokens} = this.#progress.meter.ofThread(this.#threadId);
    const line = {ev: 'usage', model: this.#model, total_tokens, is_partial: true} as const;
    this.#transcript.line(line);
  }

  #count(result: Loose): void {
    const models = this.#usage.result(result, this.#model);
    const {total_tokens} = this.#progress.meter.ofThread(this.#threadId);
    const cost = numberOrNull(result.total_cost_usd);
    for (const model of models) {
      const told = cost === null ? {} : {cost_usd: cost};
      this.#transcript.line({ev: 'usage', model, total_tokens, ...told});
    }
  }
}

/** A command in the background that ends makes Claude Code take a turn of its own, which has a result of its own. */
export function answers(result: Loose, messageId: string): boolean {
  const answered = [...list(result.user_message_uuids), result.user_message_uuid].map(text);
  if (answered.some((id) => id !== '')) return answered.includes(messageId);
  const origin = text(loose(result.origin).kind);
  return (origin === '' || origin === 'human') && !(Number(result.queued_turn_count) > 0);
}
