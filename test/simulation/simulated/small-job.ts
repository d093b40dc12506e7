import {
  type CleanOutcome,
  type CleanWorkspace,
  type Failure,
  PROTOCOL_VERSION,
  type RunJob,
} from '@symphony-supervisor/protocol';
import type {World} from '../world.ts';
import {deliveryFailure} from './delivery.ts';
import type {SimulatedRunner} from './simulated-runner.ts';

type SmallJob = Exclude<RunJob, {kind: 'attempt'}>;

/** Cleans workspaces, runs the last hook of a dead run, delivers again, or looks whether the agent is there. */
export async function liveSmallJob(
  world: World,
  runner: SimulatedRunner,
  job: SmallJob,
): Promise<void> {
  const {chance, weather} = world;
  await runner.rest(chance.span(50, 3_000));
  runner.say({type: 'hello', protocol: PROTOCOL_VERSION, pid: runner.identity?.pid ?? 1});
  if (!weather.isCalm && chance.is(4)) return runner.exit('exit code 1');
  if (!weather.isCalm && chance.is(3)) {
    runner.isWedged = true; // frozen: it ends when its supervisor kills it for its silence
    return;
  }
  if (job.kind === 'probe') {
    const code = weather.host;
    const failure: Failure | null = code === null ? null : {code, message: `it is ${code}`};
    runner.say({type: 'probed', result: {version: '1', logged_in: failure === null, failure}});
    return runner.exit('exit code 0');
  }
  if (job.kind === 'finish') {
    runner.say({type: 'finished', failure: await workIn(world, runner, job.workspace_path)});
    return runner.exit('exit code 0');
  }
  if (job.kind === 'deliver') {
    const busy = await workIn(world, runner, job.workspace_path);
    const code = deliveryFailure(world);
    const failure = busy ?? (code === null ? null : {code, message: 'it is not delivered'});
    runner.say({type: 'delivered', failure, links: []});
    return runner.exit('exit code 0');
  }
  const outcomes: CleanOutcome[] = [];
  for (const workspace of job.workspaces) {
    outcomes.push(await clean(world, runner, workspace));
    runner.say({type: 'heartbeat'});
  }
  runner.say({type: 'cleaned', outcomes});
  runner.exit('exit code 0');
}

async function clean(
  world: World,
  runner: SimulatedRunner,
  workspace: CleanWorkspace,
): Promise<CleanOutcome> {
  const {chance, weather, disk} = world;
  const busy = await workIn(world, runner, workspace.workspace_path);
  world.watcher.noteCleaned(workspace);
  if (busy !== null) return {is: 'failed', failure: busy};
  // Some agents finish their issue and push nothing; a person may push it later.
  if (workspace.keep_work && chance.is(20)) return {is: 'kept', reason: '1 commit not pushed'};
  if (!weather.isCalm && chance.is(5)) {
    const message = 'it cannot be removed';
    return {is: 'failed', failure: {code: 'workspace_error', message}};
  }
  disk.delete(workspace.workspace_path);
  return {is: 'removed'};
}

/** Locks the workspace until the process ends, unless somebody else has. */
async function workIn(
  {disk, chance}: World,
  runner: SimulatedRunner,
  path: string,
): Promise<Failure | null> {
  const place = disk.get(path);
  const isBusy = place !== undefined && place.lockedBy !== null;
  if (place !== undefined && !isBusy) place.lockedBy = runner.job.run_id;
  await runner.rest(chance.span(50, 5_000));
  return isBusy ? {code: 'workspace_busy', message: 'somebody works there'} : null;
}
