import type {Host} from '../host.ts';
import type {Turn} from '../server/turn.ts';
import {deaths, endings} from '../steps/endings.ts';
import {flood, noise} from '../steps/noise.ts';
import {once} from '../steps/once.ts';
import {pauses} from '../steps/pauses.ts';
import {questions} from '../steps/questions.ts';
import {speech} from '../steps/speech.ts';
import {statements} from '../steps/statements.ts';
import {survivors} from '../steps/survivors.ts';
import {work} from '../steps/work.ts';
import type {Stage, TurnStage} from './stage.ts';
import {
  type NamedStep,
  named,
  parseSteps,
  type Step,
  type StepName,
  type StepShapes,
} from './step.ts';

/** Steps that need no turn. */
const anytime = {...noise, ...survivors, ...deaths};
/** All steps; one that is missing here does not compile. */
const within: {
  readonly [N in StepName]: (step: StepShapes[N], stage: TurnStage) => unknown;
} = {
  ...anytime,
  ...speech,
  ...work,
  ...questions,
  ...statements,
  ...flood,
  ...pauses,
  ...once,
  ...endings,
};

/** Performs steps one after the other, as long as the turn lasts. The list may change meanwhile. */
export async function performAll(steps: Step[], turn: Turn, host: Host): Promise<void> {
  for (let step = steps.shift(); step !== undefined && !turn.isOver; step = steps.shift()) {
    await performInTurn(step, turn, host);
  }
}

export function performInTurn(step: Step, turn: Turn, host: Host): unknown {
  const stage: TurnStage = {
    host,
    turn,
    perform: (steps) => performAll([...parseSteps(steps)], turn, host),
  };
  return dispatch(named(step), stage);
}

export function performAnytime(step: Step, host: Host): unknown {
  const {name} = named(step);
  if (!Object.hasOwn(anytime, name)) throw new Error(`step "${name}" needs a turn`);
  const performers: {readonly [name: string]: (step: never, stage: Stage) => unknown} = anytime;
  return performers[name]?.(step as never, {host, turn: null});
}

function dispatch<N extends StepName>({name, step}: NamedStep<N>, stage: TurnStage): unknown {
  return within[name](step, stage);
}
