import {randomUUID} from 'node:crypto';
import {mkdir, writeFile} from 'node:fs/promises';
import {homedir, tmpdir} from 'node:os';
import {dirname, join, resolve} from 'node:path';
import {
  type AttemptJob,
  type Issue,
  localTransports,
  makeAttemptJob,
  profileNamed,
  profileOf,
  type RunProfile,
  secretValues,
  WORKER,
  type Workflow,
  workspaceKey,
} from '@symphony-supervisor/protocol';
import {formatComplaint, readWorkflow} from '@symphony-supervisor/protocol/workflow';
import {PROFILES} from '@symphony-supervisor/tracker';
import {firstMessage} from './conversation/first-message.ts';
import {StopSignal} from './job/stop-signal.ts';
import {takeJob} from './job/take-job.ts';
import type {RunProcesses} from './processes/run-processes.ts';
import {type Arguments, HELP, parseArguments, UsageError} from './standalone/arguments.ts';
import {environmentFor} from './standalone/environment.ts';
import {ExitWith} from './standalone/exit.ts';
import {findIssue, trackerFor} from './standalone/find-issue.ts';
import {StandaloneHost} from './standalone/host.ts';
import {ProgressPrinter} from './standalone/print.ts';
import {VERSION} from './version.ts';

// `symphony-runner`: the same runner as under a supervisor; only the host differs.

try {
  process.exitCode = await main();
} catch (error) {
  if (error instanceof UsageError) {
    console.error(`symphony-runner: ${error.message}\n\n${HELP}`);
    process.exitCode = 2;
  } else if (error instanceof ExitWith) {
    console.error(`symphony-runner: ${error.message}`);
    process.exitCode = error.exitCode;
  } else throw error;
}

async function main(): Promise<number> {
  const asked = parseArguments(process.argv.slice(2));
  if (asked === 'help') return say(HELP.trimEnd());
  if (asked === 'version') return say(VERSION);

  const file = await loadWorkflow(asked);
  await using tracker = await trackerFor(file.settings.tracker, asked.issueFile, process.env);
  const issue = await findIssue(tracker, file.settings.tracker, asked.identifier, asked.issueFile);
  const {role, workflow} = profileFor(asked, file, issue);
  const runId = randomUUID();
  const stateDir = join(dirname(resolve(asked.workflow)), '.symphony');
  const job = makeAttemptJob(workflow, {
    ...{runId, issue, role, tools: tracker.tools(issue)},
    ...{attempt: null, retry: null, last_error: null, messages: [], thread: null},
    transcriptPath: join(stateDir, 'logs', 'runs', `${runId}.jsonl`),
    transcriptMaxBytes: workflow.settings.logs.maxRunBytes,
  });
  if (asked.printPrompt) {
    return say(
      await firstMessage(job, join(job.workspace_root, workspaceKey(issue.identifier)), null),
    );
  }
  await makeStateDir(stateDir);

  const print = new ProgressPrinter(console.log, job.max_turns);
  const [ours, theirs] = localTransports();
  const host = new StandaloneHost(ours, tracker, workflow.settings.tracker, issue, (report) => {
    if (asked.json) console.log(JSON.stringify(report));
    else print.report(report);
  });
  if (!asked.json) print.issue(issue);
  await run(theirs, job, () => host.start(job));
  const result = await host.result;
  if (result === null) throw new ExitWith(1, 'the run ended without a result');
  if (!asked.json) print.result(issue.identifier, result, job.transcript_path);
  return result.outcome === 'succeeded' ? 0 : 1;
}

async function loadWorkflow(asked: Arguments): Promise<Workflow> {
  const reading = await readWorkflow(asked.workflow, {
    env: process.env,
    profiles: PROFILES,
    tmpDir: tmpdir(),
    homeDir: homedir(),
    ...(asked.agent === null ? {} : {agentKind: asked.agent}),
  });
  for (const warning of reading.warnings) console.error(formatComplaint(warning));
  if (!reading.ok) throw new ExitWith(3, reading.errors.map(formatComplaint).join('\n'));
  return reading.workflow;
}

/** By the rules of the file, as a supervisor chooses, or the role that was asked for. */
function profileFor({role: asked, maxTurns}: Arguments, file: Workflow, issue: Issue): RunProfile {
  const found = asked === null ? profileOf(file, issue) : profileNamed(file, asked);
  if (asked !== null && found.role !== asked) {
    const known = [WORKER, ...(file.roles ?? []).map(({name}) => name)].join(', ');
    throw new ExitWith(2, `there is no role ${asked}; the workflow has ${known}`);
  }
  const {role, workflow} = found;
  if (maxTurns === null) return found;
  const agent = {...workflow.settings.agent, maxTurns};
  return {role, workflow: {...workflow, settings: {...workflow.settings, agent}}};
}

/** Ctrl-C asks; a second one ends it immediately. */
async function run(
  line: Parameters<typeof takeJob>[0]['transport'],
  job: AttemptJob,
  begin: () => void,
): Promise<void> {
  const stop = new StopSignal();
  let processes: RunProcesses | null = null;
  const onSignal = (): void => {
    if (stop.reason !== null) {
      processes?.killAll();
      process.exit(1);
    }
    console.error('stopping; press again to end it immediately');
    stop.stop('stopped_by_operator');
  };
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, onSignal);
  const working = takeJob({
    transport: line,
    environment: await environmentFor(job, process.env, stop.signal),
    secrets: secretValues(process.env),
    stop,
    onProcesses: (started) => {
      processes = started;
    },
  });
  begin();
  await working;
}

/** The folder is inside the user's repository and must not be committed. */
async function makeStateDir(stateDir: string): Promise<void> {
  await mkdir(stateDir, {recursive: true, mode: 0o700});
  await writeFile(join(stateDir, '.gitignore'), '*\n', {flag: 'wx'}).catch(() => {});
}

function say(text: string): 0 {
  console.log(text);
  return 0;
}
