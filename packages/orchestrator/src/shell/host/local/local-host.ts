import {availableParallelism} from 'node:os';
import {join} from 'node:path';
import type {LeftProcess, LoginFacts, RunJob, Workflow} from '@symphony-supervisor/protocol';
import {endProcesses, readLoginEnvironment} from '@symphony-supervisor/protocol/processes';
import {LOCAL_HOST} from '../../../core/claim.ts';
import type {Log} from '../../log.ts';
import type {Clock} from '../../timers.ts';
import type {EarlierRuns, Host, Shortage, WorkspaceFolder} from '../host.ts';
import type {Runner, RunnerEvents} from '../runner.ts';
import type {Transcripts} from '../transcripts.ts';
import {shortageIn} from './free-space.ts';
import {LeftProcesses} from './left-processes.ts';
import {LoginShell} from './login-shell.ts';
import {RunnerProcess} from './runner-process.ts';
import {RunnerSnapshot} from './runner-snapshot.ts';
import {TranscriptFolder} from './transcript-folder.ts';
import {workspacesIn} from './workspace-folders.ts';

export interface LocalHostOptions {
  readonly stateDir: string;
  readonly logsRoot: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The bundle of the runner. */
  readonly runnerPath: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly endProcesses?: typeof endProcesses;
}

/** Runs of a dead supervisor end on their own; remaining processes were asked once, and are asked once more. */
const FORMER_LIFE_GRACE_MS = 1000;

/** The machine of the supervisor itself. */
export class LocalHost implements Host {
  readonly name = LOCAL_HOST;
  /** Starting is CPU-bound; one more start uses the remaining idle time. */
  readonly startsAtOnce = availableParallelism() + 1;
  readonly transcripts: Transcripts;
  readonly #options: LocalHostOptions;
  readonly #endProcesses: typeof endProcesses;
  readonly #left: LeftProcesses;
  readonly #login: LoginShell;
  readonly #snapshot: RunnerSnapshot;
  #workflows: readonly Workflow[] = [];

  constructor(options: LocalHostOptions) {
    const {stateDir, logsRoot, environment, runnerPath, clock, log} = options;
    this.#options = options;
    this.#endProcesses = options.endProcesses ?? endProcesses;
    this.transcripts = new TranscriptFolder(logsRoot);
    this.#left = new LeftProcesses(log);
    this.#login = new LoginShell({
      ...{environment, clock, log, read: readLoginEnvironment},
      workflows: () => this.#workflows,
    });
    const folder = join(stateDir, 'snapshot');
    this.#snapshot = new RunnerSnapshot({runnerPath, folder, environment, log});
  }

  get leftProcesses(): readonly LeftProcess[] {
    return this.#left.rows;
  }

  get login(): LoginFacts | null {
    return this.#login.facts;
  }

  start(job: RunJob, events: RunnerEvents): Runner {
    const {runnerPath, environment} = this.#options;
    const snapshot = this.#snapshot.forNextRunner();
    return new RunnerProcess(
      job,
      {
        ...{path: runnerPath, snapshot, environment, endProcesses: this.#endProcesses},
        onLeft: (processes) => this.#left.note(processes, job.run_id),
        jobEnvironment: async () =>
          job.shell === 'plain' ? await this.#login.environment() : null,
      },
      {
        ...events,
        onExit: (exit) => {
          if (exit.mayStartAgain) this.#snapshot.giveUp(exit.failure?.message ?? exit.how);
          events.onExit(exit);
        },
      },
    );
  }

  async endEarlierRuns({runIds, processes, life}: EarlierRuns): Promise<void> {
    const markers = runIds.map((runId) => `SYMPHONY_RUN_ID=${runId}`);
    const prefixes = life === null ? [] : [`SYMPHONY_RUN_ID=${life}-`];
    if (markers.length + prefixes.length === 0) return;
    const query = {roots: processes, markers, prefixes, except: [process.pid]};
    this.#left.note(await this.#endProcesses(query, FORMER_LIFE_GRACE_MS));
  }

  shortageFor(workspaceRoot: string): Promise<Shortage | null> {
    return shortageIn([workspaceRoot, this.#options.stateDir]);
  }

  workspacesIn(workspaceRoot: string): Promise<readonly WorkspaceFolder[]> {
    return workspacesIn(workspaceRoot);
  }

  renewLogin(workflows: readonly Workflow[]): void {
    this.#workflows = workflows;
    this.#login.renew();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#login[Symbol.asyncDispose]();
  }
}
