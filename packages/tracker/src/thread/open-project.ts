import {createMask, type Mask, type TrackerSettings} from '@symphony-supervisor/protocol';
import type {TrackerAdapter} from '../adapter.ts';
import {type Answer, answer, failed} from '../answer.ts';
import {openTracker} from '../registry.ts';
import {secretResolver} from './secrets.ts';

/** Values of the variables that a project's settings name. They stay in this thread. */
export type Secrets = Readonly<Record<string, string>>;

/** null: this kind of tracker does not support it. */
export type Ask<T> = (
  adapter: TrackerAdapter,
  signal: AbortSignal,
) => Promise<Answer<T>> | Answer<T> | null;

/**
 * One project's adapter in the tracker thread. Every call ends in time and with data: across the
 * thread boundary an error would be reduced to its text.
 */
export class OpenProject implements AsyncDisposable {
  readonly opened: Promise<Answer<TrackerAdapter>>;
  readonly #mask: Mask;
  #onChange: (() => void) | null = null;
  #watch: AsyncDisposable | null = null;
  #isClosed = false;

  constructor(settings: TrackerSettings, secrets: Secrets) {
    this.#mask = createMask({values: [...Object.values(secrets), ...spelledOut(settings)]});
    this.opened = openTracker(settings, {resolveSecret: secretResolver(secrets)}).catch(
      (error: unknown) => this.#mistake(error),
    );
  }

  get onChange(): (() => void) | null {
    return this.#onChange;
  }

  async ask<T>(limitMs: number, ask: Ask<T>): Promise<Answer<T>> {
    const opened = await this.opened;
    if (!opened.ok) return opened;
    const signal = AbortSignal.timeout(limitMs);
    try {
      const asked = ask(opened.value, signal);
      if (asked === null)
        return failed('invalid_tracker_config', 'this tracker does not support that');
      return await Promise.race([asked, cutOff(signal, limitMs)]);
    } catch (error) {
      return this.#mistake(error);
    }
  }

  /** False if the tracker cannot be watched; then only polling finds changes. */
  async watch(onChange: () => void): Promise<Answer<boolean>> {
    this.#onChange = onChange;
    const opened = await this.opened;
    if (!opened.ok) return opened;
    try {
      await this.#watch?.[Symbol.asyncDispose]();
      // Closed or subscribed again meanwhile.
      if (this.#isClosed || this.#onChange !== onChange) return answer(false);
      this.#watch = opened.value.watch?.(onChange) ?? null;
      return answer(this.#watch !== null);
    } catch (error) {
      return this.#mistake(error);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    const opened = await this.opened;
    await this.#watch?.[Symbol.asyncDispose]();
    if (opened.ok) await opened.value[Symbol.asyncDispose]();
  }

  /** Even the message of a bug may quote its input, for example a header with a key. */
  #mistake(error: unknown): Answer<never> {
    return failed('tracker_request', this.#mask(`the tracker's adapter failed: ${error}`));
  }
}

function spelledOut({secrets}: TrackerSettings): string[] {
  return Object.values(secrets).flatMap((ref) => (ref.from === 'value' ? ref.value : []));
}

/** Adapters must honour their signal; one that does not must not block the call. */
function cutOff(signal: AbortSignal, limitMs: number): Promise<Answer<never>> {
  return new Promise((resolve) => {
    const message = `the tracker did not respond within ${limitMs} ms`;
    const onAbort = () => resolve(failed('tracker_request', message));
    signal.addEventListener('abort', onAbort, {once: true});
  });
}
