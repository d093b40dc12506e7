import type {Snapshot} from '@symphony-supervisor/protocol';
import {createParser} from 'eventsource-parser';
import {ApiError, errorOf} from './api.ts';
import {pageKeyHeader} from './session.ts';

export type ConnectionState =
  | {readonly is: 'connecting'}
  | {readonly is: 'live'}
  /** `retryAt` by the browser's clock. */
  | {readonly is: 'down'; readonly since: number; readonly retryAt: number; readonly why: string}
  /** This browser is not signed in. */
  | {readonly is: 'locked'};

export interface LineEvents {
  readonly onState: (state: ConnectionState) => void;
  readonly onSnapshot: (snapshot: Snapshot) => void;
  /** An instant from the server. */
  readonly onServerTime: (at: number) => void;
}

const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 10_000;
/** Longer than the server is ever silent on a working connection. */
const SILENCE_MS = 45_000;

/**
 * The stream of snapshots, reopened whenever it breaks. Not the browser's `EventSource`: it sends no headers (so
 * no page key), gives up permanently on an error response, and does not report when it retries.
 */
export class LiveConnection implements Disposable {
  readonly #events: LineEvents;
  readonly #closed = new AbortController();
  #lastId: string | null = null;
  #downSince: number | null = null;
  #retryMs = FIRST_RETRY_MS;
  #wake: () => void = () => {};

  constructor(events: LineEvents) {
    this.#events = events;
  }

  async run(): Promise<void> {
    while (!this.#closed.signal.aborted) {
      const why = await this.#listen();
      if (this.#closed.signal.aborted) return;
      this.#downSince ??= Date.now();
      if (why === null) this.#events.onState({is: 'locked'});
      else {
        const retryAt = Date.now() + this.#retryMs;
        this.#events.onState({is: 'down', since: this.#downSince, retryAt, why});
      }
      await this.#pause(why === null ? null : this.#retryMs);
      this.#retryMs = Math.min(LONGEST_RETRY_MS, this.#retryMs * 2);
    }
  }

  /** Skips the delay: a person requested it, the network is back, or the browser signed in. */
  retryNow(): void {
    this.#retryMs = FIRST_RETRY_MS;
    this.#wake();
  }

  [Symbol.dispose](): void {
    this.#closed.abort();
    this.#wake();
  }

  /** Until the connection breaks; returns the reason, or null if it is locked. */
  async #listen(): Promise<string | null> {
    const attempt = new AbortController();
    const end = () => attempt.abort();
    this.#closed.signal.addEventListener('abort', end);
    let silence = setTimeout(end, SILENCE_MS);
    try {
      const id = this.#lastId === null ? {} : {'last-event-id': this.#lastId};
      const response = await fetch('api/v1/events', {
        headers: {...pageKeyHeader(), ...id, accept: 'text/event-stream'},
        signal: attempt.signal,
        cache: 'no-store',
      });
      if (!response.ok || response.body === null) throw await errorOf(response);
      this.#opened(response);
      const events = createParser({onEvent: ({id, data}) => this.#heard(id ?? null, data)});
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      for (;;) {
        const {done, value} = await reader.read();
        if (done) return 'the supervisor closed the connection';
        clearTimeout(silence);
        silence = setTimeout(end, SILENCE_MS);
        events.feed(value);
      }
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return null;
      if (error instanceof ApiError) return error.message;
      return attempt.signal.aborted ? 'no data arrived for a long time' : 'it cannot be reached';
    } finally {
      clearTimeout(silence);
      attempt.abort();
      this.#closed.signal.removeEventListener('abort', end);
    }
  }

  #opened(response: Response): void {
    this.#downSince = null;
    this.#retryMs = FIRST_RETRY_MS;
    this.#events.onState({is: 'live'});
    this.#events.onServerTime(Date.parse(response.headers.get('date') ?? ''));
  }

  #heard(id: string | null, data: string): void {
    this.#lastId = id ?? this.#lastId;
    const snapshot = JSON.parse(data) as Snapshot;
    this.#events.onServerTime(Date.parse(snapshot.generated_at));
    this.#events.onSnapshot(snapshot);
  }

  #pause(ms: number | null): Promise<void> {
    return new Promise((resolve) => {
      const timer = ms === null ? undefined : setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
