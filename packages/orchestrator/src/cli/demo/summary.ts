import type {SupervisorApi} from '../../shell/api/supervisor-api.ts';
import {tokens} from '../../view/words.ts';
import {table} from '../table.ts';
import {commitOf, type DemoFolder, demoStates} from './folder.ts';
import {DEMO_ISSUES} from './issues.ts';

/** The result of each issue: its state, what it cost, and its commit. */
export async function summary(folder: DemoFolder, api: SupervisorApi): Promise<string> {
  const states = await demoStates(folder);
  const rows = await Promise.all(
    DEMO_ISSUES.map(async ({id, priority}) => {
      const found = await api.issue(id, null);
      const totals = found.is === 'found' ? found.value.totals : null;
      return [
        id,
        priority === null ? '–' : String(priority),
        states.get(id) ?? '?',
        String(totals?.runs ?? 0),
        totals === null ? '0' : tokens(totals, String),
        await commitOf(folder, id),
      ];
    }),
  );
  return table(['ISSUE', 'PRIORITY', 'STATE', 'RUNS', 'TOKENS', 'COMMIT'], rows);
}
