import assert from 'node:assert/strict';
import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {access, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {fileURLToPath} from 'node:url';
import {findProcesses, isAlive} from '@symphony-supervisor/protocol/processes';
import {ending} from '../rig/ending.ts';
import {readStore} from '../rig/fixtures/store-file.ts';
import {aProject, SupervisorRig} from '../rig/supervisor.ts';
import {until} from '../rig/survivors.ts';
import {journalOf, witnessedAgent} from '../rig/witnessed-agent.ts';
import {assertNothingLost} from './aftermath.ts';
import {type CrashPoint, crashPoints} from './crash-point.ts';
import {SCENARIOS, type Scenario} from './scenarios.ts';

const CRASHING = fileURLToPath(new URL('../dist/crashing.js', import.meta.url));

for (const scenario of SCENARIOS) {
  test(`killed at every write: ${scenario.name}`, {concurrency: 3}, async (t) => {
    const {writes} = await playThrough(scenario, null);
    const points = crashPoints(writes, scenario.covers);
    assert.ok(points.length > 0, `no write is this scenario's own:\n${writes.join('\n')}`);
    let met = 0;
    await Promise.all(
      points.map((point) =>
        t.test(`${point.when} ${point.nth}. ${point.write}`, async () => {
          const {isMet} = await playThrough(scenario, point);
          if (isMet) met++;
        }),
      ),
    );
    // What a tick finds depends on when it comes, so now and then a write is another; most must come.
    assert.ok(met > points.length / 2, `only ${met} of ${points.length} points came`);
    t.diagnostic(`killed at ${met} of ${points.length} points`);
  });
}

/** From the first start to the end of a second life. */
async function playThrough(
  scenario: Scenario,
  point: CrashPoint | null,
): Promise<{writes: string[]; isMet: boolean}> {
  await using project = await aProject(witnessedAgent(scenario.script), ['T-1'], scenario.settings);
  const folder = project.path;
  const {moveTo = '', answer = '', dismissAt = ''} = scenario;
  const args = [CRASHING, folder, JSON.stringify(point), moveTo, answer, dismissAt];
  const crashing = spawn(process.execPath, args, {
    env: {...process.env, HOME: folder},
    stdio: 'inherit',
  });
  await using _end = ending(crashing, `HOME=${folder}`);
  const exited = once(crashing, 'exit');
  const person = new AbortController();
  using _person = {[Symbol.dispose]: () => person.abort()};
  const deeds = act(scenario, folder, crashing, person.signal);
  const isOver = await Promise.race([exited.then(() => false), ended(scenario, folder)]);
  // Asked, so that it comes to the point if it is just about to.
  if (isOver) crashing.kill('SIGTERM');
  const [, signal] = await exited;
  const former = findProcesses({roots: [], markers: [`HOME=${folder}`], except: [process.pid]});
  const runs = runMarkers(folder);
  const ofRuns = findProcesses({roots: [], markers: runs, except: [process.pid]});
  const wreck = {
    claim: storeOf(folder)?.claims.get('p/T-1') ?? null,
    journalled: (await journalOf(folder, 'T-1')).length,
  };

  await using supervisor = new SupervisorRig(folder);
  await supervisor.logged('supervisor.started');
  assert.deepEqual(ofRuns.filter(isAlive), [], 'a run of the former life is alive');
  assert.ok(await ended(scenario, folder), `${scenario.end} was never reached`);
  person.abort();
  await deeds;
  supervisor.process.kill('SIGTERM');
  assert.equal((await supervisor.exited).code, 0);
  assert.deepEqual(former.filter(isAlive), [], 'a process of the former life is alive');
  await assertNothingLost(folder, scenario, wreck, await journalOf(folder, 'T-1'));
  const writes = (await readFile(join(folder, 'writes'), 'utf8')).trimEnd().split('\n');
  return {writes, isMet: signal === 'SIGKILL'};
}

async function act(
  {deed}: Scenario,
  folder: string,
  life: ChildProcess,
  over: AbortSignal,
): Promise<void> {
  if (deed === undefined) return;
  const isDue = async () =>
    over.aborted || (storeOf(folder) !== null && (await deed(folder, life)));
  // As long as both lives take: on a busy machine the second one may begin late.
  await until(async () => ((await isDue()) ? true : null), Number.POSITIVE_INFINITY);
}

/** Nobody claims the issue any more, and it is where it should be. */
async function ended({end, keepsWorkspace}: Scenario, folder: string): Promise<boolean> {
  const workspace = join(folder, 'workspaces/T-1');
  const seen = await until(async () => {
    const issue = await readFile(join(folder, 'issues/T-1.md'), 'utf8');
    if (!issue.includes(`state: ${end}\n`) || storeOf(folder)?.claims.size !== 0) return null;
    const isThere = await access(workspace).then(
      () => true,
      () => false,
    );
    return isThere === (keepsWorkspace ?? false) ? true : null;
  });
  return seen !== null;
}

function runMarkers(folder: string): string[] {
  return storeOf(folder)?.runs.map(({run_id}) => `SYMPHONY_RUN_ID=${run_id}`) ?? [];
}

/** null while there is none. */
function storeOf(folder: string) {
  try {
    return readStore(folder);
  } catch {
    return null;
  }
}
