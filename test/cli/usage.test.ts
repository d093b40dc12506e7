import assert from 'node:assert/strict';
import {once} from 'node:events';
import {readdir, writeFile} from 'node:fs/promises';
import type {AddressInfo} from 'node:net';
import {createServer} from 'node:net';
import {join} from 'node:path';
import {test} from 'node:test';
import {aFolder} from '../rig/fixtures/folder.ts';
import {aProject, SupervisorRig} from '../rig/supervisor.ts';
import {supervisorCommand} from '../rig/supervisor-command.ts';

/** What, where, what to do; and never where in our program it came from. */
function isForPeople(stderr: string): void {
  assert.match(stderr, /^symphony-supervisor: /);
  assert.doesNotMatch(stderr, /\n {4}at /);
}

test('--help names every command, and every command has help of its own', async () => {
  await using folder = await aFolder();
  const {code, stdout} = await supervisorCommand(['--help'], {cwd: folder.path});
  assert.equal(code, 0);
  const names = [...stdout.matchAll(/^ {2}([a-z]+) (?=[[<])/gm)].map(([, name]) => name ?? '');
  assert.deepEqual(names.toSorted(), [
    ...[
      'actions',
      'backup',
      'clean',
      'demo',
      'dismiss',
      'doctor',
      'history',
      'init',
      'logs',
      'open',
      'pause',
      'refresh',
      'release',
      'restart',
    ],
    ...['resume', 'retry', 'run', 'status', 'stop', 'token', 'validate'],
  ]);
  for (const name of names) {
    const help = await supervisorCommand([name, '--help'], {cwd: folder.path});
    assert.equal(help.code, 0, name);
    assert.match(help.stdout, new RegExp(`^Usage: symphony-supervisor ${name}`));
  }
});

for (const [args, message] of [
  [['--prot', '1'], /unknown option '--prot'\n\(Did you mean --port\?\)/],
  [['statsu'], /no command and no workflow file "statsu"; did you mean status\?/],
  [['status', '--jsno'], /unknown option '--jsno'\n\(Did you mean --json\?\)/],
  [
    ['--port', '70000'],
    /'--port <n>' argument '70000' is invalid. Give a whole number from 0 to 65535/,
  ],
  [
    ['--log-level', 'loud'],
    /argument 'loud' is invalid. Allowed choices are debug, info, warn, error/,
  ],
  [['retry'], /missing required argument 'issue'/],
  [
    ['init', '--tracker', 'jira'],
    /argument 'jira' is invalid. Allowed choices are file, linear, github/,
  ],
] as const) {
  test(`usage: ${args.join(' ')} exits 2 with one message`, async () => {
    await using folder = await aFolder();
    const {code, stdout, stderr} = await supervisorCommand(args, {cwd: folder.path});
    assert.equal(code, 2);
    assert.equal(stdout, '');
    isForPeople(stderr);
    assert.match(stderr, message);
    assert.deepEqual(await readdir(folder.path), []);
  });
}

test('Windows is refused, clearly', async () => {
  await using folder = await aFolder();
  const windows = "Object.defineProperty(process,'platform',{value:'win32'})";
  const {code, stderr} = await supervisorCommand(['status'], {
    cwd: folder.path,
    node: ['--import', `data:text/javascript,${windows}`],
  });
  assert.equal(code, 1);
  assert.match(stderr, /^symphony-supervisor: Windows is not supported/);
});

test('a workflow file that is not there: exit 3, and how to get one; nothing is left behind', async () => {
  await using folder = await aFolder();
  const {code, stderr} = await supervisorCommand([], {cwd: folder.path});
  assert.equal(code, 3);
  isForPeople(stderr);
  assert.match(stderr, /WORKFLOW\.md:1:1: .*there is no such file\n.*init/);
  assert.deepEqual(await readdir(folder.path), []);
});

test('a missing secret: exit 3, its name, and nothing is left behind', async () => {
  await using folder = await aFolder();
  const text = '---\ntracker:\n  kind: file\n  provider: {path: $ISSUE_FOLDER_NOT_SET}\n---\n';
  await writeFile(join(folder.path, 'WORKFLOW.md'), text);
  const {code, stderr} = await supervisorCommand([], {cwd: folder.path});
  assert.equal(code, 3);
  assert.match(stderr, /WORKFLOW\.md:4:\d+: .*ISSUE_FOLDER_NOT_SET/);
  assert.deepEqual(await readdir(folder.path), ['WORKFLOW.md']);
});

test('a busy port: exit 1 before anything is started, and nothing is left behind', async () => {
  await using folder = await aProject('touch started', ['T-1']);
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const {port} = server.address() as AddressInfo;
  const {code, stderr} = await supervisorCommand(['--port', String(port)], {cwd: folder.path});
  server.close();
  assert.equal(code, 1);
  isForPeople(stderr);
  assert.match(stderr, new RegExp(`port ${port} of 127.0.0.1 is in use; choose another`));
  assert.deepEqual((await readdir(folder.path)).toSorted(), ['WORKFLOW.md', 'issues']);
});

test('a second instance exits 5, also when the first has the port', async () => {
  await using folder = await aProject('false', []);
  await using first = new SupervisorRig(folder.path, ['--port', '0']);
  await first.logged('http.listening');
  const url = first.log.find(({event}) => event === 'http.listening') as {url?: string} | undefined;
  const port = new URL(url?.url ?? '').port;
  const {code, stderr} = await supervisorCommand(['--port', port], {cwd: folder.path});
  assert.equal(code, 5);
  isForPeople(stderr);
  assert.match(stderr, new RegExp(`process ${first.process.pid}`));
});
