import assert from 'node:assert/strict';
import {once} from 'node:events';
import {mkdir, readdir, readFile, rename, stat, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {AgentPuppet} from '@symphony-supervisor/scripts/puppet';
import {aFolder} from '../rig/fixtures/folder.ts';
import {aProject, SupervisorRig} from '../rig/supervisor.ts';
import {startSupervisorCommand, supervisorCommand} from '../rig/supervisor-command.ts';
import {until} from '../rig/survivors.ts';

const CLIENTS = [
  ['status'],
  ['history'],
  ['actions'],
  ['stop', 'T-1'],
  ['retry', 'T-1'],
  ['restart', 'T-1'],
  ['dismiss', 'T-1'],
  ['pause'],
  ['resume'],
  ['refresh'],
  ['open', '--json'],
];

test('without a supervisor: one clear message, exit 1', async () => {
  await using folder = await aFolder();
  for (const args of CLIENTS) {
    const {code, stdout, stderr} = await supervisorCommand(args, {cwd: folder.path});
    assert.equal(code, 1, args[0]);
    assert.equal(stdout, '');
    assert.match(stderr, /^symphony-supervisor: no supervisor runs with .*\.symphony\nstart one/);
  }
  assert.deepEqual(await readdir(folder.path), []);
});

test('a supervisor that was killed is told from one that never was', async () => {
  await using folder = await aProject('false', []);
  const killed = new SupervisorRig(folder.path);
  await killed.logged('http.listening');
  await killed.kill();
  const {code, stderr} = await supervisorCommand(['status'], {cwd: folder.path});
  assert.equal(code, 1);
  assert.match(stderr, new RegExp(`process ${killed.process.pid}\\) has crashed or was killed`));
  assert.match(stderr, /supervisor\.json is stale/);
});

test('status, stop, retry with an answer, history, restart: a life of one issue', async () => {
  await using puppet = await AgentPuppet.listen();
  await using folder = await aProject(puppet.command, ['T-1']);
  await using supervisor = new SupervisorRig(folder.path);
  const run = (...args: string[]) => supervisorCommand(args, {cwd: folder.path});
  await puppet.nextTurn();
  await supervisor.logged('run.started', 'p/T-1');
  await supervisor.logged('http.listening');

  assert.equal((await run('actions')).stdout, 'no orders yet\n');
  const running = await run('status');
  assert.equal(running.code, 0, running.stderr);
  assert.match(running.stdout, /1 running, 0 stopping/);
  assert.match(running.stdout, /^T-1 +Todo/m);
  const refused = await run('retry', 'T-1');
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /^symphony-supervisor: .*running/);

  assert.match((await run('stop', 'T-1')).stdout, /T-1 is stopping/);
  await supervisor.logged('claim.held', 'p/T-1');
  const held = JSON.parse((await run('status', '--json')).stdout);
  assert.equal(held.held[0].reason, 'stopped_by_operator');

  assert.match((await run('retry', 'T-1', '-m', 'use blue')).stdout, /T-1 is due now/);
  const second = await puppet.nextTurn();
  assert.match(second.input, /use blue/);
  const history = await run('history', 'T-1');
  assert.match(history.stdout, /^\S+ \S+ +T-1 +– +stopped_by_operator/m);
  const all = JSON.parse((await run('history', '--json')).stdout);
  assert.equal(all[0].issue_identifier, 'T-1');

  assert.match((await run('pause')).stdout, /no new runs are started/);
  assert.match((await run('status')).stdout, /dispatch is paused/);
  const former = await run('release', 'T-1');
  assert.equal(former.code, 0);
  assert.equal(former.stderr, 'release is now called restart\n');
  assert.match(former.stdout, /T-1 starts over/);
  await supervisor.logged('claim.released', 'p/T-1');
  assert.equal((await run('resume')).code, 0);
  await puppet.nextTurn();
  assert.match((await run('restart', 'T-1')).stdout, /T-1 starts over/);
  await puppet.nextTurn();
  const again = await run('release', 'T-1', '--json');
  assert.deepEqual([JSON.parse(again.stdout).command, again.stderr], ['restart', '']);
  await puppet.nextTurn();
  assert.equal((await run('refresh')).code, 0);
  const orders = await run('actions');
  assert.equal(orders.code, 0, orders.stderr);
  const told = orders.stdout.trim().split('\n').slice(1);
  assert.deepEqual(
    told.map((line) =>
      /^\S+ \S+ +control token \(cli \S+\), \S+ \S+(?: \d+)? +(.*)$/
        .exec(line)?.[1]
        ?.replace(/ +/g, ' '),
    ),
    [
      'refresh all –',
      'restart p T-1',
      'restart p T-1',
      'resume all –',
      'restart p T-1',
      'pause all –',
      'retry p T-1 use blue',
      'stop p T-1',
    ],
  );
  const own = JSON.parse((await run('actions', 'T-1', '--json', '-n', '2')).stdout);
  assert.deepEqual(
    own.map((row: {command: string; message: string | null}) => [row.command, row.message]),
    [
      ['restart', null],
      ['restart', null],
    ],
  );
  const unknown = await run('stop', 'T-9');
  assert.equal(unknown.code, 1);
  assert.match(unknown.stderr, /T-9/);
});

