import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {type ProbeJob, type ProbeResult, RunFailure} from '@symphony-supervisor/protocol';
import {agentOf} from '../agent/kinds.ts';
import {reasonOf} from '../workspace/layout.ts';
import {agentEnvironment} from './environment.ts';
import {endLeftovers, type Room} from './room.ts';

/** Checks that the agent exists, its version, that it responds and that it is logged in, in an empty folder. */
export async function probe(job: ProbeJob, room: Room): Promise<ProbeResult> {
  const folder = await mkdtemp(join(tmpdir(), 'symphony-probe-'));
  try {
    await using _leftovers = endLeftovers(room);
    return await ask(job, room, folder);
  } finally {
    await rm(folder, {recursive: true, force: true});
  }
}

async function ask(job: ProbeJob, room: Room, folder: string): Promise<ProbeResult> {
  try {
    const agent = await agentOf(job.agent);
    const ours = {SYMPHONY_RUN_ID: job.run_id};
    const {version, logged_in, howToLogIn} = await agent.probe(job.agent, {
      ...room,
      cwd: folder,
      env: agentEnvironment(room.environment, job, ours, folder, agent.environmentPrefixes),
      onNote: (message) => room.link.report({type: 'note', message}),
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
