import {fileURLToPath} from 'node:url';
import type {AgentJobOf} from '@symphony-supervisor/protocol';
import {codex} from '../../src/agent/codex/agent.ts';
import {type Deed, testContract} from './contract.ts';

const SCRIPTED = fileURLToPath(
  new URL('../../../../scripts/dist/scripted-agent.js', import.meta.url),
);

/** Deeds in the words of the scripted agent. */
function stepOf(deed: Deed): unknown {
  switch (deed.is) {
    case 'say':
      return {say: deed.text, tokens: 0};
    case 'use':
      return {usage: deed.tokens};
    case 'call':
      return {tool: deed.tool, arguments: deed.args, tokens: 0};
    case 'ask':
      return {question: deed.question, tokens: 0};
    case 'fail':
      return {fail: deed.reason};
    case 'hang':
      return 'hang';
    case 'die':
      return {exit: 3};
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

testContract('Codex', {
  agent: codex,
  job: (home, turns) => {
    const script = JSON.stringify(
      turns.length === 0 ? [[]] : turns.map((deeds) => deeds.map(stepOf)),
    );
    return job('--home', home, '--script-json', script, 'app-server');
  },
  refusing: () => job('--fail-initialize', 'app-server'),
  loggedOut: () => job('--not-logged-in', 'app-server'),
});
