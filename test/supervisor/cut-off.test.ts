import assert from 'node:assert/strict';
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdir, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {identify, isAlive, type ProcessIdentity} from '@symphony-supervisor/protocol/processes';
import {AgentPuppet} from '@symphony-supervisor/scripts/puppet';
import {
  aResult,
  anIssue as coreIssue,
  Table,
} from '../../packages/orchestrator/test/core/builders.ts';
import {withStore} from '../../packages/orchestrator/test/store/a-store.ts';
import {aProject, onRecord, reaches, SupervisorRig, writeIssue} from '../rig/supervisor.ts';
import {until} from '../rig/survivors.ts';

// What a former life can leave behind when it is cut off, row by row: what it was at, how it is found,
// and what becomes of it. The former life is written into the store as the core would have left it.

const ISSUE = coreIssue({id: 'T-1', identifier: 'T-1', title: 'T-1'});
const KEY = 'p/T-1';
/** Each run notes which attempt it is. */
const HOOKS = {before_run: 'echo "attempt $SYMPHONY_ATTEMPT" >> ../../attempts'};

test('reserved, not forked: dispatched again, same attempt', async () => {
  await using puppet = await AgentPuppet.listen();
  await using folder = await aProject(puppet.command, ['T-1'], {hooks: HOOKS});
  await leave(folder.path, afterFailures(2));
  await using _supervisor = new SupervisorRig(folder.path);
  await puppet.nextTurn();
  assert.equal(await readFile(join(folder.path, 'attempts'), 'utf8'), 'attempt 2\n');
});

test('forked, nothing reported: found by its run id, killed; resumed, same attempt', async () => {
  await using puppet = await AgentPuppet.listen();
  await using folder = await aProject(puppet.command, ['T-1'], {hooks: HOOKS});
  const former = afterFailures(2);
  former.reads(ISSUE);
  await using stray = await Stray.start({SYMPHONY_RUN_ID: former.runId('T-1')});
  await leave(folder.path, former);
  await using _supervisor = new SupervisorRig(folder.path);
  await puppet.nextTurn();
  assert.equal(isAlive(stray.identity), false);
  assert.equal(await readFile(join(folder.path, 'attempts'), 'utf8'), 'attempt 2\n');
});

test('a small job is on no record: found by the life whose name its id begins with', async () => {
  await using puppet = await AgentPuppet.listen();
  await using folder = await aProject(puppet.command, ['T-1']);
  await using stray = await Stray.start({SYMPHONY_RUN_ID: 'former-job-3'});
  await using namesake = await Stray.start({SYMPHONY_RUN_ID: 'formerly-1'});
  await withStore(stateDir(folder.path), (store) => store.save({life: 'former'}));
  await using _supervisor = new SupervisorRig(folder.path);
  await puppet.nextTurn();
  assert.deepEqual([isAlive(stray.identity), isAlive(namesake.identity)], [false, true]);
});

test('forked and on record: found by process id and start time, even without its environment', async () => {
  await using puppet = await AgentPuppet.listen();
  await using folder = await aProject(puppet.command, ['T-1']);
  await using runner = await Stray.start({});
  await using namesake = await Stray.start({});
  const former = afterFailures(0);
  former.reads(ISSUE);
  started(former, runner.identity);
  await leave(folder.path, former);
  await using supervisor = new SupervisorRig(folder.path);
  await puppet.nextTurn();
  assert.equal(isAlive(runner.identity), false);
  await supervisor.kill();

  // The same number, but another start: a process that has nothing to do with us.
  started(former, {...namesake.identity, startedAt: 'an earlier boot'});
  await leave(folder.path, former);
  await using _again = new SupervisorRig(folder.path);
  await puppet.nextTurn();
  assert.equal(isAlive(namesake.identity), true);
});

