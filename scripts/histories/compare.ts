import {type Core, type Decision, type State, started} from './core.ts';
import {digestsOf} from './decision.ts';
import {Digests} from './digest.ts';
import type {Line, Step} from './recording.ts';
import {type Renames, renameInput} from './renames.ts';

/** Where a history first takes another course than the recorded one. */
export interface Difference {
  readonly history: number;
  /** The checkout that recorded. */
  readonly folder: string;
  /** From the beginning of the history; the last one is the one that differs. */
  readonly steps: readonly Step[];
}

export interface Comparison {
  readonly histories: number;
  readonly events: number;
  /** Histories that differ somewhere. */
  readonly differing: number;
  readonly first: Difference | null;
}

/** Replays recorded events with another core. What follows the first difference of a history is skipped. */
export async function compare(
  recording: AsyncIterable<Line>,
  core: Core,
  renames: Renames,
): Promise<Comparison> {
  const digests = new Digests(renames);
  let [histories, events, differing, folder] = [0, 0, 0, ''];
  let first: Difference | null = null;
  let steps: Step[] = [];
  let state: State = core.emptyState('');
  let hasDiffered = false;
  for await (const line of recording) {
    if (line.is === 'header') folder = line.folder;
    else if (line.is === 'history') {
      histories++;
      [steps, hasDiffered] = [[], false];
    } else {
      if (line.is === 'event') events++;
      if (hasDiffered) continue;
      steps.push(line);
      const decision = tryReplay(core, state, line, renames);
      if (!(decision instanceof Error)) {
        const isSame = digestsOf(digests, state, decision).join() === line.digests.join();
        state = decision.state;
        if (isSame) continue;
      }
      hasDiffered = true;
      differing++;
      first ??= {history: histories - 1, folder, steps};
    }
  }
  return {histories, events, differing, first};
}

/** An event that a core cannot decide is a difference like any other. */
export function tryReplay(
  core: Core,
  before: State,
  step: Step,
  renames: Renames,
): Decision | Error {
  try {
    return replay(core, before, step, renames);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function replay(core: Core, before: State, step: Step, renames: Renames): Decision {
  if (step.is === 'event') return core.decide(before, renameInput(step.event, renames));
  // Fields that a State has got since the recording begin as they do with a new store.
  const {state, claims, at} = step;
  const known = {...core.emptyState(state.life), ...renameInput(state, renames)};
  const stored = [...renameInput(claims, renames)].map(
    ([key, claim]) => [key, {...renames.ofClaims, ...claim}] as const,
  );
  return started(core.resumed(known, new Map(stored), at));
}
