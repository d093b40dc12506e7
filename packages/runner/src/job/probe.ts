import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {type ProbeJob, type ProbeResult, RunFailure} from '@symphony-supervisor/protocol';
import {AccountResult} from '../codex/messages.ts';
import {METHOD_NOT_FOUND} from '../codex/peer.ts';
import {CodexProcess} from '../codex/process.ts';
import {reasonOf} from '../workspace/layout.ts';
import {agentEnvironment} from './environment.ts';
import {endLeftovers, type Room} from './room.ts';

/**
 * Is the agent there, which version, does it answer, is it logged in? Asked in an empty folder and
 * without a conversation. It also spares a fresh Codex home the race of parallel first starts.
 */
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
  const agent = new CodexProcess(
    {
      command: job.codex.command,
      cwd: folder,
      env: agentEnvironment(room.environment, job, {SYMPHONY_RUN_ID: job.run_id}, folder),
      processes: room.processes,
      transcript: room.transcript,
      stop: room.stop,
    },
    {
      onRequest: async (method) => ({
        error: {code: METHOD_NOT_FOUND, message: `no ${method} here`},
      }),
      onNotification: (_method, _params, line) => room.transcript.message('<-', line),
      onMalformed: (what) => room.link.report({type: 'note', message: what}),
      onStreamed: () => {},
      onHeard: () => {},
    },
  );
  const limitMs = job.codex.read_timeout_ms;
  try {
    const userAgent = await room.stop.orStopped(agent.initialize(limitMs));
    const loggedIn = await agent.peer
      .request('account/read', {}, limitMs)
      .then(isLoggedIn, () => null);
    return {version: versionOf(userAgent), logged_in: loggedIn, failure: loginFailure(loggedIn)};
  } catch (error) {
    const failure =
      error instanceof RunFailure
        ? error.failure
        : new RunFailure('response_error', reasonOf(error)).failure;
    return {version: null, logged_in: null, failure};
  } finally {
    await agent.end();
  }
}

function isLoggedIn(answer: unknown): boolean | null {
  const result = AccountResult.safeParse(answer);
  if (!result.success) return null;
  return !result.data.requiresOpenaiAuth || (result.data.account ?? null) !== null;
}

/** An agent that could not say is given the benefit of the doubt. */
function loginFailure(loggedIn: boolean | null): ProbeResult['failure'] {
  if (loggedIn !== false) return null;
  return new RunFailure('unauthorized', 'the agent is not logged in: run `codex login` first')
    .failure;
}

/** The version is told only here: `name/0.166.0 (Debian …) …`. */
function versionOf(userAgent: string): string | null {
  return /\/(\d[^\s]*)/.exec(userAgent)?.[1] ?? null;
}
