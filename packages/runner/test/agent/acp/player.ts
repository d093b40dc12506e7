import {fileURLToPath} from 'node:url';
import type {AgentJobOf} from '@symphony-supervisor/protocol';
import {type Deed, GARBAGE, type ModelFailure} from '../contract/deed.ts';

const SCRIPTED = fileURLToPath(
  new URL('../../../../../scripts/dist/scripted-agent.js', import.meta.url),
);

export type AcpJob = AgentJobOf<'acp'>;

/** How agents tell of each failure: with one code for a missing login, and an end for what the model refuses. */
const ERROR_INFO: Readonly<Partial<Record<ModelFailure, unknown>>> = {
  'unauthorized-401': 'unauthorized',
  refusal: {stopReason: 'refusal'},
};

/** Deeds in the words of the scripted agent. */
export function stepsOf(deed: Deed): unknown[] {
  switch (deed.is) {
    case 'say':
      return [{say: deed.text, tokens: deed.tokens}];
    case 'run':
      return [{run: deed.command, ask: deed.asks, tokens: 0}];
    case 'call':
      return [{tool: deed.tool, arguments: deed.args, tokens: 0}];
    case 'ask':
      return [{question: deed.question, tokens: 0}];
    case 'fail':
      return [{fail: deed.reason, info: ERROR_INFO[deed.by] ?? 'other'}];
    case 'hang':
      return ['hang'];
    case 'flood':
      return [{flood: deed.messages}];
    case 'garbage':
      return GARBAGE.map((raw) => ({raw}));
    case 'huge':
      return [{huge: deed.bytes}];
  }
}

/** The scripted agent, as an agent of the Agent Client Protocol. */
export function acpJob(...args: string[]): AcpJob {
  const words = [process.execPath, SCRIPTED, '--protocol', 'acp', ...args];
  const quoted = words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`);
  return {
    ...{kind: 'acp', preset: null, mode: null, permissions: 'allow', trust_repository: false},
    ...{model: null, effort: null, access: 'write', start_timeout_ms: 30_000},
    ...{turn_timeout_ms: 60_000, read_timeout_ms: 5_000},
    command: `exec ${quoted.join(' ')}`,
  };
}

/** One that performs these steps, a list for each turn. */
export function playing(home: string, turns: readonly unknown[], ...args: string[]): AcpJob {
  return acpJob('--home', home, '--script-json', JSON.stringify(turns), ...args);
}
