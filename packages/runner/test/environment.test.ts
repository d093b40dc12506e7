import assert from 'node:assert/strict';
import {test} from 'node:test';
import {agentEnvironment, gitCeiling, hookEnvironment} from '../src/job/environment.ts';

const BASE = {PATH: '/bin', HOME: '/home/me', OTHER: '1', LINEAR_API_KEY: 'secret', CODEX_X: '2'};

function agentSees(
  agentEnv: string[],
  command = 'codex app-server',
  base: Record<string, string> = BASE,
): Record<string, string> {
  const agent = {kind: 'codex', command} as Parameters<typeof agentEnvironment>[1]['agent'];
  const job = {secret_names: ['LINEAR_API_KEY'], agent_env: agentEnv, agent};
  return agentEnvironment(base, job, {SYMPHONY_RUN_ID: 'r'}, '/tmp/r', ['CODEX_', 'OPENAI_']);
}

test('an agent sees what is on the list, what was named for it, and a TMPDIR of its own', () => {
  const always = {
    PATH: '/bin',
    HOME: '/home/me',
    CODEX_X: '2',
    SYMPHONY_RUN_ID: 'r',
    TMPDIR: '/tmp/r',
    SHLVL: '1',
  };
  assert.deepEqual(agentSees([]), always);
  assert.deepEqual(agentSees(['OTHER']), {...always, OTHER: '1'});
  assert.deepEqual(agentSees(['*']), {...always, OTHER: '1'});
  assert.deepEqual(agentSees([], 'codex --x "${OTHER}"'), {...always, OTHER: '1'});
});

test("neither the user's sockets nor another supervisor's variables, unless they are named", () => {
  const base = {
    SSH_AUTH_SOCK: '/run/agent',
    XDG_RUNTIME_DIR: '/run/user/1',
    XDG_CONFIG_HOME: '/c',
    SYMPHONY_ISSUE_ID: 'of another run',
    'BASH_FUNC_module%%': '() { true; }',
  };
  const always = {
    XDG_CONFIG_HOME: '/c',
    'BASH_FUNC_module%%': '() { true; }',
    SYMPHONY_RUN_ID: 'r',
    TMPDIR: '/tmp/r',
    SHLVL: '1',
  };
  const sockets = {SSH_AUTH_SOCK: '/run/agent', XDG_RUNTIME_DIR: '/run/user/1'};
  assert.deepEqual(agentSees([], undefined, base), always);
  assert.deepEqual(agentSees(['*'], undefined, base), {...always, ...sockets});
  assert.deepEqual(agentSees(Object.keys(sockets), undefined, base), {...always, ...sockets});
  const named = agentSees(['SYMPHONY_ISSUE_ID'], undefined, base);
  assert.equal(named.SYMPHONY_ISSUE_ID, 'of another run');
});

test('nobody sees a secret of the tracker, however it is asked for', () => {
  for (const seen of [
    agentSees(['LINEAR_API_KEY']),
    agentSees(['*']),
    agentSees([], 'codex $LINEAR_API_KEY'),
    hookEnvironment(BASE, ['LINEAR_API_KEY'], {}),
  ]) {
    assert.equal('LINEAR_API_KEY' in seen, false);
  }
});

test('hooks see everything else', () => {
  const seen = hookEnvironment(BASE, ['LINEAR_API_KEY'], {SYMPHONY_RUN_ID: 'r'});
  assert.equal(seen.OTHER, '1');
  assert.equal(seen.SYMPHONY_RUN_ID, 'r');
});

test('the workspace root is added to the folders that git does not look into', () => {
  const name = 'GIT_CEILING_DIRECTORIES';
  assert.deepEqual(gitCeiling({}, '/ws'), {[name]: '/ws'});
  assert.deepEqual(gitCeiling({[name]: ''}, '/ws'), {[name]: '/ws'});
  assert.deepEqual(gitCeiling({[name]: '/home:/srv'}, '/ws'), {[name]: '/home:/srv:/ws'});
});
