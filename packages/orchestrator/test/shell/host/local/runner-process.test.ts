import assert from 'node:assert/strict';
import {existsSync} from 'node:fs';
import {access, mkdir, readFile, writeFile} from 'node:fs/promises';
import {constants, getPriority} from 'node:os';
import {join} from 'node:path';
import {test} from 'node:test';
import {PROTOCOL_VERSION, type ToolSpec} from '@symphony-supervisor/protocol';
import {isAlive} from '@symphony-supervisor/protocol/processes';
import {AgentPuppet} from '@symphony-supervisor/scripts/puppet';
import {aFolder} from '../../../../../../test/rig/fixtures/folder.ts';
import {aCleaning, aFinishing, anAttempt, aProbe} from '../../../../../../test/rig/fixtures/job.ts';
import {noted, nothingIsLeftOf, startAndNote, until} from '../../../../../../test/rig/survivors.ts';
import {Listening} from './listening.ts';

const TOOL: ToolSpec = {name: 'tracker', description: 'Does it.', input_schema: {type: 'object'}};

test('an attempt is run to its result, and the exit tells both', async () => {
  await using folder = await aFolder();
  await using puppet = await AgentPuppet.listen();
  const job = anAttempt(folder.path, {agent: {command: puppet.command}, tools: [TOOL]});
  await using listening = new Listening(job, {}, async ({ask, id}) =>
    ask === 'tool'
      ? {answer: 'tool', id, value: {success: true, content: 'moved', wrote: true}}
      : {answer: 'issue', id, value: {issue: job.issue, go_on: false}},
  );
  const turn = await puppet.nextTurn();
  assert.match(JSON.stringify(await turn.callsTool('tracker', {})), /moved/);
  await turn.completes();
  const exit = await listening.runner.exited;
  assert.equal(exit.how, 'exit code 0');
  assert.equal(exit.result?.outcome, 'succeeded');
  assert.equal(exit.failure, null);
  assert.deepEqual(listening.exits, [exit]);
  assert.equal((await listening.heard('hello')).pid, listening.runner.identity?.pid);
});

test('the small jobs are done by the same means', async () => {
  await using folder = await aFolder();
  await using puppet = await AgentPuppet.listen();
  const workspace = join(folder.path, 'ws', 'ABC-1');
  await mkdir(workspace, {recursive: true});

  const hooks = {after_run: `echo "$SYMPHONY_OUTCOME" > '${folder.path}/outcome'`};
  await using finishing = new Listening(aFinishing(folder.path, {hooks}));
  const {conclusion} = await finishing.runner.exited;
  assert.deepEqual(conclusion, {type: 'finished', failure: null});
  assert.equal(await readFile(join(folder.path, 'outcome'), 'utf8'), 'failed\n');

  await using cleaning = new Listening(aCleaning(folder.path));
  const {pid = 0} = cleaning.runner.identity ?? {};
  assert.equal(getPriority(pid), constants.priority.PRIORITY_LOW, "cleaning is in nobody's way");
  const cleaned = await cleaning.runner.exited;
  assert.deepEqual(cleaned.conclusion, {type: 'cleaned', outcomes: [{is: 'removed'}]});
  assert.deepEqual([cleaned.result, cleaned.failure], [null, null]);
  await assert.rejects(access(workspace));

  await using probing = new Listening(aProbe(folder.path, {agent: {command: puppet.command}}));
  const probed = await probing.heard('probed');
  assert.equal(probed.result.failure, null);
  assert.deepEqual((await probing.runner.exited).conclusion, probed);
});

test('a secret of the tracker is not in its environment, and its run id is', async () => {
  await using folder = await aFolder();
  const path = join(folder.path, 'environment');
  const job = anAttempt(folder.path, {
    secret_names: ['TRACKER_KEY'],
    hooks: {before_run: `tr '\\0' '\\n' < /proc/$PPID/environ > '${path}'; exit 1`},
  });
  const environment = {TRACKER_KEY: 'hush', PLAIN: 'seen'};
  await using listening = new Listening(job, {environment});
  await listening.runner.exited;
  const lines = (await readFile(path, 'utf8')).split('\n');
  assert.ok(lines.includes('PLAIN=seen') && lines.includes(`SYMPHONY_RUN_ID=${job.run_id}`));
  assert.ok(!lines.some((line) => line.includes('hush') || line.startsWith('TRACKER_KEY')));
});