test('logs: the last lines, those of one issue, and what comes', async () => {
  await using puppet = await AgentPuppet.listen();
  await using folder = await aProject(puppet.command, ['T-1', 'T-2']);
  await using supervisor = new SupervisorRig(folder.path);
  await supervisor.logged('run.started', 'p/T-1');
  await supervisor.logged('run.started', 'p/T-2');
  const one = await supervisorCommand(['logs', 'T-1', '--json'], {cwd: folder.path});
  const lines = one.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.ok(lines.length >= 2);
  assert.deepEqual([...new Set(lines.map((line) => line.issue_identifier))], ['T-1']);
  const last = await supervisorCommand(['logs', 'T-1', '-n', '1'], {cwd: folder.path});
  assert.equal(last.code, 0, last.stderr);
  assert.match(last.stdout, /^\[\d\d:\d\d:\d\d\] INFO: .*"issue_identifier":"T-1".*\n$/);

  // Otherwise it ends by the signal itself, and nothing tells which of its lines were executed.
  const node = ['--import', 'data:text/javascript,process.on("SIGTERM", () => process.exit())'];
  const args = ['logs', '-f', '-n', '1', '--json'];
  const following = startSupervisorCommand(args, {cwd: folder.path, node});
  using _end = {[Symbol.dispose]: () => void following.kill('SIGKILL')};
  let seen = '';
  following.stdout.on('data', (chunk: Buffer) => {
    seen += chunk.toString();
  });
  assert.ok(await until(async () => (seen === '' ? null : true)), 'the last line was not printed');
  supervisor.process.kill('SIGTERM');
  const followed = await until(async () => (seen.includes('claim.stopping') ? true : null));
  assert.ok(followed, 'nothing was followed');
  await supervisor.exited;
  const log = join(folder.path, '.symphony/logs/supervisor.log');
  await rename(log, `${log}.1`);
  await writeFile(log, '{"msg":"in the next file"}\n');
  const goesOn = await until(async () => (seen.includes('in the next file') ? true : null));
  assert.ok(goesOn, 'a file that was rotated is not followed any more');
  following.kill('SIGTERM');
  await once(following, 'exit');
});

test('logs and backup of a folder that has none: one clear message, exit 1', async () => {
  await using folder = await aFolder();
  const noLog = await supervisorCommand(['logs'], {cwd: folder.path});
  assert.equal(noLog.code, 1);
  assert.match(noLog.stderr, /there is no log .*\ngive its folder with --state-dir/);
  const noStore = await supervisorCommand(['backup'], {cwd: folder.path});
  assert.equal(noStore.code, 1);
  assert.match(noStore.stderr, /there is no store in .*\ngive its folder with --state-dir/);
  assert.deepEqual(await readdir(folder.path), []);
});

test('a webhook of a tracker that has none, and of a project that is none', async () => {
  await using folder = await aProject('false', []);
  await using supervisor = new SupervisorRig(folder.path, ['--port', '0']);
  await supervisor.logged('http.listening');
  const status = JSON.parse(await readFile(join(folder.path, '.symphony/supervisor.json'), 'utf8'));
  const deliver = async (project: string) => {
    const url = new URL(`/webhooks/${project}`, status.dashboard_url);
    return (await fetch(url, {method: 'POST', body: '{}'})).status;
  };
  assert.equal(await deliver('p'), 404);
  assert.equal(await deliver('q'), 404);
  supervisor.process.kill('SIGTERM');
  assert.equal((await supervisor.exited).code, 0);
});

test('backup: a copy of a store in use, never over another file', async () => {
  await using puppet = await AgentPuppet.listen();
  await using folder = await aProject(puppet.command, ['T-1']);
  await using supervisor = new SupervisorRig(folder.path);
  await supervisor.logged('run.started', 'p/T-1');
  const first = await supervisorCommand(['backup', 'copy.db'], {cwd: folder.path});
  assert.equal(first.code, 0, first.stderr);
  assert.match(
    (await readFile(join(folder.path, 'copy.db'), 'latin1')).slice(0, 15),
    /^SQLite format 3/,
  );
  assert.equal((await stat(join(folder.path, 'copy.db'))).mode & 0o777, 0o600);
  const again = await supervisorCommand(['backup', 'copy.db'], {cwd: folder.path});
  assert.equal(again.code, 1);
  assert.match(again.stderr, /copy\.db cannot be written: EEXIST/);

  await supervisor.kill();
  const other = join(folder.path, 'restored');
  await mkdir(other);
  await writeFile(join(other, 'symphony.db'), await readFile(join(folder.path, 'copy.db')));
  const plan = await supervisorCommand(['--dry-run', '--json', '--state-dir', other], {
    cwd: folder.path,
  });
  assert.equal(JSON.parse(plan.stdout).dispatch[0].reason, 'resume, attempt –');
});

test('an identifier in small letters, and an order for an issue that is over', async () => {
  await using puppet = await AgentPuppet.listen();
  await using folder = await aProject(puppet.command, ['T-1']);
  await using supervisor = new SupervisorRig(folder.path);
  const run = (...args: string[]) => supervisorCommand(args, {cwd: folder.path});
  const turn = await puppet.nextTurn();
  await supervisor.logged('http.listening');
  assert.match((await run('retry', 't-1')).stderr, /the issue is running/);
  await turn.callsTool('update_issue', {state: 'Done'});
  await turn.completes();
  await supervisor.logged('claim.released', 'p/T-1');
  const {code, stderr} = await run('retry', 't-1');
  assert.equal(code, 1);
  assert.match(stderr, /not claimed: it is done.*move it to Todo or In Progress in the tracker/);
});
