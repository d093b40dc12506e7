import {decide} from '../../packages/orchestrator/src/core/decide.ts';
import {type Decision, Draft} from '../../packages/orchestrator/src/core/draft.ts';
import type {Effect} from '../../packages/orchestrator/src/core/effect.ts';
import type {Event} from '../../packages/orchestrator/src/core/event.ts';
import {resumed} from '../../packages/orchestrator/src/core/life/resume.ts';
import {emptyState, type State} from '../../packages/orchestrator/src/core/state.ts';

export type {Decision, Effect, Event, State};

/** The functions of the core that a history calls. A comparison loads those of two checkouts. */
export interface Core {
  readonly decide: (state: State, event: Event) => Decision;
  readonly resumed: typeof resumed;
  readonly emptyState: (life: string) => State;
}

/** A start decides nothing yet: it only makes a State of what the store has. */
export function started(state: State): Decision {
  return new Draft(state, 0).done();
}

export const core: Core = {decide, resumed, emptyState};