test('runner died: everything with its run id is killed; failure retry on the same thread; after_run is run for it', async () => {
  await using puppet = await AgentPuppet.listen();
  const settings = {
    agent: {max_retry_backoff_ms: 200},
    hooks: {...HOOKS, after_run: 'echo "$SYMPHONY_OUTCOME" >> ../../after'},
  };
  await using folder = await aProject(puppet.command, ['T-1'], settings);
  await using supervisor = new SupervisorRig(folder.path);
  const before = await puppet.nextTurn();
  const agent = identify(before.agent.pid);
  assert.ok(agent !== null);
  await onRecord(folder.path, before.threadId);
  process.kill(await parentOf(before.agent.pid), 'SIGKILL');
  const after = await puppet.nextTurn();
  assert.equal(isAlive(agent), false);
  assert.equal(after.threadId, before.threadId);
  assert.equal(await readFile(join(folder.path, 'after'), 'utf8'), 'failed\n');
  assert.match(await readFile(join(folder.path, 'attempts'), 'utf8'), /^attempt \nattempt 1\n/);
  await supervisor.kill();
});

test('after_create cut off: found by its marker; folder removed, created anew', async () => {
  await using puppet = await AgentPuppet.listen();
  const afterCreate = 'test -e ../../second || { touch half ../../begun; sleep 1000; }';
  await using folder = await aProject(puppet.command, ['T-1'], {
    hooks: {after_create: afterCreate},
  });
  const former = new SupervisorRig(folder.path);
  await fileIn(folder.path, 'begun');
  await former.kill();
  await writeFile(join(folder.path, 'second'), '');
  await using _supervisor = new SupervisorRig(folder.path);
  const turn = await puppet.nextTurn();
  assert.equal((await turn.runs('ls')).output, '');
});

test('tracker write in doubt: re-read, and not written again if it had arrived', async () => {
  await using folder = await handedOff('Review');
  await using supervisor = new SupervisorRig(folder.path);
  await supervisor.logged('claim.released', KEY);
  assert.match(await readFile(join(folder.path, 'issues', 'T-1.md'), 'utf8'), /^state: Review$/m);
});

test('tracker write in doubt: re-read, and written if it is still needed', async () => {
  await using folder = await handedOff('Todo');
  await using supervisor = new SupervisorRig(folder.path);
  await supervisor.logged('claim.released', KEY);
  await reaches(folder.path, 'T-1', 'Review');
});

test('tracker write in doubt: what a person did meanwhile stands', async () => {
  await using folder = await handedOff('Done');
  await using supervisor = new SupervisorRig(folder.path);
  await supervisor.logged('claim.released', KEY);
  await reaches(folder.path, 'T-1', 'Done');
});

test('cleaning cut off: found by its claim; cleaned again', async () => {
  await using puppet = await AgentPuppet.listen();
  const hooks = {before_remove: 'echo removed >> ../../removed'};
  await using folder = await aProject(puppet.command, [], {hooks});
  await writeIssue(folder.path, 'T-1', 'Done');
  const path = join(folder.path, 'workspaces', 'T-1');
  await mkdir(path, {recursive: true});
  const former = afterFailures(0);
  former.reads(ISSUE);
  started(former, {pid: 1, startedAt: 'then'});
  const report = {type: 'workspace', path, created: true} as const;
  former.happens({type: 'runner.reported', key: KEY, runId: former.runId('T-1'), report});
  former.ends(aResult(), 'T-1');
  former.reads({...ISSUE, state: 'Done'});
  assert.equal(former.claim('T-1')?.is, 'stopping');
  await leave(folder.path, former);
  await using supervisor = new SupervisorRig(folder.path);
  await supervisor.logged('claim.released', KEY);
  assert.equal(await readFile(join(folder.path, 'removed'), 'utf8'), 'removed\n');
  await assert.rejects(readFile(join(path, '.')), /ENOENT/);
});

