import {blockOf} from '../dispatch/dispatch-block.ts';
import type {Draft} from '../draft.ts';
import {errorOf, type Project, type State} from '../state.ts';
import {isProbing} from './agent.ts';
import {exit} from './shutdown.ts';

// `--once`: one tick of each project, no continuation and no refill. Remaining work stays on record as in a
// shutdown, and the next start continues it.

export function isOver(state: State, project: string): boolean {
  return state.once?.over.includes(project) ?? false;
}

/** What did not end normally; reported to the caller of `--once`. */
export function noteTrouble(draft: Draft, what: string): void {
  const {once} = draft.state;
  if (once !== null) draft.write({once: {...once, trouble: [...once.trouble, what]}});
}

/** After each event: a finished tick closes its project, and the end of the last run ends everything. */
export function exitAfterOnce(draft: Draft): void {
  if (draft.state.once === null) return;
  for (const project of [...draft.state.projects.values()]) {
    if (!isOver(draft.state, project.name) && hasTicked(project)) close(draft, project);
  }
  const {hasStarted, projects, once} = draft.state;
  if (!hasStarted || once.over.length < projects.size) return;
  for (const {is} of draft.claims.values()) if (is === 'running' || is === 'stopping') return;
  exit(draft);
}

/** The first tick begins with the project; what it found is dispatched once the agent is known. */
function hasTicked(project: Project): boolean {
  return project.poll.is === 'waiting' && !isProbing(project);
}

function close(draft: Draft, project: Project): void {
  const why = blockOf(draft.state, project, draft.at) ?? errorOf(project);
  if (why !== null) noteTrouble(draft, `${project.name}: ${why}`);
  const {once} = draft.state;
  if (once !== null) draft.write({once: {...once, over: [...once.over, project.name]}});
}
