import assert from 'node:assert/strict';
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {access, readFile, stat, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {fileURLToPath} from 'node:url';
import {findProcesses} from '@symphony-supervisor/protocol/processes';
import {type Random, randomFrom} from '../rig/fixtures/random.ts';
import {isSound, readStore} from '../rig/fixtures/store-file.ts';
import {aProject, THREADED, writeIssue} from '../rig/supervisor.ts';
import {until} from '../rig/survivors.ts';
import {journalOf, witnessedAgent} from '../rig/witnessed-agent.ts';
import {assertCourse} from './course.ts';
import {Facts, NOTE_HOOK} from './facts.ts';

const MORTAL_THREAD = fileURLToPath(new URL('./mortal-thread.mjs', import.meta.url));
const ROUNDS = Number(process.env.KILL_ROUNDS ?? 20);
const SEED = Number(process.env.KILL_SEED ?? 7);
/** More than there are slots: somebody always waits. */
const OPEN_ISSUES = 5;

const SCRIPT = [
  [
    {run: 'echo begun >> log'},
    {tool: 'update_issue', arguments: {labels: ['begun']}},
    {say: 'half of it is done'},
    {run: 'echo done >> log'},
    {tool: 'update_issue', arguments: {state: 'Done'}},
  ],
];
const SETTINGS = {
  polling: {interval_ms: 200},
  agent: {
    max_concurrent_agents: 3,
    max_retry_backoff_ms: 50,
    ...{max_consecutive_failures: 0, max_runs: 0, max_idle_runs: 0},
  },
  hooks: {before_run: NOTE_HOOK, after_run: NOTE_HOOK},
};

test(`runners, agents and the tracker thread killed at random, ${ROUNDS} times: every issue is done, nothing runs twice`, async (t) => {
  t.diagnostic(`again with KILL_SEED=${SEED} KILL_ROUNDS=${ROUNDS}`);
  const random = randomFrom(SEED);
  await using project = await aProject(witnessedAgent(SCRIPT), [], SETTINGS);
  const folder = project.path;
  const supervisor = spawn(process.execPath, [THREADED, folder, MORTAL_THREAD], {
    cwd: folder,
    env: {...process.env, HOME: folder},
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const exited = once(supervisor, 'exit');
  const issues = new Issues(folder);
  const killed = {runner: 0, agent: 0, thread: 0};
  try {
    const facts = new Facts(folder);
    for (let round = 1; round <= ROUNDS; round++) {
      await issues.refill();
      killed[await strike(random, facts, folder)]++;
      assert.equal(supervisor.exitCode, null, 'the supervisor is gone');
    }
    for (const issue of issues.all) await issues.isDone(issue);
    const released = await until(async () => (readStore(folder).claims.size === 0 ? true : null));
    assert.ok(released, `claims are left: ${[...readStore(folder).claims.keys()]}`);
  } finally {
    supervisor.kill('SIGTERM');
  }
  assert.deepEqual(await exited, [0, null]);
  t.diagnostic(`${issues.all.length} issues, killed: ${JSON.stringify(killed)}`);
  await assertNothingLost(folder, issues.all);
});

/** One kill, at the nth thing that happens from now on; whom it hit. */
async function strike(
  random: Random,
  facts: Facts,
  folder: string,
): Promise<'runner' | 'agent' | 'thread'> {
  const victim = random.of(['runner', 'agent', 'thread'] as const);
  const when = random.of(['before', 'after']);
  for (let nth = 1 + random(8); ; nth = 1) {
    const fact = await facts.next(nth);
    if (victim === 'thread') {
      await threadDies(folder, when);
      return victim;
    }
    const pid = victim === 'runner' ? fact.runner : fact.agent;
    if (pid !== null && isKilled(pid)) return victim;
  }
}

function isKilled(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    return false; // it has just ended by itself
  }
}

async function threadDies(folder: string, when: string): Promise<void> {
  const order = join(folder, 'thread-dies');
  await writeFile(order, when);
  const isDead = await until(async () =>
    access(order).then(
      () => null,
      () => true,
    ),
  );
  assert.ok(isDead, 'the tracker thread was asked nothing any more');
}

/** What there is to do, and ever more of it. */
class Issues {
  readonly all: string[] = [];
  readonly #folder: string;
  #open: string[] = [];

  constructor(folder: string) {
    this.#folder = folder;
  }

  async refill(): Promise<void> {
    const done = await Promise.all(this.#open.map((issue) => this.#says(issue, 'Done')));
    this.#open = this.#open.filter((_, index) => !done[index]);
    while (this.#open.length < OPEN_ISSUES) {
      const issue = `K-${this.all.length + 1}`;
      await writeIssue(this.#folder, issue, 'Todo');
      this.all.push(issue);
      this.#open.push(issue);
    }
  }

  async isDone(issue: string): Promise<void> {
    const done = await until(async () => ((await this.#says(issue, 'Done')) ? true : null));
    assert.ok(done, `${issue} was never done`);
  }

  async #says(issue: string, state: string): Promise<boolean> {
    const text = await readFile(join(this.#folder, 'issues', `${issue}.md`), 'utf8');
    return text.includes(`state: ${state}\n`);
  }
}

async function assertNothingLost(folder: string, issues: readonly string[]): Promise<void> {
  await assert.rejects(readFile(join(folder, 'twice')), {code: 'ENOENT'}, 'two ran at once');
  const left = findProcesses({roots: [], markers: [`HOME=${folder}`], except: [process.pid]});
  assert.deepEqual(left, [], 'a process is alive');
  assert.ok(isSound(folder));
  const {runs} = readStore(folder);
  const open = runs.filter(({ended_at}) => ended_at === null);
  assert.deepEqual(open, [], 'a run was never closed');

  let judged = 0;
  for (const issue of issues) {
    const journal = await journalOf(folder, issue);
    const rows = runs.filter(({key}) => key === `p/${issue}`);
    const known = new Set(rows.map(({run_id}) => run_id));
    const untold = journal.filter(({run}) => !known.has(run));
    assert.deepEqual(untold, [], 'history does not tell every attempt');
    judged += assertCourse(rows, journal);
    const doneAt = (await stat(join(folder, 'issues', `${issue}.md`))).mtimeMs;
    const late = journal.filter(({report, at}) => report === 'turn' && at > doneAt);
    assert.deepEqual(late, [], `${issue} was done, and worked on again`);
  }
  assert.ok(judged >= ROUNDS / 5, `only ${judged} threads could be judged`);
}
