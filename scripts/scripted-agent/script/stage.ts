import type {Host} from '../host.ts';
import type {CodexHost} from '../server/codex-host.ts';
import type {Turn} from '../server/turn.ts';
import type {PlayedTurn} from './played-turn.ts';
import type {StepName, StepOrWord, StepShapes} from './step.ts';

/** Where a step takes place. */
export interface Stage<H extends Host = Host, T extends PlayedTurn = PlayedTurn> {
  readonly host: H;
  readonly turn: T | null;
}

export interface TurnStage<H extends Host = Host, T extends PlayedTurn = PlayedTurn>
  extends Stage<H, T> {
  readonly turn: T;
  /** Performs steps that are part of a step. */
  readonly perform: (steps: readonly StepOrWord[]) => Promise<void>;
}

/** Steps that are told in the words of Codex. */
export type CodexStage = TurnStage<CodexHost, Turn>;

/** Performers by step. What they return is for the test that gave the order. */
export type Performers<N extends StepName, S extends Stage> = {
  readonly [K in N]: (step: StepShapes[K], stage: S) => unknown;
};

/** All steps; one that a protocol leaves out does not compile. */
export type Repertoire<S extends Stage> = Performers<StepName, S>;
