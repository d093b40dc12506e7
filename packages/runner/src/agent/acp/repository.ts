import {dirname, join} from 'node:path';
import {type AgentJobOf, RunFailure} from '@symphony-supervisor/protocol';
import {entriesOf} from '../../processes/files.ts';
import {presetOf} from './presets.ts';

/**
 * Refuses a workspace with configuration by which the agent would run code before anything could be asked of it. Only
 * names are looked at, in any case and whatever stands behind them: a link, a FIFO or a folder counts like a file.
 */
export async function refuseForeignCode(job: AgentJobOf<'acp'>, workspace: string): Promise<void> {
  const {configuration} = presetOf(job);
  if (job.trust_repository || configuration.length === 0) return;
  // The agent also looks in the folders above, and in the one above other agents can write.
  for (const folder of [workspace, dirname(workspace)]) {
    const names = (await entriesOf(folder)).map(({name}) => name);
    const found = names.filter((name) => configuration.includes(name.toLowerCase()));
    if (found.length === 0) continue;
    const paths = found.map((name) => join(folder, name)).join(', ');
    throw new RunFailure(
      'untrusted_repository',
      `${paths}: with this configuration the agent would run code of the repository. Remove it, or set acp.trust_repository: true`,
    );
  }
}
