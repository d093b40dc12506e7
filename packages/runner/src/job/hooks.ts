import {
  type AttemptJob,
  type HookName,
  RunFailure,
  type RunOutcome,
  Tail,
} from '@symphony-supervisor/protocol';
import {describeExit, type Exit, type Step} from '../processes/run-processes.ts';
import type {Transcript} from '../transcript/transcript.ts';
import {assertContained} from '../workspace/contain.ts';
import type {Layout} from '../workspace/layout.ts';
import {type Environment, gitCeiling, hookEnvironment, symphonyVariables} from './environment.ts';
import type {JobResources} from './job-resources.ts';

/** For the failure message and the main log; the transcript of the run has all of it. */
const OUTPUT_TAIL_BYTES = 4096;
const KILL_GRACE_MS = 1000;

interface Hook {
  readonly name: HookName;
  readonly script: string;
  readonly cwd: string;
  readonly env: Environment;
  readonly timeoutMs: number;
}

/** The job and the issue of a hook. */
export type HookJob = Pick<AttemptJob, 'run_id' | 'secret_names' | 'hooks' | 'issue' | 'attempt'>;

export interface HookOptions {
  /** The outcome of the run, for the hook after it. */
  readonly outcome?: RunOutcome;
  /** The file in which it may report results. */
  readonly output?: string;
  /** Aborts the hook. */
  readonly cutOff?: AbortSignal;
}

/** One of a workflow's hooks in an issue's workspace; nothing happens if there is none. */
export async function runIssueHook(
  name: HookName,
  job: HookJob,
  resources: JobResources,
  layout: Layout,
  options: HookOptions = {},
): Promise<void> {
  const script = job.hooks[name];
  if (script === null) return;
  // An agent may have replaced the folder with a link: no hook runs behind one.
  await assertContained(layout);
  const variables = {
    ...symphonyVariables(job.run_id, job.issue, layout.path, job.attempt),
    ...gitCeiling(resources.environment, layout.root),
    ...(options.outcome === undefined ? {} : {SYMPHONY_OUTCOME: options.outcome}),
    ...(options.output === undefined ? {} : {SYMPHONY_OUTPUT: options.output}),
  };
  const hook: Hook = {
    name,
    script,
    cwd: layout.path,
    env: hookEnvironment(resources.environment, job.secret_names, variables),
    timeoutMs: job.hooks.timeout_ms,
  };
  await runHook(resources, hook, options.cutOff);
}

/**
 * Runs one hook to its end, or to its time limit, or until it is aborted; then all processes of its own
 * tree are ended with it. After a success its background processes keep running, because a hook may start a
 * server for the agent: they end with the run.
 */
async function runHook(
  resources: JobResources,
  hook: Hook,
  cutOff: AbortSignal | undefined,
): Promise<void> {
  cutOff?.throwIfAborted();
  const startedAt = performance.now();
  resources.link.report({type: 'hook_started', hook: hook.name});
  resources.transcript.event('hook_started', {hook: hook.name});
  const step = resources.processes.start({...hook, shell: 'sh'});
  const output = collectOutput(step, hook.name, resources.transcript);
  step.child.stdin.end();

  const failure = await failureOf(resources, hook, step, output, cutOff);
  resources.link.report({
    type: 'hook_ended',
    hook: hook.name,
    failure: failure?.failure ?? null,
    duration_ms: Math.round(performance.now() - startedAt),
    output: output.text(),
  });
  resources.transcript.event('hook_ended', {hook: hook.name, failure: failure?.failure ?? null});
  if (failure !== null) throw failure;
}

async function failureOf(
  resources: JobResources,
  hook: Hook,
  step: Step,
  output: Tail,
  cutOff: AbortSignal | undefined,
): Promise<RunFailure | null> {
  const ended = await firstOf(step, hook.timeoutMs, cutOff);
  if (ended === 'timeout' || ended === 'cut-off') {
    await resources.processes.endStep(step, resources.stop.stepLimit(KILL_GRACE_MS));
    return ended === 'cut-off'
      ? new RunFailure('hook_failed', `${hook.name} was aborted, because the run was stopped`)
      : new RunFailure('hook_timeout', `${hook.name} took longer than ${hook.timeoutMs} ms`);
  }
  if (ended.is === 'exit' && ended.code === 0) return null;
  const said = output.text().trim();
  return new RunFailure(
    'hook_failed',
    `${hook.name} ended with ${describeExit(ended)}${said === '' ? '' : `: ${said}`}`,
  );
}

async function firstOf(
  step: Step,
  timeoutMs: number,
  cutOff: AbortSignal | undefined,
): Promise<Exit | 'timeout' | 'cut-off'> {
  const cancel = new AbortController();
  const {signal} = cancel;
  const timeout = new Promise<'timeout'>((resolve) => {
    const timer = setTimeout(resolve, timeoutMs, 'timeout');
    signal.addEventListener('abort', () => clearTimeout(timer));
  });
  const stop = new Promise<'cut-off'>((resolve) => {
    if (cutOff?.aborted) resolve('cut-off');
    cutOff?.addEventListener('abort', () => resolve('cut-off'), {signal});
  });
  try {
    return await Promise.race([step.exited, timeout, stop]);
  } finally {
    cancel.abort();
  }
}

/**
 * The pipes are read for the whole run: a background process of the hook that writes to a closed pipe
 * would die.
 */
function collectOutput(step: Step, hook: HookName, transcript: Transcript): Tail {
  const tail = new Tail(OUTPUT_TAIL_BYTES);
  for (const stream of [step.child.stdout, step.child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      tail.push(chunk);
      transcript.output(`hook ${hook}`, chunk);
    });
  }
  return tail;
}
