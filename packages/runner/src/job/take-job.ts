import {createMask, type RunJob, secretValues, type Transport} from '@symphony-supervisor/protocol';
import {RunnerLink, type StartOrder} from '../host/link.ts';
import {RunProcesses} from '../processes/run-processes.ts';
import {Transcript} from '../transcript/transcript.ts';
import {runAttempt} from './attempt.ts';
import {clean} from './clean.ts';
import {deliverAgain} from './deliver.ts';
import type {Environment} from './environment.ts';
import {finish} from './finish.ts';
import type {JobResources} from './job-resources.ts';
import {probe} from './probe.ts';
import type {StopSignal} from './stop-signal.ts';

/** The environment of a runner in its process. */
export interface RunnerContext {
  readonly transport: Transport;
  /** For hooks and agents of a job without an environment; it does not contain secrets of the tracker. */
  readonly environment: Environment;
  /** In addition to those of the environment. */
  readonly secrets?: readonly string[];
  readonly stop: StopSignal;
  /** Receives the processes to end if this process has to exit immediately. */
  readonly onProcesses: (processes: RunProcesses) => void;
}

/**
 * The lifecycle of a runner: it sends its hello, takes the one job that it gets, and has reported the
 * result when this returns. Without its supervisor it stops on its own.
 */
export async function takeJob({
  transport,
  environment: own,
  secrets = [],
  stop,
  onProcesses,
}: RunnerContext): Promise<void> {
  let mask = createMask({values: [...secrets, ...secretValues(own)]});
  const job = await new Promise<[StartOrder, RunnerLink] | null>((resolve) => {
    const link = new RunnerLink(transport, (text) => mask(text), {
      start: (order) => resolve([order, link]),
      stop: (order) => stop.stop(order.reason, order.within_ms),
      gone: () => {
        stop.supervisorIsGone();
        resolve(null);
      },
    });
  });
  if (job === null) return;
  const [{job: runJob, environment = own}, link] = job;
  mask = createMask({
    values: [...secrets, ...secretValues(own), ...secretValues(environment)],
  });
  const resources: JobResources = {
    link,
    environment,
    stop,
    mask,
    processes: new RunProcesses(runJob.run_id, runJob.secret_names, runJob.shell),
    transcript: new Transcript(runJob.transcript_path, {
      maxBytes: runJob.transcript_max_bytes,
      mask,
      ...('agent' in runJob ? {agent: runJob.agent.kind} : {}),
      onTrouble: (message) => link.report({type: 'note', message}),
    }),
  };
  onProcesses(resources.processes);
  try {
    await perform(runJob, resources);
    await link.flush();
  } finally {
    resources.transcript.close();
    link.close();
  }
}

async function perform(job: RunJob, resources: JobResources): Promise<void> {
  const {link} = resources;
  switch (job.kind) {
    case 'attempt':
      return link.report({type: 'result', result: await runAttempt(job, resources)});
    case 'clean':
      return link.report({type: 'cleaned', outcomes: await clean(job, resources)});
    case 'finish':
      return link.report({type: 'finished', failure: await finish(job, resources)});
    case 'deliver':
      return link.report({type: 'delivered', ...(await deliverAgain(job, resources))});
    case 'probe':
      return link.report({type: 'probed', result: await probe(job, resources)});
  }
}
