import type {State} from '../../core/state.ts';
import {isRefused} from '../../core/tracker/refusal.ts';
import type {Listeners} from '../../http/index.ts';
import {Metrics} from '../../metrics/index.ts';
import type {Log} from '../../shell/log.ts';
import {realOutside} from '../../shell/outside.ts';
import {Supervisor} from '../../shell/supervisor.ts';
import {isHeld} from '../client/look-into-store.ts';
import {EXIT, type ExitCode, ExitWith} from '../exit.ts';
import {bundle} from '../places.ts';
import type {WorkflowFiles} from '../read-workflows.ts';
import {
  cannotListen,
  type FixedAddress,
  type ListenAddress,
  listenProblem,
} from './listen-addresses.ts';
import {forPeople} from './start-failure.ts';
import {onStopRequests} from './stop-requests.ts';

export interface Service {
  readonly files: Pick<WorkflowFiles, 'workflows' | 'context' | 'warnings'>;
  readonly stateDir: string;
  readonly logsRoot: string;
  readonly fixed: FixedAddress | null;
  /** A listener for webhooks alone. */
  readonly webhooks: ListenAddress | null;
  readonly maxAgents: number | null;
  readonly once: boolean;
  readonly shutdownTimeoutMs: number;
  readonly log: Log;
  /** It is up, and can be spoken to. What this returns lasts as long as the supervisor. */
  readonly onStarted?: (supervisor: Supervisor, listeners: Listeners) => Disposable | null;
}

/** One life of a supervisor with its listeners, from the lock to the exit code. */
export async function serve(service: Service): Promise<ExitCode> {
  for (const address of [service.fixed, service.webhooks]) {
    if (address !== null) await refuseBusyAddress(address, service.stateDir);
  }
  let listeners: Listeners | null = null;
  using metrics = new Metrics();
  const starting = start(service, metrics);
  const endNow = onStopRequests(starting, service.shutdownTimeoutMs, async () =>
    listeners?.[Symbol.asyncDispose](),
  );
  const supervisor = await starting.catch((error: unknown) => {
    throw forPeople(error);
  });
  onFailure(service.log, () => endNow(supervisor));
  try {
    listeners = await open(service, supervisor, metrics);
  } catch (error) {
    await supervisor[Symbol.asyncDispose]();
    throw cannotListen(error);
  }
  process.send?.('ready');
  {
    using _view = service.onStarted?.(supervisor, listeners) ?? null;
    await supervisor.ended;
  }
  const {state} = supervisor;
  await listeners[Symbol.asyncDispose]();
  await supervisor[Symbol.asyncDispose]();
  return conclusionOf(state);
}

/** Before anything is started: an agent that begins and is killed at once has cost something. */
async function refuseBusyAddress(address: ListenAddress, stateDir: string): Promise<void> {
  if (address.port === 0) return;
  const problem = await listenProblem(address);
  // A supervisor of this state dir is the likeliest to have the port: then that is the news.
  if (problem !== null && !isHeld(stateDir)) throw cannotListen(problem);
}

function start(service: Service, metrics: Metrics): Promise<Supervisor> {
  const {files, stateDir, logsRoot, maxAgents, once, log} = service;
  const options = {
    ...{stateDir, logsRoot, maxAgents, once, log},
    ...{observe: metrics.onDecided, observeStore: metrics.onStore},
    workflows: files.workflows,
    warnings: files.warnings,
    context: files.context,
    environment: process.env,
    runnerPath: bundle('runner.cjs'),
    trackerThreadPath: bundle('tracker-thread.js'),
  };
  return Supervisor.start(options, realOutside(options));
}

async function open(
  {stateDir, fixed, webhooks, log}: Service,
  supervisor: Supervisor,
  metrics: Metrics,
): Promise<Listeners> {
  const {openListeners} = await import('../../http/index.ts');
  const listeners = await openListeners({
    ...{api: supervisor.api, sessions: supervisor.sessions, stateDir, log, metrics},
    ...{fixed, webhooks},
    screenWebhook: (project, headers) => supervisor.webhooks.screenWebhook(project, headers),
    webhook: async (project, delivery) => {
      const judged = await supervisor.webhooks.judgeWebhook(project, delivery);
      if (judged === null) return {is: 'unknown'};
      return judged.ok ? judged.value : {is: 'failed', why: judged.failure.message};
    },
    dashboardDir: bundle('dashboard'),
    runtimeDir: process.env.XDG_RUNTIME_DIR ?? null,
  });
  const {controlUrl, url, webhookUrl} = listeners;
  void metrics.load();
  const urls = {url, control_url: controlUrl, webhook_url: webhookUrl};
  log('info', {event: 'http.listening', ...urls}, 'http.listening');
  return listeners;
}

/** What went wrong is on record, every run is ended, and the next start goes on from the store. */
function onFailure(log: Log, end: () => void): void {
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      const told = error instanceof Error ? (error.stack ?? error.message) : String(error);
      log('error', {event, error: told}, 'the supervisor exits because of an error');
      end();
    });
  }
}

function conclusionOf(state: State): ExitCode {
  if (isRefused(state)) {
    const told = [...state.projects.values()].map(
      ({name, trackerError}) => `${name}: ${trackerError}`,
    );
    const remedy = 'check the key that the workflow names; `symphony-supervisor doctor` tests it';
    const what = `the tracker refused the credentials\n${told.join('\n')}\n${remedy}`;
    throw new ExitWith(EXIT.trackerRefused, what);
  }
  const trouble = state.once?.trouble ?? [];
  if (trouble.length === 0) return EXIT.fine;
  throw new ExitWith(EXIT.unexpected, `some runs did not end normally\n${trouble.join('\n')}`);
}
