/**
 * Agents that were measured with their real programs: how they are started, and for the runner, by this name, how they
 * have to be treated. Any other agent of the protocol is given as a command.
 */
export const ACP_PRESETS = {
  opencode: {command: 'opencode acp'},
  'claude-agent-acp': {command: 'claude-agent-acp'},
} as const satisfies Record<string, {readonly command: string}>;

export type AcpPreset = keyof typeof ACP_PRESETS;

export const ACP_PRESET_NAMES = ['opencode', 'claude-agent-acp'] as const satisfies AcpPreset[];