test('run on record without a claim: closed as interrupted', async () => {
  await using puppet = await AgentPuppet.listen();
  await using folder = await aProject(puppet.command, []);
  const run = {
    ...{key: KEY, runId: 'lost-1', host: 'local', identifier: 'T-1', role: 'worker'},
    ...{attempt: 3, startedAt: 1000},
  };
  await withStore(stateDir(folder.path), (store) => store.save({runsBegun: [run]}));
  const supervisor = new SupervisorRig(folder.path);
  await supervisor.logged('supervisor.started');
  await supervisor.kill();
  const [closed] = await withStore(stateDir(folder.path), (store) => store.runsOf(KEY, 10));
  assert.deepEqual([closed?.runId, closed?.outcome], ['lost-1', 'interrupted']);
});

/** Reserved by the former life, after so many failures. */
function afterFailures(count: number): Table {
  const table = new Table();
  table.state = {...table.state, life: 'former'};
  table.project({}, [ISSUE]);
  for (let failures = 0; failures < count; failures++) {
    table.reads(ISSUE);
    started(table, {pid: 1, startedAt: 'then'});
    table.ends(aResult({outcome: 'failed', failure: {code: 'turn_failed', message: 'no'}}), 'T-1');
    table.reads(ISSUE);
    table.later(1_000_000);
    table.happens({type: 'timer.fired', timer: `retry ${KEY}`});
  }
  return table;
}

/** The former life was writing the handoff state when it died; the tracker says this. */
async function handedOff(state: string) {
  const settings = {tracker: {kind: 'file', handoff_state: 'Review'}, codex: {command: 'false'}};
  const folder = await aProject('false', [], settings);
  await writeIssue(folder.path, 'T-1', state);
  const table = new Table();
  table.project({tracker: {handoffState: 'Review'}}, [ISSUE]);
  table.reads(ISSUE);
  started(table, {pid: 1, startedAt: 'then'});
  table.ends(aResult(), 'T-1');
  const effects = table.reads(ISSUE);
  assert.ok(effects.some((effect) => effect.do === 'write-state'));
  await leave(folder.path, table);
  return folder;
}

function started(table: Table, process: ProcessIdentity): void {
  table.happens({type: 'runner.started', key: KEY, runId: table.runId('T-1'), process});
}

async function leave(folder: string, {state, all, counters}: Table): Promise<void> {
  const ended = new Set(
    all.flatMap((effect) => (effect.do === 'record-run' ? [effect.record.runId] : [])),
  );
  const runsBegun = all.flatMap((effect) => {
    if (effect.do !== 'start-run' || ended.has(effect.run.id)) return [];
    const {id: runId, host, role, attempt, startedAt} = effect.run;
    return [{key: effect.key, runId, host, identifier: 'T-1', role, attempt, startedAt}];
  });
  const {claims, workspaces} = state;
  await withStore(stateDir(folder), (store) =>
    store.save({claims, counters, workspaces, runsBegun}),
  );
}

function stateDir(folder: string): string {
  return join(folder, '.symphony');
}

async function parentOf(pid: number): Promise<number> {
  return Number(/^PPid:\s+(\d+)$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]);
}

async function fileIn(folder: string, name: string): Promise<void> {
  const seen = await until(() => readFile(join(folder, name)).catch(() => null));
  assert.ok(seen !== null, `${name} was never written`);
}

/** A process that a former life might have left. */
class Stray implements AsyncDisposable {
  readonly identity: ProcessIdentity;
  readonly #child;

  static async start(env: Record<string, string>): Promise<Stray> {
    const child = spawn('sleep', ['1000'], {env, detached: true, stdio: 'ignore'});
    await once(child, 'spawn');
    return new Stray(child);
  }

  private constructor(child: ReturnType<typeof spawn>) {
    this.#child = child;
    const identity = identify(child.pid ?? -1);
    assert.ok(identity !== null);
    this.identity = identity;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill('SIGKILL');
  }
}
