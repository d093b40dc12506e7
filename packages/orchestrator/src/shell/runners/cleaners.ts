import type {Clock} from '../timers.ts';
import {CleaningQueue, type ToClean} from './cleaning-queue.ts';
import {ConcurrencyLimit} from './concurrency-limit.ts';

/**
 * Nobody waits for a workspace to be gone, but others wait to start: those go first, and what else is over by
 * then is cleaned by the same process. There may be no end of them, so it does not wait for ever.
 */
const CLEAN_AFTER_MS = 300;
const CLEAN_WITHIN_MS = 5_000;
/** A long hook in one batch does not hold up all the others; more would be in the way of the runs that follow. */
const AT_A_TIME = 2;

export interface CleanersOptions {
  readonly clock: Clock;
  /** Whether somebody is waiting for the processors. */
  readonly isBusy: () => boolean;
  /** Removes the workspaces of one project, in one process. */
  readonly clean: (batch: readonly ToClean[]) => Promise<void>;
}

/** When workspaces are removed, and which of them together. */
export class Cleaners implements Disposable {
  readonly #options: CleanersOptions;
  readonly #limit = new ConcurrencyLimit(AT_A_TIME);
  readonly #queue = new CleaningQueue();
  readonly #pauses = new Set<() => void>();
  #isDisposed = false;

  constructor(options: CleanersOptions) {
    this.#options = options;
  }

  add(toClean: ToClean): Promise<void> {
    this.#queue.add(toClean);
    return this.#limit.run(() => this.#cleanNext());
  }

  /** What still waits is on record: the next life cleans it. */
  [Symbol.dispose](): void {
    this.#isDisposed = true;
    for (const end of this.#pauses) end();
  }

  async #cleanNext(): Promise<void> {
    if (this.#queue.isEmpty) return; // it went along with others
    await this.#letOthersStart();
    if (!this.#isDisposed) await this.#options.clean(this.#queue.take());
  }

  async #letOthersStart(): Promise<void> {
    const {clock, isBusy} = this.#options;
    const limit = clock.monotonic() + CLEAN_WITHIN_MS;
    do await this.#pause();
    while (isBusy() && clock.monotonic() < limit && !this.#isDisposed);
  }

  #pause(): Promise<void> {
    const {clock} = this.#options;
    return new Promise((resolve) => {
      const end = (): void => {
        clock.clearTimeout(timeout);
        this.#pauses.delete(end);
        resolve();
      };
      const timeout = clock.setTimeout(end, CLEAN_AFTER_MS);
      this.#pauses.add(end);
    });
  }
}
