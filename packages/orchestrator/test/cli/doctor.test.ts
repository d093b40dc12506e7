import assert from 'node:assert/strict';
import {chmod, writeFile} from 'node:fs/promises';
import {userInfo} from 'node:os';
import {join} from 'node:path';
import {test} from 'node:test';
import {aFolder} from '../../../../test/rig/folder.ts';
import {checkPolicies, checkSandbox} from '../../src/cli/doctor/agent.ts';
import {checkGit, checkNode, checkShell} from '../../src/cli/doctor/machine.ts';
import {checkWorkspaceRoot} from '../../src/cli/doctor/places.ts';
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
  for (const check of [await checkGit(), await checkShell()]) {
    assert.equal(check.status, 'fail', check.name);
    assert.match(check.found, /ENOENT/);
    assert.match(check.remedy ?? '', /^install/);
  }
});

test('a login shell that takes its time is told', async () => {
  await using folder = await aFolder();
  await program(join(folder.path, 'bash'), 'exec /bin/sleep 1.1');
  using _path = onlyFrom(folder.path);
  const {status, found, remedy} = await checkShell();
  assert.equal(status, 'warn');
  assert.match(found, /^bash -lc true took \d{4} ms$/);
  assert.match(remedy ?? '', /profile/);
});

test('policies are known by their words', () => {
  const check = (codex: object) => checkPolicies(aWorkflow({codex})).status;
  assert.equal(check({}), 'ok');
  assert.equal(check({approvalPolicy: 'sometimes'}), 'warn');
  assert.equal(check({threadSandbox: 'cardboard'}), 'warn');
});

test('the agent’s sandbox is tried where that can be done', async () => {
  await using folder = await aFolder();
  using _home = withVariable('HOME', folder.path); // not the profile of whoever runs the tests
  const codex = join(folder.path, 'codex');
  const check = (settings: object) => checkSandbox(aWorkflow({codex: settings}));
  assert.equal((await check({threadSandbox: 'danger-full-access'})).status, 'skip');
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
  const check = await checkWorkspaceRoot({...workflow, settings: {...settings, workspace: {root}}});
  assert.match(check.found, /\d+ [GM]B free$/);
});
