import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {type ProbeJob, type ProbeResult, RunFailure} from '@symphony-supervisor/protocol';
import {agentOf} from '../agent/kinds.ts';
import {reasonOf} from '../workspace/layout.ts';
import {agentEnvironment} from './environment.ts';
import {endLeftovers, type JobResources} from './job-resources.ts';

/** Checks that the agent exists, its version, that it responds and that it is logged in, in an empty folder. */
export async function probe(job: ProbeJob, resources: JobResources): Promise<ProbeResult> {
  const folder = await mkdtemp(join(tmpdir(), 'symphony-probe-'));
  try {
    await using _leftovers = endLeftovers(resources);
    return await ask(job, resources, folder);
  } finally {
    await rm(folder, {recursive: true, force: true});
  }
}

async function ask(job: ProbeJob, resources: JobResources, folder: string): Promise<ProbeResult> {
  try {
    const agent = await agentOf(job.agent);
    const ours = {SYMPHONY_RUN_ID: job.run_id};
    const {version, logged_in, howToLogIn} = await agent.probe(job.agent, {
      ...resources,
      cwd: folder,
      env: agentEnvironment(resources.environment, job, ours, folder, agent.environmentPrefixes),
      onNote: (message) => resources.link.report({type: 'note', message}),
    });
    // An agent that could not report its login counts as logged in.
    const failure = logged_in === false ? notLoggedIn(howToLogIn) : null;
    return {version, logged_in, failure};
  } catch (error) {
    const failure =
      error instanceof RunFailure ? error : new RunFailure('response_error', reasonOf(error));
    return {version: null, logged_in: null, failure: failure.failure};
  }
}

function notLoggedIn(howToLogIn: string): ProbeResult['failure'] {
  return new RunFailure('unauthorized', `the agent is not logged in: ${howToLogIn}`).failure;
}
