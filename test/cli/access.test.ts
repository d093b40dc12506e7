import assert from 'node:assert/strict';
import {readdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {aFolder} from '../rig/fixtures/folder.ts';
import {aProject, SupervisorRig} from '../rig/supervisor.ts';
import {supervisorCommand} from '../rig/supervisor-command.ts';
import {skip, TerminalRig} from '../rig/terminal.ts';

async function exchange(url: string): Promise<number> {
  const {origin, hash} = new URL(url);
  const answer = await fetch(`${origin}/api/v1/session`, {
    method: 'POST',
    headers: {'content-type': 'application/json'},
    body: JSON.stringify({code: hash.replace('#login=', '')}),
  });
  return answer.status;
}

test('open: a link that works once, for a script only with --json, and in no log', async () => {
  await using folder = await aProject('false', []);
  await using supervisor = new SupervisorRig(folder.path, ['--port', '0']);
  await supervisor.logged('http.listening');
  const run = (...args: string[]) => supervisorCommand(args, {cwd: folder.path});
  const piped = await run('open');
  assert.equal(piped.code, 1);
  assert.equal(piped.stdout, '');
  assert.match(piped.stderr, /printed on a terminal only\n--json prints it for a script/);
  const made = await run('open', '--json');
  assert.equal(made.code, 0, made.stderr);
  const {url} = JSON.parse(made.stdout);
  assert.match(url, /^http:\/\/127\.0\.0\.1:\d+\/#login=[\w-]{22}$/);
  assert.equal(await exchange(url), 200);
  assert.equal(await exchange(url), 401);
  const proxied = await run('open', '--json', '--url', 'https://symphony.example/');
  assert.match(JSON.parse(proxied.stdout).url, /^https:\/\/symphony\.example\/#login=/);
  const logs = join(folder.path, '.symphony/logs');
  const log = await readFile(join(logs, 'supervisor.log'), 'utf8');
  assert.match(log, /session\.opened/);
  assert.doesNotMatch(log, new RegExp(`login=|${url.split('=')[1]}`));
});

test('open: without a dashboard it says what to do', async () => {
  await using folder = await aProject('false', []);
  await using supervisor = new SupervisorRig(folder.path);
  await supervisor.logged('http.listening');
  const {code, stderr} = await supervisorCommand(['open', '--json'], {cwd: folder.path});
  assert.equal(code, 1);
  assert.match(stderr, /has no dashboard\nstart the supervisor with --port/);
});

test('on a terminal the link is shown at the start, with and without the view', {
  skip,
}, async () => {
  for (const [args, shown] of [
    [['--no-tui'], /this link signs in once.*\s+http:\/\/127\.0\.0\.1:\d+\/#login=[\w-]{22}/],
    [[], /http:\/\/127\.0\.0\.1:\d+\/#login=[\w-]{22} signs a browser in, once/],
  ] as const) {
    await using folder = await aProject('false', []);
    await using terminal = new TerminalRig(['--port', '0', ...args], {cwd: folder.path});
    await terminal.shows(shown);
    const log = await readFile(join(folder.path, '.symphony/logs/supervisor.log'), 'utf8');
    assert.doesNotMatch(log, /login=/);
  }
});

test('token rotate: both files are new, with a supervisor and without', async () => {
  await using folder = await aProject('false', []);
  const tokens = () =>
    Promise.all(
      ['control-token', 'read-token'].map((name) =>
        readFile(join(folder.path, '.symphony', name), 'utf8'),
      ),
    );
  const run = (...args: string[]) => supervisorCommand(args, {cwd: folder.path});
  const seen = new Set<string>();
  {
    await using supervisor = new SupervisorRig(folder.path, ['--port', '0']);
    await supervisor.logged('http.listening');
    for (const token of await tokens()) seen.add(token);
    const rotated = await run('token', 'rotate');
    assert.equal(rotated.code, 0, rotated.stderr);
    for (const token of await tokens()) seen.add(token);
    assert.equal((await run('status')).code, 0, 'the commands use the new token');
    supervisor.process.kill('SIGTERM');
    await supervisor.exited;
  }
  assert.equal((await run('token', 'rotate', '--json')).code, 0);
  for (const token of await tokens()) seen.add(token);
  assert.equal(seen.size, 6);
  assert.equal((await run('token', 'drop')).code, 2);
});

test('token rotate: where there is no state dir, none is made', async () => {
  await using folder = await aFolder();
  const {code, stderr} = await supervisorCommand(['token', 'rotate'], {cwd: folder.path});
  assert.equal(code, 1);
  assert.match(stderr, /there is no state dir .*\ngive its folder with --state-dir/);
  assert.deepEqual(await readdir(folder.path), []);
});
