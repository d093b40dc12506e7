import {anytimeOf, playAll, playIn} from '../script/play.ts';
import type {Repertoire, Stage, TurnStage} from '../script/stage.ts';
import type {Step} from '../script/step.ts';
import {deaths} from '../steps/endings.ts';
import {bytes} from '../steps/noise.ts';
import {once} from '../steps/once.ts';
import {pauses} from '../steps/pauses.ts';
import {survivors} from '../steps/survivors.ts';
import type {ClaudeHost} from './claude-host.ts';
import type {ClaudeTurn} from './claude-turn.ts';
import {endings} from './steps/endings.ts';
import {flood, noise} from './steps/noise.ts';
import {questions} from './steps/questions.ts';
import {speech} from './steps/speech.ts';
import {statements} from './steps/statements.ts';
import {work} from './steps/work.ts';

export type ClaudeStage = TurnStage<ClaudeHost, ClaudeTurn>;
export type AnyClaudeStage = Stage<ClaudeHost, ClaudeTurn>;

/** Steps that need no turn. */
const anytime = {...noise, ...bytes, ...survivors, ...deaths};
const within: Repertoire<ClaudeStage> = {
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

export function performAll(steps: Step[], turn: ClaudeTurn, host: ClaudeHost): Promise<void> {
  return playAll(within, steps, turn, host);
}

export function performInTurn(step: Step, turn: ClaudeTurn, host: ClaudeHost): unknown {
  return playIn(within, step, turn, host);
}

export function performAnytime(step: Step, host: ClaudeHost): unknown {
  return anytimeOf(anytime, step)({host, turn: null});
}
