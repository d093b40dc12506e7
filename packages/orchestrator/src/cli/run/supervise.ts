import {secretValues, type Workflow} from '@symphony-supervisor/protocol';
import type {Listeners} from '../../http/index.ts';
import {openLog} from '../../logging/open-log.ts';
import type {Supervisor} from '../../shell/supervisor.ts';
import type {ExitCode} from '../exit.ts';
import {logsRootFor, stateDirFor} from '../places.ts';
import {goodWorkflows} from '../read-workflows.ts';
import {fixedAddress, webhookAddress} from './listen-addresses.ts';
import type {RunOptions} from './run-command.ts';
import {serve} from './serve.ts';
import {terminalView} from './view.ts';

/** The supervisor in the foreground: from the workflow files to the exit code. */
export async function supervise(given: readonly string[], options: RunOptions): Promise<ExitCode> {
  const files = await goodWorkflows(given);
  const stateDir = stateDirFor(files.paths, options.stateDir);
  const logsRoot = logsRootFor(stateDir, options.logsRoot);
  const hasColour = process.stdout.isTTY && process.env.NO_COLOR === undefined;
  const isViewed = process.stdout.isTTY && options.tui && options.once !== true;
  using opened = await openLog({
    logsRoot,
    level: options.logLevel,
    stdout: process.stdout,
    style: isViewed ? 'none' : process.stdout.isTTY ? 'pretty' : 'json',
    color: hasColour,
    secrets: secretsOf(files.workflows),
  });
  const view = isViewed ? await terminalView(opened.log, hasColour) : null;
  return await serve({
    ...{files, stateDir, logsRoot, log: view?.log ?? opened.log},
    fixed: fixedAddress(files.workflows, options),
    webhooks: webhookAddress(files.workflows),
    maxAgents: options.maxAgents ?? null,
    once: options.once === true,
    shutdownTimeoutMs: options.shutdownTimeout,
    onStarted: view?.open ?? (options.once === true ? () => null : printLink),
  });
}

/** On a terminal only: the link signs its reader in, and a pipe may lead to a log. */
function printLink(_supervisor: Supervisor, {makeLink}: Listeners): null {
  const url = process.stdout.isTTY ? (makeLink()?.url ?? null) : null;
  if (url !== null) console.log(`Dashboard (this link signs in once, within ten minutes):\n${url}`);
  return null;
}

/** As far as this process knows them: a secret in a file is read by the tracker thread only. */
export function secretsOf(workflows: readonly Workflow[]): string[] {
  const fromSettings = workflows.flatMap(({settings: {tracker}}) => [
    ...tracker.secretNames.flatMap((name) => process.env[name] ?? []),
    ...Object.values(tracker.secrets).flatMap((ref) => (ref.from === 'value' ? ref.value : [])),
  ]);
  return [...secretValues(process.env), ...fromSettings];
}
