import type {Failure, RunJob} from '@symphony-supervisor/protocol';
import type {SimulatedRunner} from './simulated-runner.ts';
import type {World} from './world.ts';

type SmallJob = Exclude<RunJob, {kind: 'attempt'}>;

/** Cleans a workspace, runs the last hook of a dead run, or looks whether the agent is there. */
export async function liveSmallJob(
  world: World,
  runner: SimulatedRunner,
  job: SmallJob,
): Promise<void> {
  const {chance, weather, disk} = world;
  await runner.rest(chance.span(50, 3_000));
  runner.say({type: 'hello', protocol: 1, pid: runner.identity?.pid ?? 1});
  if (!weather.isCalm && chance.is(4)) return runner.exit('exit code 1');
  if (job.kind === 'probe') {
    const code = weather.host;
    const failure: Failure | null = code === null ? null : {code, message: `it is ${code}`};
    runner.say({type: 'probed', result: {version: '1', logged_in: failure === null, failure}});
    return runner.exit('exit code 0');
  }
  const place = disk.get(job.workspace_path);
  const busy: Failure = {code: 'workspace_busy', message: 'somebody works there'};
  const isBusy = place !== undefined && place.lockedBy !== null;
  if (place !== undefined && !isBusy) place.lockedBy = job.run_id;
  await runner.rest(chance.span(50, 5_000));
  if (job.kind === 'finish') runner.say({type: 'finished', failure: isBusy ? busy : null});
  else {
    world.watcher.noteCleaned(job);
    const failure: Failure | null = isBusy
      ? busy
      : !weather.isCalm && chance.is(5)
        ? {code: 'workspace_error', message: 'it cannot be removed'}
        : null;
    if (failure === null) disk.delete(job.workspace_path);
    runner.say({type: 'cleaned', failure});
  }
  runner.exit('exit code 0');
}
