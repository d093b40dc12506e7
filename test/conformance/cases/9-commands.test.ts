import assert from 'node:assert/strict';
import {once} from 'node:events';
import {existsSync} from 'node:fs';
import {readdir, readFile, writeFile} from 'node:fs/promises';
import {type AddressInfo, createServer} from 'node:net';
import {join} from 'node:path';
import type {Finished} from '../../rig/command.ts';
import {supervisorCommand} from '../../rig/supervisor-command.ts';
import {shows} from '../case.ts';
import {isLetGo} from '../rig/answers.ts';
import {Linear} from '../rig/linear.ts';
import {Project} from '../rig/project.ts';
import {Scene, works} from '../rig/scene.ts';
import {until} from '../rig/until.ts';

const COMMANDS = [
  ...['run', 'init', 'validate', 'doctor', 'demo', 'status', 'logs', 'history'],
  ...['actions', 'stop', 'retry', 'restart', 'dismiss', 'pause', 'resume', 'refresh'],
];

shows(
  ['9.help', '9.exit.usage', '9.exit.busy-port', '9.exit.state-dir', '9.exit.refused'],
  'help everywhere, and each way to go wrong at the start has its exit code',
  async () => {
    await using linear = await Linear.open();
    await using project = await Project.make({tracker: linear.settings});
    const run = (args: string[], env: Record<string, string> = linear.env): Promise<Finished> =>
      supervisorCommand(args, {cwd: project.path, env});
    const helps = await Promise.all(COMMANDS.map((name) => run([name, '--help'])));
    for (const [index, {code, stdout}] of helps.entries()) {
      assert.equal(code, 0, COMMANDS[index]);
      assert.match(stdout, /Usage|usage|symphony-supervisor/);
    }
    const misspelt = await run(['--prot', '1']);
    assert.equal(misspelt.code, 2);
    assert.match(misspelt.stderr, /--port/);
    assert.equal((await run(['--max-agents', 'many'])).code, 2);

    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const {port} = taken.address() as AddressInfo;
    const busy = await run(['--port', String(port)]);
    taken.close();
    assert.equal(busy.code, 1);
    assert.match(busy.stderr, new RegExp(String(port)));

    await writeFile(join(project.path, 'a-file'), '');
    const unusable = await run(['--state-dir', 'a-file']);
    assert.equal(unusable.code, 1);
    assert.match(unusable.stderr, /a-file/);

    const refused = await run([], {...linear.env, LIN_KEY: 'lin_api_wrong0123456789wrong'});
    assert.equal(refused.code, 4);
    assert.doesNotMatch(refused.stdout + refused.stderr, /lin_api_wrong/);
  },
);

shows(
  ['9.dry-run', '9.dry-run.untouched', '9.once', '9.once.failed'],
  '--dry-run says what it would do and touches nothing; --once does it, and no more',
  async () => {
    const agent = {max_concurrent_agents: 1, max_turns: 1};
    await using scene = await Scene.set({settings: {agent}});
    await scene.project.issue('T-1', {priority: 1});
    await scene.project.issue('T-2', {priority: 2});
    const before = await readdir(scene.project.path, {recursive: true});
    const plan = await supervisorCommand(['--dry-run', '--json'], {cwd: scene.project.path});
    assert.equal(plan.code, 0);
    const {dispatch, not_dispatched} = JSON.parse(plan.stdout);
    assert.deepEqual(
      [dispatch, not_dispatched].map((rows) => rows[0].issue_identifier),
      ['T-1', 'T-2'],
    );
    assert.equal(not_dispatched[0].reason, 'no available orchestrator slots (project_full)');
    assert.deepEqual(await readdir(scene.project.path, {recursive: true}), before);

    const good = scene.start(['--once']);
    const turn = await scene.turn('T-1');
    await works(turn);
    await turn.completes();
    assert.deepEqual(await good.exited, {code: 0, signal: null});
    assert.ok(!existsSync(join(scene.project.path, 'workspaces/T-2')));

    await scene.project.issue('T-1', {state: 'Backlog'});
    const bad = scene.start(['--once']);
    await (await scene.turn('T-2')).fails('no');
    assert.deepEqual(await bad.exited, {code: 1, signal: null});
    assert.match(bad.output, /T-2/);
  },
);

shows(
  ['9.commands', '9.logs', '9.state-dir', '9.log.lines', '9.log.files'],
  'the commands talk to a running supervisor; its logs are JSON, in files, and name the issue',
  async () => {
    await using scene = await Scene.set();
    await scene.project.issue('T-1');
    const supervisor = scene.start(['--logs-root', 'my-logs']);
    const cwd = scene.project.path;
    const run = async (...args: string[]) => {
      const done = await supervisorCommand(args, {cwd});
      assert.equal(done.code, 0, `${args.join(' ')}: ${done.stderr}`);
      return done.stdout;
    };
    const turn = await scene.turn('T-1');
    await supervisor.seen('a turn', ({running}) => running[0]?.turn_count === 1);
    assert.match(await run('status'), /^T-1 +Todo/m);
    assert.equal(JSON.parse(await run('status', '--json')).counts.running, 1);
    await run('stop', 'T-1');
    await turn.agent.gone;
    await supervisor.seen('the hold', ({counts}) => counts.held === 1);
    assert.match(await run('history', 'T-1'), /stopped_by_operator/);
    await run('retry', 'T-1', '--message', 'Go on, then.');
    assert.match((await scene.turn('T-1')).input, /Go on, then\./);
    await run('refresh');
    await run('pause');
    await run('restart', 'T-1');
    await until('released', async () => isLetGo((await supervisor.issue('T-1')).status));
    await run('resume');
    await scene.turn('T-1');

    const lines = (await run('logs', 'T-1', '--json', '--logs-root', 'my-logs')).trim().split('\n');
    const told = lines.map((line) => JSON.parse(line));
    assert.ok(
      told.every(({issue_id, issue_identifier}) => `${issue_id}${issue_identifier}` === 'T-1T-1'),
    );
    const ended = told.find(({event}) => event === 'run.ended');
    assert.match(ended.session_id, new RegExp(turn.threadId));
    assert.equal(ended.outcome, 'stopped_by_operator');
    const files = await readdir(join(cwd, 'my-logs'), {recursive: true});
    const [log] = files.filter((name) => name.endsWith('.log') || name.endsWith('.jsonl'));
    assert.ok(log !== undefined, files.join(' '));
    assert.ok(supervisor.log.length > 3);
    assert.match(await readFile(join(cwd, 'my-logs', log), 'utf8'), /supervisor\.started/);
  },
);
