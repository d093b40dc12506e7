import assert from 'node:assert/strict';
import {once} from 'node:events';
import {readdir} from 'node:fs/promises';
import {type AddressInfo, createServer} from 'node:net';
import {test} from 'node:test';
import {AgentPuppet} from '@symphony-supervisor/scripts/puppet';
import {aProject} from '../rig/supervisor.ts';
import {supervisorCommand} from '../rig/supervisor-command.ts';

interface Check {
  readonly name: string;
  readonly status: string;
  readonly found: string;
  readonly remedy: string | null;
}

async function checks(cwd: string, args: readonly string[] = []) {
  const {code, stdout} = await supervisorCommand(['doctor', '--json', ...args], {cwd});
  const list: Check[] = JSON.parse(stdout).checks;
  return {code, by: new Map(list.map((check) => [check.name, check]))};
}

test('all is well: exit 0, the version of the agent, and nothing is left behind', async () => {
  await using puppet = await AgentPuppet.listen();
  await using folder = await aProject(puppet.command, ['T-1']);
  const {code, by} = await checks(folder.path);
  assert.equal(code, 0);
  const names = [
    ...['node', 'git', 'login shell', 'workflow', 'state dir', 'kept workspaces', 'control socket'],
    ...['tokens', 'tracker', 'agent'],
  ];
  for (const name of names) {
    assert.equal(by.get(name)?.status, 'ok', `${name}: ${by.get(name)?.found}`);
  }
  assert.match(by.get('agent')?.found ?? '', /version \d/);
  assert.match(by.get('issues')?.found ?? '', /^in active states: Todo 1; in others: none$/);
  assert.equal(by.get('workspace root')?.status, 'warn', 'a temporary folder is not kept');
  assert.deepEqual((await readdir(folder.path)).toSorted(), ['WORKFLOW.md', 'issues']);
});

test('each trouble is told with how to mend it; exit 1', async () => {
  const settings = {
    tracker: {kind: 'file', provider: {path: './none'}},
    workspace: {root: '/proc/none/workspaces'},
    codex: {command: 'no-such-agent', approval_policy: 'sometimes'},
  };
  await using folder = await aProject('', [], settings);
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const {port} = server.address() as AddressInfo;
  const {code, by} = await checks(folder.path, [
    '--port',
    String(port),
    '--state-dir',
    '/proc/none',
  ]);
  server.close();
  assert.equal(code, 1);
  for (const name of ['tracker', 'workspace root', 'agent', 'port', 'state dir']) {
    assert.equal(by.get(name)?.status, 'fail', name);
    assert.ok((by.get(name)?.remedy ?? '').length > 10, name);
  }
  assert.match(by.get('agent')?.found ?? '', /agent_not_found/);
  assert.equal(by.get('policies')?.status, 'warn');
});

test('an agent that is not logged in', async () => {
  await using puppet = await AgentPuppet.listen({args: ['--not-logged-in']});
  await using folder = await aProject(puppet.command, []);
  const {code, by} = await checks(folder.path);
  assert.equal(code, 1);
  assert.equal(by.get('agent')?.status, 'ok');
  assert.match(by.get('login')?.remedy ?? '', /codex login/);
});

test('what a file lacks keeps nothing else from being checked', async () => {
  const tracker = {kind: 'linear', provider: {project_slug: 'web'}};
  const codex = {command: 'no-such-agent'};
  await using folder = await aProject('', [], {tracker, codex, workspace: {root: '/proc/none'}});
  const env = {LINEAR_API_KEY: ''};
  const {code, stdout} = await supervisorCommand(['doctor'], {cwd: folder.path, env});
  assert.equal(code, 1);
  assert.match(stdout, /FAIL {2}workflow: .*LINEAR_API_KEY is not set/);
  assert.match(stdout, /– {5}tracker: not checked/);
  assert.match(stdout, /FAIL {2}workspace root/);
  assert.match(stdout, /FAIL {2}agent: no-such-agent: agent_not_found/);
  assert.match(stdout, /not ready: 3 errors, 0 warnings/);
  assert.doesNotMatch(stdout, /lists all of it/);
});

test('a repository that cannot be cloned, a script with a mistake, and a program that is missing', async () => {
  await using puppet = await AgentPuppet.listen();
  const hooks = {
    after_create: 'git clone --quiet --depth 1 -- /nowhere/repository.git .\n',
    before_run: 'if true; then echo "no end"',
    after_run: 'make-it-so --now && echo done # nothing-here\n',
  };
  await using folder = await aProject(puppet.command, ['T-1'], {hooks});
  const {code, by} = await checks(folder.path);
  assert.equal(code, 1);
  assert.equal(by.get('clone')?.status, 'fail');
  assert.match(by.get('clone')?.found ?? '', /nowhere\/repository\.git.*does not/);
  assert.equal(by.get('hooks.before_run')?.status, 'fail');
  assert.match(by.get('hooks.after_run')?.found ?? '', /^not found: make-it-so$/);
  assert.equal(by.get('hooks.after_create')?.status, 'ok');
});

test('a folder of issues that is missing has one remedy', async () => {
  const tracker = {kind: 'file', provider: {path: './none'}};
  await using folder = await aProject('true', [], {tracker});
  const {by} = await checks(folder.path);
  assert.match(by.get('tracker')?.remedy ?? '', /^create the folder/);
});

test('what a role may do to its workspace is told where it differs', async () => {
  await using puppet = await AgentPuppet.listen();
  const when = {labels: ['x']};
  const roles = {
    look: {when, access: 'read'},
    see: {when, access: 'read'},
    fast: {when, model: 'm'},
  };
  await using folder = await aProject(puppet.command, ['T-1'], {roles});
  const {by} = await checks(folder.path);
  assert.match(by.get('policies')?.found ?? '', /sandbox workspace-write, access write/);
  const names = [...by.keys()].filter((name) => name.includes('role'));
  assert.deepEqual(names, ['policies (role look)']);
  assert.match(by.get('policies (role look)')?.found ?? '', /sandbox read-only, access read/);
});
