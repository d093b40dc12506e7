import assert from 'node:assert/strict';
import {existsSync} from 'node:fs';
import {chmod, mkdir, writeFile} from 'node:fs/promises';
import {userInfo} from 'node:os';
import {join} from 'node:path';
import {test} from 'node:test';
import {aFolder} from '../../../../test/rig/fixtures/folder.ts';
import {checkControlSocket, tellOfTokens} from '../../src/cli/doctor/access.ts';
import type {AgentOf} from '../../src/cli/doctor/agent-checks.ts';
import {checkRights, checkSandbox as tryClaude} from '../../src/cli/doctor/claude.ts';
import {checkPolicies, checkSandbox} from '../../src/cli/doctor/codex.ts';
import {tryCommand} from '../../src/cli/doctor/command.ts';
import {checkBash, checkGit, checkLogin, checkNode} from '../../src/cli/doctor/machine.ts';
import {checkStateDir, checkWorkspaceRoot} from '../../src/cli/doctor/places.ts';
import {aWorkflow} from '../core/builders.ts';

function withVariable(name: string, value: string): Disposable {
  const before = process.env[name];
  process.env[name] = value;
  return {
    [Symbol.dispose]: () => {
      if (before === undefined) delete process.env[name];
      else process.env[name] = before;
    },
  };
}

/** What is found by its name, from now on: this and nothing else. */
function onlyFrom(folder: string): Disposable {
  return withVariable('PATH', folder);
}

async function program(path: string, script: string): Promise<void> {
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
}

test('a Node that is too old, and one that is not', () => {
  for (const old of ['18.20.0', '20.18.9']) assert.equal(checkNode(old).status, 'fail', old);
  for (const fine of ['20.19.0', '22.0.0']) assert.equal(checkNode(fine).status, 'ok', fine);
});

test('a machine without git and bash', async () => {
  await using folder = await aFolder();
  using _path = onlyFrom(folder.path);
  for (const check of [await checkGit(), await checkBash()]) {
    assert.ok(check !== null);
    assert.equal(check.status, 'fail', check.name);
    assert.match(check.found, /ENOENT/);
    assert.match(check.remedy ?? '', /^install/);
  }
});

test('a login profile is told with its time; a slow one and one that fails are warnings', () => {
  const profile = '/home/me/.profile';
  const good = {ok: true, variables: {}, profile} as const;
  assert.deepEqual(checkLogin({...good, tookMs: 20}), {
    ...{name: 'login shell', status: 'ok', remedy: null},
    found: 'the login profile (/home/me/.profile) took 20 ms',
  });
  assert.equal(checkLogin({...good, tookMs: 1100}).status, 'warn');
  const reason = 'it did not end within 10 s';
  const failed = checkLogin({ok: false, tookMs: 10_002, profile, reason});
  assert.equal(failed.status, 'warn');
  assert.match(failed.found, /\.profile\) could not be read \(10002 ms\): it did not end/);
});

test('what is tried for too long is asked to end first', async () => {
  await using folder = await aFolder();
  const released = join(folder.path, 'released');
  const script = `trap 'touch "${released}"; exit' TERM; while :; do sleep 0.1; done`;
  const {ok, said} = await tryCommand('bash', ['-c', script], 1000);
  assert.equal(ok, false);
  assert.match(said, /no end after 1 s$/);
  assert.ok(existsSync(released));
});

function anAgent(settings: object, options: object): AgentOf<'codex'> {
  const {agent} = aWorkflow().settings;
  assert.ok(agent.options.kind === 'codex');
  return {...agent, ...settings, options: {...agent.options, ...options}};
}

test('policies are known by their words', () => {
  const check = (options: object) => checkPolicies(anAgent({}, options)).status;
  assert.equal(check({}), 'ok');
  assert.equal(check({approval_policy: 'sometimes'}), 'warn');
  assert.equal(check({thread_sandbox: 'cardboard'}), 'warn');
});

