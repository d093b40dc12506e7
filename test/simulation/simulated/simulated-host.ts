import {RunJob} from '@symphony-supervisor/protocol';
import type {
  EarlierRuns,
  Host,
  Shortage,
  WorkspaceFolder,
} from '../../../packages/orchestrator/src/shell/host/host.ts';
import {TranscriptFolder} from '../../../packages/orchestrator/src/shell/host/local/transcript-folder.ts';
import type {Runner, RunnerEvents} from '../../../packages/orchestrator/src/shell/host/runner.ts';
import type {Freed} from '../../../packages/orchestrator/src/shell/host/transcripts.ts';
import type {Life} from '../life.ts';
import type {World} from '../world.ts';
import {Attempt} from './attempt.ts';
import {SimulatedRunner} from './simulated-runner.ts';
import {liveSmallJob} from './small-job.ts';

/** Real files, but for their sum: the transcripts here are a few lines each. */
class SmallTranscripts extends TranscriptFolder {
  override async keepBelow(): Promise<Freed> {
    return {transcripts: 0, bytes: 0};
  }

  override async giveBack(): Promise<Freed> {
    return {transcripts: 0, bytes: 0};
  }
}

/** The machine of a simulated world: its processes, its disk, its free space. */
export class SimulatedHost implements Host {
  readonly name = 'local';
  readonly startsAtOnce = 3;
  readonly transcripts: TranscriptFolder;
  readonly leftProcesses = [];
  readonly login = null;
  readonly #world: World;
  readonly #life: Life;

  constructor(world: World, life: Life, logsRoot: string) {
    this.#world = world;
    this.#life = life;
    this.transcripts = new SmallTranscripts(logsRoot);
  }

  start(given: RunJob, events: RunnerEvents): Runner {
    const world = this.#world;
    const life = this.#life;
    const job = RunJob.parse(given);
    const isForked = world.weather.isCalm || world.chance.is(99);
    const runner = new SimulatedRunner(world, life, job, events, isForked);
    // A former self that has been cut off can start nothing any more.
    if (!life.isAlive) {
      runner.isAlive = false;
      world.processes.delete(job.run_id);
      return runner;
    }
    world.tell(`${job.kind} ${job.run_id} starts`);
    world.watcher.noteStart(runner);
    if (!isForked) world.after(1, () => runner.exit('failed to spawn agent'));
    else if (job.kind === 'attempt') void new Attempt(world, runner, job).live();
    else void liveSmallJob(world, runner, job);
    life.reach('fork');
    return runner;
  }

  async endEarlierRuns({runIds, processes, life}: EarlierRuns): Promise<void> {
    if (runIds.length === 0 && life === null) return;
    const world = this.#world;
    await world.sleep(world.chance.span(1, 3_000));
    for (const [runId, runner] of [...world.processes]) {
      const isOnRecord = processes.some(({pid}) => pid === runner.identity?.pid);
      if (isOnRecord || runIds.includes(runId)) runner.exit('ended');
    }
  }

  async shortageFor(): Promise<Shortage | null> {
    const message = this.#world.weather.shortage;
    return message === null ? null : {message, missingBytes: 0, device: 0};
  }

  /** The disk is a map, and every folder's owner is written down there. */
  async workspacesIn(root: string): Promise<readonly WorkspaceFolder[]> {
    return [...this.#world.disk].flatMap(([path, {issueId}]) =>
      path.startsWith(`${root}/`) ? [{path, issueId}] : [],
    );
  }

  renewLogin(): void {}

  async [Symbol.asyncDispose](): Promise<void> {}
}
