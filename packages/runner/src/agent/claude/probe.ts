import type {AgentJobOf} from '@symphony-supervisor/protocol';
import type {ProbeAnswer, ProbeOptions} from '../agent.ts';
import {environmentOf, probeCommand} from './start/command.ts';
import {isSandboxed} from './start/sandbox.ts';
import {Startup} from './start/startup.ts';

/** By the handshake: a wrong key is found by the first turn, because only the model's server knows. */
export async function probeClaude(
  job: AgentJobOf<'claude'>,
  options: ProbeOptions,
): Promise<ProbeAnswer> {
  const env = environmentOf(job, options.env);
  const sandboxed = await options.stop.orStopped(isSandboxed(job, env));
  const startup = new Startup(
    job,
    probeCommand(job, {gitDirs: [], env}, sandboxed),
    {...options, env},
    {
      onRequest: async () => {
        throw new Error('nothing can be asked here');
      },
      onMessage: () => {},
      onMalformed: options.onNote,
      onHeard: () => {},
    },
  );
  try {
    const {version, isLoggedIn} = await options.stop.orStopped(startup.greet([]));
    return {
      version,
      logged_in: isLoggedIn,
      howToLogIn: 'run `claude` once and log in, or set ANTHROPIC_API_KEY',
    };
  } finally {
    await startup.control.process.end();
  }
}
