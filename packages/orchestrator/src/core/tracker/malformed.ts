import type {MalformedRecords} from '@symphony-supervisor/protocol';
import type {Draft} from '../draft.ts';
import type {Project} from '../state.ts';

/** Logged when it changes: the same records are omitted from every list until a person corrects them. */
export function noteMalformed(
  draft: Draft,
  {name, malformed: before}: Project,
  malformed: MalformedRecords | null,
): void {
  const reason = describe(malformed);
  if (reason === describe(before)) return;
  draft.writeProject(name, {malformed});
  const log = {do: 'log', project: name} as const;
  if (reason === null) draft.order({...log, level: 'info', event: 'tracker.all_readable'});
  else draft.order({...log, level: 'warn', event: 'tracker.malformed_records', reason});
}

function describe(malformed: MalformedRecords | null): string | null {
  if (malformed === null) return null;
  return `${malformed.count} left out: ${malformed.examples.join('; ')}`;
}
