import type {Host} from '../host.ts';
import type {Turn} from '../server/turn.ts';
import type {StepName, StepOrWord, StepShapes} from './step.ts';

/** Where a step takes place. */
export interface Stage {
  readonly host: Host;
  readonly turn: Turn | null;
}

export interface TurnStage extends Stage {
  readonly turn: Turn;
  /** Performs steps that are part of a step. */
  readonly perform: (steps: readonly StepOrWord[]) => Promise<void>;
}

/** Performers by step. What they return is for the test that gave the order. */
export type Performers<N extends StepName, S extends Stage> = {
  readonly [K in N]: (step: StepShapes[K], stage: S) => unknown;
};
