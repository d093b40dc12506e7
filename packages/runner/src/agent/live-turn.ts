import {RunFailure} from '@symphony-supervisor/protocol';

/** How a turn ended; `result` is what the agent said of it. */
export type TurnEnd<Result> =
  | {readonly is: 'over'; readonly result: Result}
  | {readonly is: 'broken'; readonly failure: RunFailure};

/** A turn under way: when it began, how long it has been silent, and how it ends. */
export class LiveTurn<Result> {
  readonly ended: Promise<TurnEnd<Result>>;
  readonly started: Promise<void>;
  /** The agent itself has ended it, be that after we gave it up. */
  readonly over: Promise<void>;
  readonly #silence: NodeJS.Timeout;
  readonly #onStarted: (id: string) => void;
  #end: (end: TurnEnd<Result>) => void = () => {};
  #start: () => void = () => {};
  #finish: () => void = () => {};
  #id: string | null = null;
  /** Calls of ours that the agent waits for: then the silence is not the agent's. */
  #waitingForUs = 0;
  #hasStarted = false;
  #isSettled = false;
  #isOver = false;

  constructor(silenceLimitMs: number, onStarted: (id: string) => void) {
    this.#onStarted = onStarted;
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    this.started = new Promise((resolve) => {
      this.#start = resolve;
    });
    this.over = new Promise((resolve) => {
      this.#finish = resolve;
    });
    this.#silence = setTimeout(() => {
      if (this.#waitingForUs > 0) this.#silence.refresh();
      else
        this.break(
          new RunFailure('turn_timeout', `no word from the agent for ${silenceLimitMs} ms`),
        );
    }, silenceLimitMs);
  }

  get id(): string | null {
    return this.#id;
  }

  /** Whether the agent itself has ended it. One that we gave up on goes on until it is interrupted. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** The answer to our request and the notification tell the id, in either order. */
  is(id: string): void {
    this.#id ??= id;
  }

  /** From here on, and not before, it can be interrupted. */
  hasStarted(id: string): void {
    if (this.#hasStarted || this.#isSettled) return;
    this.#hasStarted = true;
    this.is(id);
    this.#onStarted(id);
    this.#start();
  }

  showsLife(): void {
    // A refreshed timer would come back to life even after it was cleared.
    if (!this.#isSettled) this.#silence.refresh();
  }

  async whileWaitingForUs<T>(work: () => Promise<T>): Promise<T> {
    this.#waitingForUs++;
    try {
      return await work();
    } finally {
      this.#waitingForUs--;
      this.showsLife();
    }
  }

  complete(id: string, result: Result): void {
    if (this.#id !== null && this.#id !== id) return;
    // A turn that is over has started, whether or not we were told.
    this.hasStarted(id);
    this.#isOver = true;
    this.#finish();
    this.#settle({is: 'over', result});
  }

  break(failure: RunFailure): void {
    this.#settle({is: 'broken', failure});
  }

  #settle(end: TurnEnd<Result>): void {
    this.#isSettled = true;
    clearTimeout(this.#silence);
    this.#start();
    this.#end(end);
  }
}
