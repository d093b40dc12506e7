import {lookIntoStore} from '../client/look-into-store.ts';
import {type Check, ok, skip, warn} from './check.ts';

const SHOWN = 20;

/** Kept workspaces: each has the only copy of finished work. */
export async function checkKept(stateDir: string): Promise<Check> {
  const name = 'kept workspaces';
  try {
    const {loaded} = await lookIntoStore(stateDir);
    const kept = [...(loaded?.kept.values() ?? [])].flat();
    if (kept.length === 0) return ok(name, 'none');
    const told = kept
      .slice(0, SHOWN)
      .map(({issue, path, reason}) => `${issue.identifier} (${path}: ${reason})`);
    const more = kept.length > SHOWN ? ` and ${kept.length - SHOWN} more` : '';
    const remedy = 'push or copy their work; symphony-supervisor clean <issue> removes one';
    return warn(name, `${kept.length}: ${told.join(', ')}${more}`, remedy);
  } catch (error) {
    return skip(name, error instanceof Error ? error.message : String(error));
  }
}
