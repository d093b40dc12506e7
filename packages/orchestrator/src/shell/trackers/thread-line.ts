import {MessageChannel, type MessagePort, type ResourceLimits} from 'node:worker_threads';
import type {Answer} from '@symphony-supervisor/tracker';
import type {TrackerThreadApi} from '@symphony-supervisor/tracker/thread';
import {wrap} from 'comlink';
import nodeEndpoint from 'comlink/dist/esm/node-adapter.mjs';
import {Piscina} from 'piscina';

export interface ThreadOptions {
  /** The bundle whose `serve` runs in the thread. */
  readonly filename: string;
  readonly resourceLimits: ResourceLimits;
  /** For the log: callers get it in their answers. */
  readonly onTrouble: (message: string) => void;
}

/** Long enough for a pending write; longer calls are aborted. */
const CLOSE_LIMIT_MS = 5_000;

/**
 * One tracker thread and the connection to it, from its start to its end. Comlink alone would wait forever for
 * the answers of a dead thread; here every call ends with its thread, or with its deadline. After its end it
 * stays ended: the caller starts a new one.
 */
export class ThreadLine implements AsyncDisposable {
  readonly #pool: Piscina;
  readonly #port: MessagePort;
  /** Kept, because comlink closes the connection when this is garbage-collected. */
  readonly #api: TrackerThreadApi;
  readonly #served: Promise<unknown>;
  readonly #pending = new Set<(failure: Answer<never>) => void>();
  readonly #onTrouble: (message: string) => void;
  #ending: Promise<void> | null = null;

  constructor({filename, resourceLimits, onTrouble}: ThreadOptions) {
    this.#onTrouble = onTrouble;
    const {port1, port2} = new MessageChannel();
    this.#port = port1;
    this.#pool = new Piscina({
      filename,
      name: 'serve',
      minThreads: 1,
      maxThreads: 1,
      atomics: 'disabled',
      idleTimeout: Number.POSITIVE_INFINITY,
      env: {},
      resourceLimits,
    });
    // A thread out of memory also reports here; without a listener it would be an exception of the supervisor.
    this.#pool.on('error', (error: Error) => this.#lost(error.message));
    this.#served = this.#pool.run({port: port2}, {transferList: [port2]}).then(
      () => this.#lost('it has returned'),
      (error: Error) => this.#lost(error.message),
    );
    port1.on('close', () => this.#lost('its port was closed'));
    // The API answers with promises only, so the remote one has the same type.
    this.#api = wrap(nodeEndpoint(port1)) as unknown as TrackerThreadApi;
  }

  get isOver(): boolean {
    return this.#ending !== null;
  }

  call<T>(limitMs: number, ask: (api: TrackerThreadApi) => Promise<Answer<T>>): Promise<Answer<T>> {
    if (this.isOver) return Promise.resolve(requestFailed(ENDED));
    return new Promise((resolve) => {
      const settle = (outcome: Answer<T>) => {
        clearTimeout(timer);
        this.#pending.delete(settle);
        resolve(outcome);
      };
      const timer = setTimeout(() => {
        settle(requestFailed(`the tracker thread did not answer within ${limitMs} ms`));
        // The thread has deadlines of its own and met none: it is stuck, and would be for the next call.
        this.#lost('it does not respond');
      }, limitMs);
      this.#pending.add(settle);
      ask(this.#api).then(settle, (error: unknown) => settle(requestFailed(String(error))));
    });
  }

  /** Asks: a closed port ends the thread's task. Then forces. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending ??= this.#close();
    await this.#ending;
  }

  #lost(why: string): void {
    if (this.#ending !== null) return;
    this.#onTrouble(`the tracker thread ended: ${why}`);
    this.#ending = this.#force();
  }

  async #close(): Promise<void> {
    this.#endCalls();
    this.#port.close();
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise((resolve) => {
      timer = setTimeout(resolve, CLOSE_LIMIT_MS);
    });
    await Promise.race([this.#served, limit]);
    clearTimeout(timer);
    await this.#pool.destroy();
  }

  async #force(): Promise<void> {
    this.#endCalls();
    this.#port.close();
    await this.#pool.destroy();
  }

  #endCalls(): void {
    for (const settle of [...this.#pending]) settle(requestFailed(ENDED));
  }
}

const ENDED = 'the tracker thread ended';

function requestFailed(message: string): Answer<never> {
  return {ok: false, failure: {code: 'tracker_request', message}};
}
