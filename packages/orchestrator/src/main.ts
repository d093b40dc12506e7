import {homedir, tmpdir} from 'node:os';
import {dirname, join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import {parseArgs} from 'node:util';
import type {Workflow} from '@symphony-supervisor/protocol';
import {
  checkProjects,
  formatComplaint,
  readWorkflow,
  type WorkflowContext,
} from '@symphony-supervisor/protocol/workflow';
import {PROFILES} from '@symphony-supervisor/tracker';
import type {Log} from './shell/log.ts';
import {Supervisor} from './shell/supervisor.ts';
import {AlreadyRunning, StoreFailure, StoreTooNew} from './store/index.ts';

// The supervisor in the foreground: `symphony-supervisor [WORKFLOW.md …]`, JSON lines on stdout.

const EXIT = {fine: 0, unexpected: 1, usage: 2, workflowInvalid: 3, alreadyRunning: 5} as const;

const HELP = `Usage: symphony-supervisor [WORKFLOW.md …] [options]

Runs in the foreground until SIGTERM or SIGINT; a second signal does not wait.

Options:
  --state-dir DIR        where it keeps its store (default: .symphony beside the first workflow)
  --logs-root DIR        where transcripts go (default: <state dir>/logs)
  --max-agents N         at most so many agents over all projects
  --shutdown-timeout MS  how long a shutdown may take (default: 30000)
  --help                 this text

Exit codes: 0 fine, 1 unexpected, 2 usage, 3 workflow invalid, 5 already running.
`;

const {values, positionals} = readArguments();
if (values.help) {
  process.stdout.write(HELP);
  process.exit(EXIT.fine);
}

const log: Log = (level, fields, message) => {
  const line = {time: new Date().toISOString(), level, ...fields, msg: message};
  process.stdout.write(`${JSON.stringify(line)}\n`);
};
process.stdout.on('error', () => {}); // a log that cannot be written does not stop the service

const paths = positionals.length > 0 ? positionals : ['WORKFLOW.md'];
const context: WorkflowContext = {
  env: process.env,
  profiles: PROFILES,
  tmpDir: tmpdir(),
  homeDir: homedir(),
  severalProjects: paths.length > 1,
};
const workflows = await readAll(paths);
if (workflows === null) process.exit(EXIT.workflowInvalid);
const stateDir = resolve(
  values['state-dir'] ?? join(dirname(resolve(paths[0] ?? '')), '.symphony'),
);

try {
  process.exitCode = await run(workflows, stateDir);
} catch (error) {
  const isForPeople = [AlreadyRunning, StoreFailure, StoreTooNew].some(
    (kind) => error instanceof kind,
  );
  if (!isForPeople) throw error;
  console.error(`symphony-supervisor: ${error instanceof Error ? error.message : error}`);
  process.exitCode = error instanceof AlreadyRunning ? EXIT.alreadyRunning : EXIT.unexpected;
}

function readArguments() {
  try {
    const parsed = parseArgs({
      allowPositionals: true,
      options: {
        'state-dir': {type: 'string'},
        'logs-root': {type: 'string'},
        'max-agents': {type: 'string'},
        'shutdown-timeout': {type: 'string', default: '30000'},
        help: {type: 'boolean', short: 'h', default: false},
      },
    });
    for (const name of ['max-agents', 'shutdown-timeout'] as const) {
      const value = parsed.values[name];
      if (value !== undefined && !/^[1-9]\d*$/.test(value)) {
        throw new Error(`--${name} is ${value}; give a whole number of at least 1`);
      }
    }
    return parsed;
  } catch (error) {
    console.error(
      `symphony-supervisor: ${error instanceof Error ? error.message : error}\n\n${HELP}`,
    );
    process.exit(EXIT.usage);
  }
}

async function run(found: readonly Workflow[], folder: string): Promise<number> {
  const here = dirname(fileURLToPath(import.meta.url));
  const starting = Supervisor.start({
    stateDir: folder,
    logsRoot: resolve(values['logs-root'] ?? join(folder, 'logs')),
    workflows: found,
    context,
    maxAgents: values['max-agents'] === undefined ? null : Number(values['max-agents']),
    environment: process.env,
    runnerPath: join(here, 'runner.js'),
    trackerThreadPath: join(here, 'tracker-thread.js'),
    log,
  });
  // Before it has started, too: who is asked to stop then stops as soon as it has.
  const stop = onceThenAtOnce(
    () => void starting.then(shutDown, () => {}),
    () => void starting.then(endNow, () => {}),
  );
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop);
  process.on('message', (message) => {
    if (message === 'shutdown') stop();
  });
  const supervisor = await starting;
  process.send?.('ready');
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      // What went wrong is on record, every run is ended, and the next start goes on from the store.
      const told = error instanceof Error ? (error.stack ?? error.message) : String(error);
      log('error', {event, error: told}, 'the supervisor ends, because it failed');
      endNow(supervisor);
    });
  }
  await supervisor.ended;
  await supervisor[Symbol.asyncDispose]();
  return EXIT.fine;
}

async function readAll(files: readonly string[]): Promise<Workflow[] | null> {
  const readings = await Promise.all(files.map((path) => readWorkflow(path, context)));
  const found = readings.flatMap((reading) => (reading.ok ? [reading.workflow] : []));
  const errors = readings.flatMap((reading) => (reading.ok ? [] : reading.errors));
  errors.push(...checkProjects(found));
  for (const complaint of [...readings.flatMap(({warnings}) => warnings), ...errors]) {
    console.error(formatComplaint(complaint));
  }
  return errors.length > 0 ? null : found;
}

function shutDown(supervisor: Supervisor): void {
  const boundMs = Number(values['shutdown-timeout']);
  // What ending an agent takes is not for `after_run`.
  supervisor.shutdown(Math.max(1000, boundMs - 10_000));
  setTimeout(() => endNow(supervisor), boundMs).unref();
}

/** A second signal means it. */
function onceThenAtOnce(first: () => void, second: () => void): () => void {
  let times = 0;
  return () => (times++ === 0 ? first() : second());
}

function endNow(supervisor: Supervisor): void {
  void supervisor[Symbol.asyncDispose]().then(() => process.exit(EXIT.unexpected));
}
