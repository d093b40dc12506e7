import {TrackerThreads} from '../../shell/trackers/tracker-threads.ts';
import {bundle} from '../places.ts';

/**
 * The first tracker thread, started before the rest of the supervisor is loaded: while one core loads that,
 * another loads what the first request waits for.
 */
export class EarlyTrackers implements AsyncDisposable {
  readonly #threads: TrackerThreads;
  /** What went wrong while there was no log yet. */
  readonly #untold: string[] = [];
  #onTrouble: (reason: string) => void = (reason) => this.#untold.push(reason);

  constructor(
    environment: Readonly<Record<string, string | undefined>>,
    filename = bundle('tracker-thread.js'),
  ) {
    const onTrouble = (reason: string) => this.#onTrouble(reason);
    this.#threads = new TrackerThreads({filename, environment, onTrouble});
  }

  /** As soon as it is known what they are. Nobody need wait: what cannot be loaded cannot be opened. */
  async prepare(kinds: readonly string[]): Promise<void> {
    await Promise.all([...new Set(kinds)].map((kind) => this.#threads.prepare(kind)));
  }

  /** From now on its user's, who ends it. */
  open(onTrouble: (reason: string) => void): TrackerThreads {
    this.#onTrouble = onTrouble;
    for (const reason of this.#untold) onTrouble(reason);
    return this.#threads;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#threads[Symbol.asyncDispose]();
  }
}
