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
  /** More runners than this gain nothing by starting at the same time. */
  readonly startsAtOnce: number;
  readonly transcripts: Transcripts;
  /** Processes of runs that could not be ended, as long as they are alive. */
  readonly leftProcesses: readonly LeftProcess[];
  /** How the login environment was last read; null before the first time. */
  readonly login: LoginFacts | null;
  /** Starts a runner with its job: an attempt, or a small job (clean, finish, probe). */
  start(job: RunJob, events: RunnerEvents): Runner;
  /** Ends what a former life of the supervisor left running; what cannot be ended is in `leftProcesses`. */
  endFormerRuns(former: FormerRuns): Promise<void>;
  /** The first folder with too little room for a run in this workspace root; null if there is room. */
  shortageFor(workspaceRoot: string): Promise<Shortage | null>;
  /** The folders in this workspace root; none if it does not exist yet. */
  workspacesIn(workspaceRoot: string): Promise<readonly WorkspaceFolder[]>;
  /** Reads the login environment again, for the hooks and agents of these projects as they are now. */
  renewLogin(workflows: readonly Workflow[]): void;
}

/** What a former life of the supervisor had under way. */
export interface FormerRuns {
  readonly runIds: readonly string[];
  /** The runners on record. Their descendants are found also where these dropped their environment. */
  readonly processes: readonly ProcessIdentity[];
  /** Small jobs are on no record of their own, but their ids begin with the name of the life; null: none is known. */
  readonly life: string | null;
}

/** A folder without room for a run. */
export interface Shortage {
  readonly message: string;
  readonly missingBytes: number;
  /** The device id of its file system. */
  readonly device: number;
}

export interface WorkspaceFolder {
  readonly path: string;
  /** As the runner that made the folder wrote it down; null: no such record. */
  readonly issueId: string | null;
}