test('the agent’s sandbox is tried where that can be done', async () => {
  await using folder = await aFolder();
  using _home = withVariable('HOME', folder.path); // not the profile of whoever runs the tests
  const codex = join(folder.path, 'codex');
  const check = (settings: object, options = {}) => checkSandbox(anAgent(settings, options), null);
  const off = await check({}, {thread_sandbox: 'danger-full-access'});
  assert.equal(off.status, 'skip');
  assert.equal((await check({command: 'other-agent'})).status, 'skip');
  await program(codex, '[ "$1" = sandbox ] && exit 0; exit 1');
  const works = await check({command: `${codex} app-server`});
  assert.deepEqual([works.status, works.found], ['ok', 'workspace-write works here']);
  await program(codex, 'echo one; echo "no user namespaces" >&2; exit 1');
  const broken = await check({command: `${codex} app-server`});
  assert.deepEqual([broken.status, broken.found], ['fail', 'no user namespaces']);
});

test('a workspace root that is there, and is not swept, is told with its room', async () => {
  const {settings, ...workflow} = aWorkflow();
  const root = userInfo().homedir;
  const check = await checkWorkspaceRoot({
    ...workflow,
    settings: {...settings, workspace: {root, keepUnpushed: true}},
  });
  assert.match(check.found, /\d+ [GM]B free$/);
});

test('a state dir that others may enter is to be looked at', async () => {
  await using folder = await aFolder();
  const stateDir = join(folder.path, 'state');
  assert.equal((await checkStateDir(stateDir)).status, 'ok', 'it would be made for its owner');
  await mkdir(stateDir, {mode: 0o700});
  assert.equal((await checkStateDir(stateDir)).status, 'ok');
  await chmod(stateDir, 0o755);
  const check = await checkStateDir(stateDir);
  assert.equal(check.status, 'warn');
  assert.match(check.found, /chmod 700/);
});

test('where the control socket is, and that an agent can read the token', async () => {
  await using folder = await aFolder();
  const path = join(folder.path, 'control.sock');
  assert.deepEqual(await checkControlSocket(folder.path, null), {
    ...{name: 'control socket', status: 'ok', found: path, remedy: null},
  });
  const pointer = {
    ...{pid: 1, started_at: '', url: 'http://127.0.0.1:1', dashboard_url: null, webhook_url: null},
    ...{token_file: 'control-token', read_token_file: 'read-token'},
  };
  await writeFile(join(folder.path, 'supervisor.json'), JSON.stringify(pointer));
  const check = await checkControlSocket(folder.path, null);
  assert.equal(check.status, 'warn');
  assert.match(check.found, /^none; commands use http:\/\/127\.0\.0\.1:1,/);
  assert.match(tellOfTokens(folder.path).found, /can read .*control-token and give orders/);
});

test('the rights of Claude Code, and what it refuses as root', () => {
  const rights = (fields: object, uid: number) => checkRights(aClaude(fields), uid);
  assert.equal(rights({}, 0).status, 'ok');
  assert.match(rights({}, 0).found, /acceptEdits.*deny.*sandbox auto.*access write/);
  assert.equal(rights({permission_mode: 'sometimes'}, 1).status, 'warn');
  assert.equal(rights({permission_mode: 'bypassPermissions'}, 1).status, 'ok');
  const refused = rights({permission_mode: 'bypassPermissions'}, 0);
  assert.equal(refused.status, 'fail');
  assert.match(refused.remedy ?? '', /another user/);
});

test('the sandbox of Claude Code is tried; without it, whether that is an error depends', async () => {
  await using folder = await aFolder();
  const path = `${folder.path}:/usr/bin:/bin`;
  const tried = (sandbox: string) => tryClaude(aClaude({sandbox}), {PATH: path});
  await program(
    join(folder.path, 'bwrap'),
    'echo "No permissions to create a namespace" >&2; exit 1',
  );
  const auto = await tried('auto');
  assert.equal(auto.status, 'warn');
  assert.match(auto.found, /not in force: No permissions/);
  assert.equal((await tried('on')).status, 'fail');
  assert.equal((await tried('off')).status, 'skip');
  await program(join(folder.path, 'bwrap'), 'exit 0');
  assert.equal((await tried('on')).status, 'ok');
});

function aClaude(fields: object): AgentOf<'claude'> {
  return {
    ...aWorkflow().settings.agent,
    options: {
      ...{kind: 'claude', permission_mode: 'acceptEdits', allowed_tools: [], disallowed_tools: []},
      ...{on_permission: 'deny', sandbox: 'auto', max_retries: 4},
      ...fields,
    },
  };
}
