import type {Snapshot} from '@symphony-supervisor/protocol';
import type {State} from '../core/state.ts';
import {type Surroundings, snapshotOf} from '../core/view/snapshot.ts';
import type {Clock} from './timers.ts';

/** One version of the snapshot, serialized once for all watchers. */
export interface Publication {
  /** Increases by one; a watcher that has the last one has missed nothing. */
  readonly id: number;
  readonly snapshot: Snapshot;
  readonly json: string;
}

export type OnPublication = (publication: Publication) => void;

/** Often enough to look live; a thousand events between two snapshots cost nothing. */
const PUBLISH_MS = 250;

/**
 * Publishes the state. A snapshot is made on request, and for watchers at most a few times a second, and only
 * after a change.
 */
export class Publisher implements Disposable {
  readonly #state: () => State;
  readonly #clock: Clock;
  readonly #surroundings: Surroundings;
  readonly #watchers = new Set<OnPublication>();
  #timer: unknown = null;
  #last: Publication | null = null;
  #lastState: State | null = null;
  #publishedId = 0;

  constructor(state: () => State, clock: Clock, surroundings: Surroundings) {
    this.#state = state;
    this.#clock = clock;
    this.#surroundings = surroundings;
  }

  /** The current state. */
  get snapshot(): Snapshot {
    return snapshotOf(this.#state(), this.#clock.now(), this.#surroundings);
  }

  /** The newest version: the next one follows it. */
  get current(): Publication {
    const state = this.#state();
    if (this.#last === null || this.#lastState !== state) this.#make(state);
    return this.#last as Publication;
  }

  /** Something may have changed. Called for every event, so it must be cheap. */
  noteChange(): void {
    if (this.#watchers.size === 0 || this.#timer !== null) return;
    this.#timer = this.#clock.setTimeout(() => {
      this.#timer = null;
      this.#publish();
    }, PUBLISH_MS);
  }

  watch(watcher: OnPublication): Disposable {
    this.#watchers.add(watcher);
    return {[Symbol.dispose]: () => void this.#watchers.delete(watcher)};
  }

  get watchers(): number {
    return this.#watchers.size;
  }

  [Symbol.dispose](): void {
    this.#clock.clearTimeout(this.#timer);
    this.#watchers.clear();
  }

  #publish(): void {
    const publication = this.current;
    // A snapshot may have been made on request since the change; the watchers have not seen it.
    if (publication.id === this.#publishedId) return;
    this.#publishedId = publication.id;
    for (const watcher of this.#watchers) watcher(publication);
  }

  #make(state: State): void {
    const {snapshot} = this;
    this.#lastState = state;
    this.#last = {id: (this.#last?.id ?? 0) + 1, snapshot, json: JSON.stringify(snapshot)};
  }
}
