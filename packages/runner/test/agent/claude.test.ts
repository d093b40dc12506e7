import {fileURLToPath} from 'node:url';
import type {AgentJobOf} from '@symphony-supervisor/protocol';
import {claude} from '../../src/agent/claude/agent.ts';
import {claudePlayers} from './contract/declared/claude.ts';
import {type Deed, GARBAGE, hasPermissionRequest, type ModelFailure} from './contract/deed.ts';
import {scripted} from './contract/player.ts';
import {testContract} from './contract/suite.ts';

const SCRIPTED = fileURLToPath(
  new URL('../../../../scripts/dist/scripted-agent.js', import.meta.url),
);

/** How Claude Code tells of each failure, as seen with the real one. */
const FAILURES: Readonly<Record<ModelFailure, object>> = {
  'bad-request-400': {error: 'unknown', status: 400},
  'unauthorized-401': {error: 'authentication_failed', status: 401},
  'forbidden-403': {error: 'authentication_failed', status: 403},
  'rate-limited-429': {error: 'rate_limit', status: 429},
  'server-error-500': {error: 'server_error', status: 500},
  'overloaded-529': {error: 'server_error', status: 529},
  'connection-refused': {error: 'server_error', status: null},
  'stream-cut': {error: 'server_error', status: null},
  'context-too-long': {error: 'invalid_request', status: 400, terminal: 'prompt_too_long'},
  refusal: {error: 'invalid_request', status: null},
};

/** Deeds in the words of the scripted agent. */
function stepsOf(deed: Deed): unknown[] {
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
      // It has tried again before it fails.
      return [{retrying: 1}, {fail: deed.reason, info: FAILURES[deed.by]}];
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

function job(...args: string[]): AgentJobOf<'claude'> {
  const words = [process.execPath, SCRIPTED, '--protocol', 'claude', ...args];
  return {
    ...{kind: 'claude', permission_mode: 'acceptEdits', allowed_tools: [], disallowed_tools: []},
    ...{on_permission: 'deny', sandbox: 'off', max_retries: 1},
    ...{model: null, effort: null, access: 'write'},
    ...{turn_timeout_ms: 60_000, read_timeout_ms: 30_000},
    command: `exec ${words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')}`,
  };
}

testContract(
  scripted({
    kind: 'claude',
    agent: claude,
    ...claudePlayers.scripted,
    job: (home, turns) => {
      const steps = turns.length === 0 ? [[]] : turns.map((deeds) => deeds.flatMap(stepsOf));
      const player = job('--home', home, '--script-json', JSON.stringify(steps));
      return hasPermissionRequest(turns) ? {...player, on_permission: 'ask'} : player;
    },
    refusing: () => job('--fail-initialize'),
    loggedOut: () => job('--not-logged-in'),
  }),
);