test('a runner that is killed is told as such when nothing of its run is left', async () => {
  await using folder = await aFolder();
  await using puppet = await AgentPuppet.listen();
  const pids = join(folder.path, 'pids');
  const job = anAttempt(folder.path, {agent: {command: puppet.command}});
  await using listening = new Listening(job);
  const turn = await puppet.nextTurn();
  await turn.runs(startAndNote('setsid sleep 1001', pids));
  const [sleeper] = await noted(pids, 1);
  const {identity} = listening.runner;
  assert.ok(identity !== null && sleeper !== undefined);
  process.kill(identity.pid, 'SIGKILL');
  const exit = await listening.runner.exited;
  assert.deepEqual([exit.how, exit.result], ['signal SIGKILL', null]);
  assert.equal(exit.failure?.code, 'runner_crashed');
  assert.ok(!isAlive(sleeper), 'the exit was told too early');
  assert.deepEqual(await listening.runner.kill(), []);
  await nothingIsLeftOf(job.run_id);
});

test('kill ends a runner that no longer reacts, and all that it started', async () => {
  await using folder = await aFolder();
  await using puppet = await AgentPuppet.listen();
  const job = anAttempt(folder.path, {agent: {command: puppet.command}});
  await using listening = new Listening(job);
  await puppet.nextTurn();
  process.kill(listening.runner.identity?.pid ?? 0, 'SIGSTOP');
  assert.deepEqual(await listening.runner.kill(), []);
  assert.equal((await listening.runner.exited).how, 'signal SIGKILL');
  await nothingIsLeftOf(job.run_id);
});

test('stop asks: the run ends for that reason, and its last hook has run', async () => {
  await using folder = await aFolder();
  await using puppet = await AgentPuppet.listen();
  const after = join(folder.path, 'after');
  const hooks = {after_run: `echo "$SYMPHONY_OUTCOME" > '${after}'`};
  const job = anAttempt(folder.path, {agent: {command: puppet.command}, hooks});
  await using listening = new Listening(job);
  await puppet.nextTurn();
  listening.runner.stop('stopped_by_operator');
  listening.runner.stop('stalled', 30_000);
  const exit = await listening.runner.exited;
  assert.equal(exit.result?.outcome, 'stopped_by_operator');
  assert.equal(exit.how, 'exit code 0');
  assert.equal(await readFile(after, 'utf8'), 'stopped_by_operator\n');
});

test('a stop that is not heeded is forced after its grace', async () => {
  await using folder = await aFolder();
  await using puppet = await AgentPuppet.listen();
  const job = anAttempt(folder.path, {agent: {command: puppet.command}});
  await using listening = new Listening(job, {graceMs: 100});
  await puppet.nextTurn();
  process.kill(listening.runner.identity?.pid ?? 0, 'SIGSTOP');
  listening.runner.stop('stalled', 0);
  const exit = await listening.runner.exited;
  assert.deepEqual([exit.how, exit.result], ['signal SIGKILL', null]);
  await nothingIsLeftOf(job.run_id);
});

test('one that is stopped before it began is never given its job', async () => {
  await using folder = await aFolder();
  await using listening = new Listening(anAttempt(folder.path));
  listening.runner.stop('interrupted');
  const exit = await listening.runner.exited;
  assert.equal(exit.failure?.message, 'it was stopped before it began');
  assert.deepEqual(
    listening.reports.map(({type}) => type),
    ['hello'],
  );
});

