import {sameState} from '@symphony-supervisor/protocol';
import {decide} from '../core/decide.ts';
import type {Decision} from '../core/draft.ts';
import type {Effect} from '../core/effect.ts';
import type {Event} from '../core/event.ts';
import type {State} from '../core/state.ts';
import {type Announcement, announcementsOf} from '../core/view/announcements.ts';
import type {Store} from '../store/index.ts';
import type {Log} from './log.ts';
import type {Clock} from './timers.ts';
import {Unsaved} from './unsaved.ts';

/** An event without its time, which the loop adds. */
export type Happening = Event extends infer E ? (E extends Event ? Omit<E, 'at'> : never) : never;

/** An agent's progress is written at most this often. */
const PROGRESS_MS = 1000;
const STORE_RETRY_MS = 1000;

/** Receives the announcements of each decision, and the new state. */
export type Announce = (announcements: readonly Announcement[], state: State) => void;

export interface LoopOptions {
  readonly state: State;
  readonly store: Pick<Store, 'save'>;
  readonly clock: Clock;
  /** The time of events; by default the clock's own time. */
  readonly now?: () => number;
  readonly log: Log;
  /** Before the decision is written. Must not throw. */
  readonly announce?: Announce;
  readonly perform: (effect: Effect) => void;
  /** After each event, when all its effects have been started. */
  readonly onDecided?: () => void;
}

/**
 * Owns the only State. One event at a time is decided, written, and only then acted upon; nothing is
 * awaited in between, so there is no race to reason about.
 */
export class Loop implements Disposable {
  readonly #options: LoopOptions;
  readonly #queue: Event[] = [];
  #state: State;
  #unsaved = new Unsaved();
  #isDeciding = false;
  #isDisposed = false;
  #saveTimer: unknown = null;
  /** Effects whose decision is not written yet: a start that a crash would forget must not happen. */
  #heldBack: Effect[] = [];

  constructor(options: LoopOptions) {
    this.#options = options;
    this.#state = options.state;
  }

  get state(): State {
    return this.#state;
  }

  post(happening: Happening): void {
    const {clock, now = () => clock.now()} = this.#options;
    this.#queue.push({...happening, at: now()} as Event);
    if (this.#isDeciding) return;
    this.#isDeciding = true;
    try {
      for (let event = this.#queue.shift(); event !== undefined; event = this.#queue.shift()) {
        this.#take(event);
      }
    } finally {
      this.#isDeciding = false;
    }
  }

  /** Writes everything unsaved now; after that nothing is retried. */
  [Symbol.dispose](): void {
    this.#save();
    this.#isDisposed = true;
    this.#options.clock.clearTimeout(this.#saveTimer);
  }

  #take(event: Event): void {
    const before = this.#state;
    let decision: Decision;
    try {
      decision = decide(before, event);
    } catch (error) {
      // An event that cannot be decided must neither end the supervisor nor be repeated.
      const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
      this.#options.log(
        'error',
        {event: event.type, error: trace},
        'the event could not be decided and is ignored',
      );
      return;
    }
    this.#state = decision.state;
    const {effects} = decision;
    this.#options.announce?.(announcementsOf(before, event, decision), decision.state);
    this.#unsaved.note(event, decision);
    // A store that cannot be written is retried by time: each attempt may wait for the holder of the lock.
    if (!this.#state.storeIsWritable) this.#saveIn(STORE_RETRY_MS);
    else if (isProgress(event) && !effects.some(mustWaitForStore)) this.#saveIn(PROGRESS_MS);
    else this.#save();
    for (const effect of effects) {
      if (!this.#state.storeIsWritable && mustWaitForStore(effect)) this.#heldBack.push(effect);
      else this.#options.perform(effect);
    }
    this.#options.onDecided?.();
  }

  #save(): void {
    this.#options.clock.clearTimeout(this.#saveTimer);
    this.#saveTimer = null;
    if (this.#isDisposed || (this.#unsaved.isEmpty && this.#state.storeIsWritable)) return;
    try {
      this.#options.store.save(this.#unsaved.change(this.#state));
    } catch (error) {
      this.#saveIn(STORE_RETRY_MS);
      if (!this.#state.storeIsWritable) return;
      this.#options.log('error', {error: String(error)}, 'the store cannot be written');
      // Immediately, not as a later event: the effects of this decision must already be held back.
      this.#state = {...this.#state, storeIsWritable: false};
      return;
    }
    this.#unsaved = new Unsaved();
    if (this.#state.storeIsWritable) return;
    const orders = this.#heldBack;
    this.#heldBack = [];
    this.post({type: 'store.changed', isWritable: true});
    for (const effect of orders) this.#carryOut(effect);
  }

  /** A delayed effect. In the meantime its issue may have changed or been released. */
  #carryOut(effect: Effect): void {
    if (effect.do === 'write-state' && !isAsKnown(this.#state, effect)) {
      const {key, runId} = effect;
      this.post({type: 'state.written', key, runId, answer: 'conflict'});
    } else this.#options.perform(effect);
  }

  #saveIn(delayMs: number): void {
    if (this.#isDisposed) return;
    this.#saveTimer ??= this.#options.clock.setTimeout(() => {
      this.#saveTimer = null;
      this.#save();
    }, delayMs);
  }
}

/** Reports that only change what is displayed: after a crash they are sent again. */
const PROGRESS = ['agent', 'heartbeat', 'phase', 'hello', 'hook_started', 'hook_ended'];

function isProgress(event: Event): boolean {
  return event.type === 'runner.reported' && PROGRESS.includes(event.report.type);
}

/** Effects that cannot be undone. Reads, stops, kills and timers are not held back. */
function mustWaitForStore(effect: Effect): boolean {
  return ['start-run', 'write-state', 'clean-workspace', 'finish-run'].includes(effect.do);
}

function isAsKnown(
  state: State,
  {key, runId, issue}: Extract<Effect, {do: 'write-state'}>,
): boolean {
  const claim = state.claims.get(key);
  if (claim === undefined || !('run' in claim) || claim.run?.id !== runId) return false;
  // The run is not going to start: its state is not written.
  if (claim.is === 'stopping' && claim.step === 'marking') return false;
  return sameState(claim.issue.state, issue.state);
}
