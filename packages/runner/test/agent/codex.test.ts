import {fileURLToPath} from 'node:url';
import type {AgentJobOf} from '@symphony-supervisor/protocol';
import {codex} from '../../src/agent/codex/agent.ts';
import {codexPlayers} from './contract/declared/codex.ts';
import {type Deed, GARBAGE, hasPermissionRequest, type ModelFailure} from './contract/deed.ts';
import {scripted} from './contract/player.ts';
import {testContract} from './contract/suite.ts';

const SCRIPTED = fileURLToPath(
  new URL('../../../../scripts/dist/scripted-agent.js', import.meta.url),
);

/** How Codex tells of each failure, as seen with the real one. */
const ERROR_INFO: Readonly<Record<ModelFailure, unknown>> = {
  'bad-request-400': 'badRequest',
  'unauthorized-401': 'unauthorized',
  'forbidden-403': {httpConnectionFailed: {httpStatusCode: 403}},
  'rate-limited-429': {responseTooManyFailedAttempts: {httpStatusCode: 429}},
  'server-error-500': 'internalServerError',
  'overloaded-529': {responseTooManyFailedAttempts: {httpStatusCode: 529}},
  'connection-refused': {httpConnectionFailed: {httpStatusCode: null}},
  'stream-cut': {responseStreamDisconnected: {httpStatusCode: null}},
  'context-too-long': 'contextWindowExceeded',
  refusal: 'other',
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
      return [{fail: deed.reason, info: ERROR_INFO[deed.by]}];
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

function job(...args: string[]): AgentJobOf<'codex'> {
  const words = ['exec', process.execPath, SCRIPTED, ...args];
  return {
    ...{kind: 'codex', approval_policy: 'never', thread_sandbox: 'workspace-write'},
    ...{turn_sandbox_policy: null, model: null, effort: null, access: 'write'},
    ...{turn_timeout_ms: 60_000, read_timeout_ms: 30_000},
    command: words
      .map((word) => `'${word.replaceAll("'", `'\\''`)}'`)
      .join(' ')
      .replace("'exec'", 'exec'),
  };
}

testContract(
  scripted({
    kind: 'codex',
    agent: codex,
    ...codexPlayers.scripted,
    job: (home, turns) => {
      const steps = turns.length === 0 ? [[]] : turns.map((deeds) => deeds.flatMap(stepsOf));
      const player = job('--home', home, '--script-json', JSON.stringify(steps), 'app-server');
      return hasPermissionRequest(turns) ? {...player, approval_policy: 'untrusted'} : player;
    },
    refusing: () => job('--fail-initialize', 'app-server'),
    loggedOut: () => job('--not-logged-in', 'app-server'),
  }),
);
