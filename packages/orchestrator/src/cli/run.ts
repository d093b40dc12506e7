import {secretValues, type Workflow} from '@symphony-supervisor/protocol';
import {isRefused} from '../core/refusal.ts';
import type {State} from '../core/state.ts';
import {type OpenLog, type OutputStyle, openLog} from '../logging/open-log.ts';
import {Supervisor} from '../shell/supervisor.ts';
import {EXIT, type ExitCode, ExitWith} from './exit.ts';
import {bundle, logsRootFor, stateDirFor} from './places.ts';
import {goodWorkflows, type WorkflowFiles} from './read-workflows.ts';
import type {RunOptions} from './run-command.ts';
import {forPeople} from './start-failure.ts';
import {onStopRequests} from './stop-requests.ts';

/** The supervisor in the foreground, until somebody ends it. */
export async function run(given: readonly string[], options: RunOptions): Promise<ExitCode> {
  const files = await goodWorkflows(given);
  const stateDir = stateDirFor(files.paths, options.stateDir);
  const logsRoot = logsRootFor(stateDir, options.logsRoot);
  using log = await openLog({
    logsRoot,
    level: options.logLevel,
    stdout: process.stdout,
    style: styleOf(options),
    color: process.stdout.isTTY && process.env.NO_COLOR === undefined,
    secrets: secretsOf(files.workflows),
  });
  return serve(files, {...options, stateDir, logsRoot}, log);
}

export interface Service extends RunOptions {
  readonly stateDir: string;
  readonly logsRoot: string;
  /** Called when it is up, with what to do from then on. */
  readonly onStarted?: (supervisor: Supervisor) => void;
}

export async function serve(
  {workflows, context}: Pick<WorkflowFiles, 'workflows' | 'context'>,
  service: Service,
  {log}: OpenLog,
): Promise<ExitCode> {
  const starting = Supervisor.start({
    stateDir: service.stateDir,
    logsRoot: service.logsRoot,
    workflows,
    context,
    maxAgents: service.maxAgents ?? null,
    once: service.once === true,
    environment: process.env,
    runnerPath: bundle('runner.js'),
    trackerThreadPath: bundle('tracker-thread.js'),
    log,
  });
  const endNow = onStopRequests(starting, service.shutdownTimeout);
  const supervisor = await starting.catch((error: unknown) => {
    throw forPeople(error);
  });
  process.send?.('ready');
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      // What went wrong is on record, every run is ended, and the next start goes on from the store.
      const told = error instanceof Error ? (error.stack ?? error.message) : String(error);
      log('error', {event, error: told}, 'the supervisor ends, because it failed');
      endNow(supervisor);
    });
  }
  service.onStarted?.(supervisor);
  await supervisor.ended;
  const {state} = supervisor;
  await supervisor[Symbol.asyncDispose]();
  return conclusionOf(state);
}

function conclusionOf(state: State): ExitCode {
  if (isRefused(state)) {
    const told = [...state.projects.values()].map(({name, lastError}) => `${name}: ${lastError}`);
    const remedy = 'check the key that the workflow names; `symphony-supervisor doctor` tries it';
    const what = `the tracker refused our credentials\n${told.join('\n')}\n${remedy}`;
    throw new ExitWith(EXIT.trackerRefused, what);
  }
  const trouble = state.once?.trouble ?? [];
  if (trouble.length === 0) return EXIT.fine;
  throw new ExitWith(EXIT.unexpected, `not everything ended normally\n${trouble.join('\n')}`);
}

function styleOf(_options: RunOptions): OutputStyle {
  // The view of everything (`src/terminal`) takes the place of log lines here: `none` while it is open.
  return process.stdout.isTTY ? 'pretty' : 'json';
}

/** As far as this process knows them: what is in a file of its own is read by the tracker thread only. */
function secretsOf(workflows: readonly Workflow[]): string[] {
  const fromSettings = workflows.flatMap(({settings: {tracker}}) => [
    ...tracker.secretNames.flatMap((name) => process.env[name] ?? []),
    ...Object.values(tracker.secrets).flatMap((ref) => (ref.from === 'value' ? ref.value : [])),
  ]);
  return [...secretValues(process.env), ...fromSettings];
}
