import type {Host} from '../host.ts';
import type {PlayedTurn} from './played-turn.ts';
import type {Repertoire, Stage, TurnStage} from './stage.ts';
import {type NamedStep, named, parseSteps, type Step, type StepName} from './step.ts';

/** Performs steps one after the other, as long as the turn lasts. The list may change meanwhile. */
export async function playAll<H extends Host, T extends PlayedTurn>(
  repertoire: Repertoire<TurnStage<H, T>>,
  steps: Step[],
  turn: T,
  host: H,
): Promise<void> {
  for (let step = steps.shift(); step !== undefined && !turn.isOver; step = steps.shift()) {
    await playIn(repertoire, step, turn, host);
  }
}

export function playIn<H extends Host, T extends PlayedTurn>(
  repertoire: Repertoire<TurnStage<H, T>>,
  step: Step,
  turn: T,
  host: H,
): unknown {
  const stage: TurnStage<H, T> = {
    host,
    turn,
    perform: (steps) => playAll(repertoire, [...parseSteps(steps)], turn, host),
  };
  return dispatch(repertoire, named(step), stage);
}

/** The performer of a step that needs no turn. */
export function anytimeOf<S extends Stage>(
  anytime: Partial<Repertoire<S>>,
  step: Step,
): (stage: S) => unknown {
  const {name} = named(step);
  const performers: {readonly [name: string]: ((step: never, stage: S) => unknown) | undefined} =
    anytime;
  const perform = Object.hasOwn(anytime, name) ? performers[name] : undefined;
  if (perform === undefined) throw new Error(`step "${name}" needs a turn`);
  return (stage) => perform(step as never, stage);
}

function dispatch<S extends Stage, N extends StepName>(
  repertoire: Repertoire<S>,
  {name, step}: NamedStep<N>,
  stage: S,
): unknown {
  return repertoire[name](step, stage);
}
