import type {AgentJobOf} from '@symphony-supervisor/protocol';
import type {ProbeAnswer, ProbeOptions} from '../agent.ts';
import {METHOD_NOT_FOUND} from '../wire/peer.ts';
import {AcpConnection} from './connection.ts';
import {presetOf} from './presets.ts';

/** By the handshake, without a conversation. The protocol does not say whether the agent is logged in. */
export async function probeAcp(
  job: AgentJobOf<'acp'>,
  options: ProbeOptions,
): Promise<ProbeAnswer> {
  const {transcript, stop, onNote} = options;
  const env = {...options.env, ...presetOf(job).environment(job)};
  const connection = new AcpConnection(
    job.command,
    {...options, env},
    {
      onRequest: async (method) => ({
        error: {code: METHOD_NOT_FOUND, message: `there is no ${method} here`},
      }),
      onNotification: (_method, _params, line) => transcript.message('<-', line),
      onMalformed: onNote,
      onStreamed: () => {},
      onHeard: () => {},
    },
  );
  try {
    const {version, howToLogIn} = await stop.orStopped(connection.initialize(job.start_timeout_ms));
    return {version, logged_in: null, howToLogIn};
  } finally {
    await connection.process.end();
  }
}
