import {join} from 'node:path';
import {readWorkflow} from '@symphony-supervisor/protocol/workflow';
import {PROFILES} from '@symphony-supervisor/tracker';
import {Supervisor, type SupervisorOptions} from 'symphony-supervisor/supervisor';

/**
 * A supervisor on a project's folder in this very process, for what its command offers no option for.
 * `dist` is where the bundles are.
 */
export async function startHere(
  folder: string,
  dist: string,
  options: Partial<SupervisorOptions>,
): Promise<Supervisor> {
  const context = {env: process.env, profiles: PROFILES, tmpDir: folder, homeDir: folder};
  const reading = await readWorkflow(join(folder, 'WORKFLOW.md'), context);
  if (!reading.ok) throw new Error(JSON.stringify(reading.errors));
  return Supervisor.start({
    stateDir: join(folder, '.symphony'),
    logsRoot: join(folder, '.symphony/logs'),
    workflows: [reading.workflow],
    context,
    maxAgents: null,
    environment: process.env,
    runnerPath: join(dist, 'runner.cjs'),
    trackerThreadPath: join(dist, 'tracker-thread.js'),
    log: () => {},
    ...options,
  });
}

/** As its command does: in order, and then the process is gone. */
export function endOnSigterm(supervisor: Supervisor): void {
  process.once('SIGTERM', () => supervisor.shutdown(10_000));
  void supervisor.ended.then(async () => {
    await supervisor[Symbol.asyncDispose]();
    process.exit(0);
  });
}
