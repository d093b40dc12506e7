import fc from 'fast-check';
import {Table} from '../../packages/orchestrator/test/core/builders.ts';
import {HISTORY, World} from '../../packages/orchestrator/test/core/world.ts';
import {type Decision, type Event, type State, started} from './core.ts';
import {digestsOf} from './decision.ts';
import {Digests} from './digest.ts';
import type {Line} from './recording.ts';
import {NO_RENAMES} from './renames.ts';

/** Plays histories with the core of this checkout, and tells each of their events with its digests. */
export function* recordHistories(count: number, seed: number, folder: string): Generator<Line> {
  yield {is: 'header', folder};
  for (const [number, choices] of fc.sample(HISTORY, {numRuns: count, seed}).entries()) {
    yield {is: 'history', number};
    const table = new RecordingTable();
    const world = new World(table);
    yield* table.take();
    for (const choice of choices) {
      world.step(choice);
      yield* table.take();
    }
  }
}

class RecordingTable extends Table {
  readonly #digests = new Digests(NO_RENAMES);
  #lines: Line[] = [];

  constructor() {
    super();
    this.#noteStart(this.state, new Map(), this.now);
  }

  /** What has been recorded since the last time. */
  take(): Line[] {
    const lines = this.#lines;
    this.#lines = [];
    return lines;
  }

  override restart(state: State, claims: State['claims']): void {
    super.restart(state, claims);
    this.#noteStart(state, claims, this.now);
  }

  protected override decide(event: Event): Decision {
    const before = this.state;
    const decision = super.decide(event);
    const digests = digestsOf(this.#digests, before, decision);
    this.#lines.push({is: 'event', event, digests});
    return decision;
  }

  #noteStart(state: State, claims: State['claims'], at: number): void {
    const digests = digestsOf(this.#digests, state, started(this.state));
    this.#lines.push({is: 'start', state, claims, at, digests});
  }
}
