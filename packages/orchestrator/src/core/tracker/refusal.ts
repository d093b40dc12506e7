import type {Draft} from '../draft.ts';
import type {TrackerAnswer} from '../event.ts';
import {onShutdownRequested} from '../life/shutdown.ts';
import type {State} from '../state.ts';

/** Only the first answer counts: a tracker that worked once, or is unreachable, may work again. */
export function noteFirstRead(draft: Draft, name: string, answer: TrackerAnswer<unknown>): void {
  if (draft.loaded(name).firstRead !== null) return;
  const isRefused = !answer.ok && answer.isRefusal === true;
  draft.writeProject(name, {firstRead: isRefused ? 'refused' : 'not refused'});
}

/** No project may read its tracker: there is nothing to wait for. */
export function isRefused({projects, hasStarted}: State): boolean {
  if (!hasStarted || projects.size === 0) return false;
  return [...projects.values()].every(({firstRead}) => firstRead === 'refused');
}

export function shutDownWhenRefused(draft: Draft): void {
  if (isRefused(draft.state)) onShutdownRequested(draft, null);
}
