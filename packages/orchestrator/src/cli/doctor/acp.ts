import type {AgentChecks, AgentOf} from './agent-checks.ts';
import {type Check, ok, skip, warn} from './check.ts';

export const acpChecks: AgentChecks<'acp'> = {
  remedies: {
    agent_not_found: 'install the agent, or set agent.command',
    agent_incompatible: 'install a version of the agent that speaks version 1 of the protocol',
    response_timeout:
      'try agent.command by hand; a slow machine needs a larger acp.start_timeout_ms',
    unauthorized: 'log in with the program of the agent, as the user that the supervisor runs as',
  },
  protection: checkPermissions,
  trySandbox: async () => skip('sandbox', 'the protocol has none'),
};

/** All that there is to rely on: what the agent asks for, and what of it is allowed. */
export function checkPermissions({options, access}: AgentOf<'acp'>): Check {
  const {preset, permissions, trust_repository: isTrusted} = options;
  const said = `permissions ${permissions}, access ${access}, no sandbox`;
  const remedy = 'keep credentials that agents must not use away from the user that agents run as';
  if (isTrusted) {
    return warn('policies', `${said}; configuration of the repository may run code`, remedy);
  }
  if (preset === null) {
    const missing =
      'whether the agent asks, and whether it runs code of the repository, is its own affair';
    return warn('policies', `${said}; ${missing}`, remedy);
  }
  return access === 'write'
    ? ok('policies', `${said}; configuration of the repository runs no code`)
    : warn('policies', `${said}: a refused request is all that holds the agent back`, remedy);
}
