import type {AgentJobOf} from '@symphony-supervisor/protocol';
import type {ProbeAnswer, ProbeOptions} from '../agent.ts';
import {METHOD_NOT_FOUND} from '../wire/peer.ts';
import {AppServer} from './app-server.ts';
import {AccountResult} from './wire/messages.ts';

/** By the handshake, without a conversation. It also spares a fresh Codex home the race of parallel first starts. */
export async function probeCodex(
  job: AgentJobOf<'codex'>,
  options: ProbeOptions,
): Promise<ProbeAnswer> {
  const {transcript, stop, onNote} = options;
  const server = new AppServer(job.command, options, {
    onRequest: async (method) => ({
      error: {code: METHOD_NOT_FOUND, message: `no ${method} here`},
    }),
    onNotification: (_method, _params, line) => transcript.message('<-', line),
    onMalformed: onNote,
    onStreamed: () => {},
    onHeard: () => {},
  });
  const limitMs = job.read_timeout_ms;
  try {
    const userAgent = await stop.orStopped(server.initialize(limitMs));
    const isLoggedIn = await server.peer
      .request('account/read', {}, limitMs)
      .then(isLoggedInBy, () => null);
    return {
      version: versionOf(userAgent),
      logged_in: isLoggedIn,
      howToLogIn: 'run `codex login` first',
    };
  } finally {
    await server.process.end();
  }
}

function isLoggedInBy(answer: unknown): boolean | null {
  const result = AccountResult.safeParse(answer);
  if (!result.success) return null;
  return !result.data.requiresOpenaiAuth || (result.data.account ?? null) !== null;
}

/** The version is told only here: `name/0.166.0 (Debian …) …`. */
function versionOf(userAgent: string): string | null {
  return /\/(\d[^\s]*)/.exec(userAgent)?.[1] ?? null;
}