test('the job waits for the environment of its hooks, and comes with it', async () => {
  await using folder = await aFolder();
  const hooks = {before_run: `env > '${folder.path}/seen'; exit 1`};
  let give: (environment: Record<string, string>) => void = () => {};
  const given = new Promise<Record<string, string>>((resolve) => {
    give = resolve;
  });
  const jobEnvironment = () => given;
  await using listening = new Listening(anAttempt(folder.path, {hooks}), {jobEnvironment});
  await listening.heard('hello');
  give({PATH: process.env.PATH ?? '', MADE_BY: 'a profile', SOME_TOKEN: 'abc123def'});
  await listening.runner.exited;
  const seen = await readFile(join(folder.path, 'seen'), 'utf8');
  assert.match(seen, /^MADE_BY=a profile$/m);
  assert.doesNotMatch(seen, /^HOME=/m, 'nothing of the runner is in it');
  assert.doesNotMatch(JSON.stringify(listening.reports), /abc123def/);
});

test('one that is stopped while its job waits for an environment is never given it', async () => {
  await using folder = await aFolder();
  let give: () => void = () => {};
  const given = new Promise<null>((resolve) => {
    give = () => resolve(null);
  });
  const jobEnvironment = () => given;
  await using listening = new Listening(anAttempt(folder.path), {jobEnvironment});
  await listening.heard('hello');
  listening.runner.stop('interrupted');
  give();
  const {failure} = await listening.runner.exited;
  assert.equal(failure?.message, 'it was stopped before it began');
});

test('what a runner that was killed has left is asked to end first', async () => {
  await using folder = await aFolder();
  const released = join(folder.path, 'released');
  const hooks = {
    before_run: `exec 2>/dev/null; trap 'touch "${released}"; exit' TERM; kill -KILL $PPID; while :; do sleep 0.1; done`,
  };
  await using listening = new Listening(anAttempt(folder.path, {hooks}));
  assert.equal((await listening.runner.exited).how, 'signal SIGKILL');
  await access(released);
});

test('a small job that is under way when the supervisor ends is asked to end first', async () => {
  await using folder = await aFolder();
  const released = join(folder.path, 'released');
  const begun = join(folder.path, 'begun');
  const command = `trap 'touch "${released}"; exit' TERM; touch '${begun}'; while :; do sleep 0.1; done`;
  const probe = aProbe(folder.path, {agent: {command, read_timeout_ms: 60_000}});
  const listening = new Listening(probe);
  await until(async () => (existsSync(begun) ? true : null));
  await listening[Symbol.asyncDispose]();
  assert.equal(listening.exits[0]?.conclusion?.type, 'probed');
  await access(released);
});

/** Something else in the place of the runner. */
async function impostor(folder: string, script: string): Promise<string> {
  const path = join(folder, 'impostor.cjs');
  await writeFile(path, script);
  return path;
}
const HELLO = `process.send({to: 'report', report: {type: 'hello', protocol: ${PROTOCOL_VERSION}, pid: process.pid}});`;

test('what is not understood is a note, and the rest is heard', async () => {
  await using folder = await aFolder();
  const path = await impostor(
    folder.path,
    `${HELLO} process.send({to: 'nobody'}); process.send(null);
     process.send({to: 'report', report: {type: 'cleaned', outcomes: [{is: 'removed'}]}}, () => process.exit(0));`,
  );
  await using listening = new Listening(anAttempt(folder.path), {path});
  const exit = await listening.runner.exited;
  assert.deepEqual(exit.conclusion, {type: 'cleaned', outcomes: [{is: 'removed'}]});
  assert.deepEqual(
    listening.reports.flatMap((report) => (report.type === 'note' ? report.message : [])),
    ['invalid message: {"to":"nobody"}', 'invalid message: null'],
  );
});

