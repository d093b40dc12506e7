import type {AgentProfile} from '../profile.ts';
import type {AcpOptions} from './options.ts';
import {ACP_PRESETS} from './presets.ts';

export const acpProfile: AgentProfile = {
  name: 'an agent of the Agent Client Protocol',
  defaults: {command: null},
  commandOf: ({acp: {preset}}) => (preset === null ? null : ACP_PRESETS[preset].command),
  // Agents count the last request, or the turn without its side requests, or nothing at all.
  isMeasured: false,
  example: `# acp:
#   preset: opencode             # or claude-agent-acp; any other agent: agent.command
#   permissions: allow           # ask: a person decides on what the agent asks for`,
  resolve({acp}): AcpOptions {
    const {preset, mode, permissions, trust_repository, start_timeout_ms} = acp;
    return {kind: 'acp', preset, mode, permissions, trust_repository, start_timeout_ms};
  },
};
