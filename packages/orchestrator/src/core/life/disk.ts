import type {Draft} from '../draft.ts';
import type {Project} from '../state.ts';

/** A run that begins on a full disk only fails, and costs tokens: it waits until there is space. */
export function onDiskChecked(draft: Draft, project: Project, shortage: string | null): void {
  if (project.shortage === shortage) return;
  draft.writeProject(project.name, {shortage});
  const log = {do: 'log', project: project.name} as const;
  if (shortage === null) {
    draft.order({...log, level: 'info', event: 'disk.has_room'});
    draft.refill();
  } else draft.order({...log, level: 'error', event: 'disk.full', reason: shortage});
}
