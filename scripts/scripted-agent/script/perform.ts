import type {CodexHost} from '../server/codex-host.ts';
import type {Turn} from '../server/turn.ts';
import {deaths, endings} from '../steps/endings.ts';
import {bytes, flood, noise} from '../steps/noise.ts';
import {once} from '../steps/once.ts';
import {pauses} from '../steps/pauses.ts';
import {questions} from '../steps/questions.ts';
import {speech} from '../steps/speech.ts';
import {statements} from '../steps/statements.ts';
import {survivors} from '../steps/survivors.ts';
import {work} from '../steps/work.ts';
import {anytimeOf, playAll, playIn} from './play.ts';
import type {CodexStage, Repertoire} from './stage.ts';
import type {Step} from './step.ts';

/** Steps that need no turn. */
const anytime = {...noise, ...bytes, ...survivors, ...deaths};
const within: Repertoire<CodexStage> = {
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

export function performAll(steps: Step[], turn: Turn, host: CodexHost): Promise<void> {
  return playAll(within, steps, turn, host);
}

export function performInTurn(step: Step, turn: Turn, host: CodexHost): unknown {
  return playIn(within, step, turn, host);
}

export function performAnytime(step: Step, host: CodexHost): unknown {
  return anytimeOf(anytime, step)({host, turn: null});
}
