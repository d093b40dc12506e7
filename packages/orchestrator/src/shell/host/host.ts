import type {LeftProcess, LoginFacts, RunJob, Workflow} from '@symphony-supervisor/protocol';
import type {ProcessIdentity} from '@symphony-supervisor/protocol/processes';
import type {Runner, RunnerEvents} from './runner.ts';
import type {Transcripts} from './transcripts.ts';

/**
 * A machine that runs agents: their runners and processes, their workspaces, their transcripts. The rest of the
 * shell reaches a machine only through this interface.
 */
export interface Host extends AsyncDisposable {
  readonly name: string;
  /** Starting more runners than this in parallel gains nothing. */
  readonly startsAtOnce: number;
  readonly transcripts: Transcripts;
  /** Processes of runs that could not be ended, while they are alive. */
  readonly leftProcesses: readonly LeftProcess[];
  /** The last reading of the login environment; null before the first. */
  readonly login: LoginFacts | null;
  /** Starts a runner with its job: an attempt, or a small job (clean, finish, probe). */
  start(job: RunJob, events: RunnerEvents): Runner;
  /** Ends processes that an earlier supervisor left; those that cannot be ended are in `leftProcesses`. */
  endEarlierRuns(earlier: EarlierRuns): Promise<void>;
  /** The first folder with too little disk space for a run in this workspace root; null if there is enough. */
  shortageFor(workspaceRoot: string): Promise<Shortage | null>;
  /** The folders in this workspace root; none if it does not exist yet. */
  workspacesIn(workspaceRoot: string): Promise<readonly WorkspaceFolder[]>;
  /** Reads the login environment again, for the current hooks and agents of these projects. */
  renewLogin(workflows: readonly Workflow[]): void;
}

/** The work of an earlier supervisor process. */
export interface EarlierRuns {
  readonly runIds: readonly string[];
  /** The recorded runners. Their descendants are found even if they cleared their environment. */
  readonly processes: readonly ProcessIdentity[];
  /** Small jobs are not recorded, but their ids begin with the prefix of their process; null: none is known. */
  readonly life: string | null;
}

/** A folder without enough disk space for a run. */
export interface Shortage {
  readonly message: string;
  readonly missingBytes: number;
  /** The device id of its file system. */
  readonly device: number;
}

export interface WorkspaceFolder {
  readonly path: string;
  /** As recorded by the runner that created the folder; null: no such record. */
  readonly issueId: string | null;
}