test('every question has one answer, and of a run that is being stopped it is a refusal', async () => {
  await using folder = await aFolder();
  const path = await impostor(
    folder.path,
    `${HELLO}
     const ask = (id) => process.send({to: 'ask', call: {ask: 'issue', id}});
     const report = (report, then) => process.send({to: 'report', report}, then);
     process.on('message', ({order, answer}) => {
       if (order === 'start') ask(1);
       if (order === 'stop') ask(3);
       if (order !== 'answer') return;
       report({type: 'note', message: JSON.stringify(answer)});
       if (answer.id === 1) ask(2);
       if (answer.id === 3) report({type: 'cleaned', outcomes: [{is: 'removed'}]}, () => process.exit(0));
     });`,
  );
  const asked: number[] = [];
  await using listening = new Listening(anAttempt(folder.path), {path}, async ({id}) => {
    asked.push(id);
    if (id === 1) throw new Error('the tracker is away');
    listening.runner.stop('stalled');
    return {answer: 'issue', id, value: {issue: null, go_on: true}};
  });
  await listening.runner.exited;
  const answers = listening.reports.flatMap((report) =>
    report.type === 'note' ? JSON.parse(report.message) : [],
  );
  const stopped = {answer: 'refused', message: 'the run is being stopped'};
  assert.deepEqual(answers, [
    {answer: 'refused', id: 1, message: 'the tracker is away'},
    {...stopped, id: 2},
    {...stopped, id: 3},
  ]);
  assert.deepEqual(asked, [1, 2]);
});

test('a runner of another version is refused, and forced to end if it does not by itself', async () => {
  await using folder = await aFolder();
  const path = await impostor(
    folder.path,
    `${HELLO.replace(/protocol: \d+/, 'protocol: 999')}
     process.on('message', () => require('fs').writeFileSync('${folder.path}/given', ''));
     setInterval(() => {}, 1000);`,
  );
  await using listening = new Listening(anAttempt(folder.path), {path, graceMs: 100});
  const exit = await listening.runner.exited;
  assert.match(exit.failure?.message ?? '', /has version 999 .* version \d+; restart/);
  await assert.rejects(access(join(folder.path, 'given')));
});

test('one that does not say hello is refused as well', async () => {
  await using folder = await aFolder();
  const path = await impostor(folder.path, `process.send({greeting: 'hello'});`);
  await using listening = new Listening(anAttempt(folder.path), {path});
  const {failure, how} = await listening.runner.exited;
  assert.match(failure?.message ?? '', /did not send its hello/);
  assert.equal(how, 'exit code 0');
});

test('the failure of a crash ends with what was printed last, without secrets', async () => {
  await using folder = await aFolder();
  const path = await impostor(
    folder.path,
    `${HELLO} process.stdout.write('x'.repeat(300000));
     process.stderr.write(' the key is ' + process.env.SOME_API_KEY + '\\n', () => { throw new Error('broken'); });`,
  );
  const environment = {SOME_API_KEY: 'hush-hush-hush'};
  await using listening = new Listening(anAttempt(folder.path), {path, environment});
  const exit = await listening.runner.exited;
  assert.equal(exit.how, 'exit code 1');
  const message = exit.failure?.message ?? '';
  assert.match(message, /^exit code 1\n[\s\S]*the key is [\s\S]*Error: broken/);
  assert.doesNotMatch(message, /hush/);
  assert.ok(message.length < 70_000);
});

test('a runner whose file is missing is an exit without a result', async () => {
  await using folder = await aFolder();
  const path = join(folder.path, 'nowhere.js');
  await using listening = new Listening(anAttempt(folder.path), {path});
  const exit = await listening.runner.exited;
  assert.deepEqual([exit.how, exit.result], ['exit code 1', null]);
  assert.match(exit.failure?.message ?? '', /Cannot find module/);
});

test('so is a fork that fails, at once or a moment later', async () => {
  await using folder = await aFolder();
  const environment = {TOO_LONG: 'x'.repeat(4_000_000)};
  await using tooLong = new Listening(anAttempt(folder.path), {environment});
  const atOnce = await tooLong.runner.exited;
  assert.match(atOnce.how, /^not started: spawn E2BIG/);
  assert.equal(atOnce.failure?.code, 'runner_crashed');
  assert.deepEqual([tooLong.runner.identity, tooLong.exits], [null, [atOnce]]);

  const {execPath} = process;
  try {
    process.execPath = '/nowhere/node'; // as after an upgrade of Node under our feet
    await using missing = new Listening(anAttempt(folder.path));
    const later = await missing.runner.exited;
    assert.match(later.how, /^not started: spawn \/nowhere\/node ENOENT/);
    assert.deepEqual(missing.exits, [later]);
  } finally {
    process.execPath = execPath;
  }
});
