import {type ChildProcess, fork} from 'node:child_process';
import {once} from 'node:events';
import {join} from 'node:path';
import {monitorEventLoopDelay} from 'node:perf_hooks';
import {fileURLToPath} from 'node:url';
import {type Issue, makeAttemptJob, type Workflow} from '@symphony-supervisor/protocol';
import {readWorkflow} from '@symphony-supervisor/protocol/workflow';
import {PROFILES} from '@symphony-supervisor/tracker';

// In the place of a supervisor: starts the same runners on the same jobs, and then listens to none of
// them. Arguments: the project's folder, how many. Between 'begin' and 'end' it measures its own lag, and
// says how late it was, 99 of 100 times less.

/** As the supervisor measures itself for /metrics. */
const RESOLUTION_MS = 10;
const RUNNER = fileURLToPath(
  new URL('../../../packages/orchestrator/dist/runner.cjs', import.meta.url),
);

const [folder = '', count = '0'] = process.argv.slice(2);
const context = {env: {}, profiles: PROFILES, tmpDir: folder, homeDir: folder};
const reading = await readWorkflow(join(folder, 'WORKFLOW.md'), context);
if (!reading.ok) throw new Error(JSON.stringify(reading.errors));
const runners: ChildProcess[] = [];
for (let number = 1; number <= Number(count); number++) {
  runners.push(startRunner(reading.workflow, `B-${number}`));
}

const histogram = monitorEventLoopDelay({resolution: RESOLUTION_MS});
process.on('message', async (order) => {
  if (order === 'begin') {
    histogram.enable();
    return;
  }
  histogram.disable();
  process.send?.(Math.max(0, histogram.percentile(99) / 1e6 - RESOLUTION_MS));
  // Without a host a runner ends by itself, and all that it started.
  for (const runner of runners) runner.disconnect();
  await Promise.all(runners.map((runner) => once(runner, 'exit')));
  process.exit(0);
});

function startRunner(workflow: Workflow, identifier: string): ChildProcess {
  const runId = `deaf-${process.pid}-${identifier}`;
  const job = makeAttemptJob(workflow, {
    ...{runId, issue: anIssue(identifier), tools: [], attempt: null, retry: null, thread: null},
    ...{role: 'worker', last_error: null, messages: []},
    transcriptPath: join(folder, 'transcripts', `${runId}.jsonl`),
    transcriptMaxBytes: workflow.settings.logs.maxRunBytes,
  });
  const child = fork(RUNNER, {
    env: {...process.env, SYMPHONY_RUN_ID: runId},
    ...{detached: true, execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc']},
  });
  child.once('message', () => child.send({order: 'start', job}));
  return child;
}

function anIssue(identifier: string): Issue {
  return {
    ...{id: identifier, identifier, title: identifier, description: null, priority: null},
    ...{state: 'Todo', branch_name: null, url: null, assignee_id: null, labels: []},
    ...{blocked_by: [], dispatchable: true, native_ref: null, created_at: null, updated_at: null},
  };
}
