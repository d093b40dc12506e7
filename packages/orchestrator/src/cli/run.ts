import {secretValues, type Workflow} from '@symphony-supervisor/protocol';
import {type OutputStyle, openLog} from '../logging/open-log.ts';
import type {ExitCode} from './exit.ts';
import {fixedDoor} from './fixed-door.ts';
import {logsRootFor, stateDirFor} from './places.ts';
import {goodWorkflows} from './read-workflows.ts';
import type {RunOptions} from './run-command.ts';
import {serve} from './serve.ts';

/** The supervisor in the foreground, until somebody ends it. */
export async function run(given: readonly string[], options: RunOptions): Promise<ExitCode> {
  const files = await goodWorkflows(given);
  const stateDir = stateDirFor(files.paths, options.stateDir);
  const logsRoot = logsRootFor(stateDir, options.logsRoot);
  using opened = await openLog({
    logsRoot,
    level: options.logLevel,
    stdout: process.stdout,
    style: styleOf(options),
    color: process.stdout.isTTY && process.env.NO_COLOR === undefined,
    secrets: secretsOf(files.workflows),
  });
  return await serve({
    ...{files, stateDir, logsRoot, log: opened.log},
    fixed: fixedDoor(files.workflows, options),
    maxAgents: options.maxAgents ?? null,
    once: options.once === true,
    shutdownTimeoutMs: options.shutdownTimeout,
  });
}

function styleOf(_options: RunOptions): OutputStyle {
  // The view of everything (`src/terminal`) takes the place of log lines here: `none` while it is open.
  return process.stdout.isTTY ? 'pretty' : 'json';
}

/** As far as this process knows them: what is in a file of its own is read by the tracker thread only. */
export function secretsOf(workflows: readonly Workflow[]): string[] {
  const fromSettings = workflows.flatMap(({settings: {tracker}}) => [
    ...tracker.secretNames.flatMap((name) => process.env[name] ?? []),
    ...Object.values(tracker.secrets).flatMap((ref) => (ref.from === 'value' ? ref.value : [])),
  ]);
  return [...secretValues(process.env), ...fromSettings];
}
