import type {
  AgentBasics,
  AgentJob,
  AttemptJob,
  ProbeResult,
  RunFailure,
  ThreadRecord,
  ToolResult,
} from '@symphony-supervisor/protocol';
import type {Environment} from '../job/environment.ts';
import type {StopSignal} from '../job/stop-signal.ts';
import type {RunProcesses} from '../processes/run-processes.ts';
import type {Transcript} from '../transcript/transcript.ts';
import type {ProgressKeeper} from './progress.ts';

/**
 * A kind of coding agent. The rest of the runner knows an agent by this alone; what only one kind does
 * is in that kind's folder, and `kinds.ts` lists them.
 */
export interface Agent<Job extends AgentBasics = AgentJob> {
  /** Variables that begin so hold its configuration and credentials, and are passed on to it. */
  readonly environmentPrefixes: readonly string[];
  /** Folders and files that it leaves behind, empty, in a workspace when it is stopped. */
  readonly litter: readonly string[];
  /** Whether it says how many tokens it uses, and can be believed. */
  isMeasured(job: Job): boolean;
  /** May start the process, and sends nothing yet. An agent that takes its conversation as an argument is started by `start`. */
  open(job: Job, options: SessionOptions): AgentSession;
  /** Is it there, which version, does it answer, is it logged in? Throws what went wrong. */
  probe(job: Job, options: ProbeOptions): Promise<ProbeAnswer>;
}

export type ProbeAnswer = Pick<ProbeResult, 'version' | 'logged_in'> & {
  /** For people: what to do about an agent that is not logged in. */
  readonly howToLogIn: string;
};

/** What a process of an agent needs. */
export interface ProcessOptions {
  readonly cwd: string;
  readonly env: Environment;
  readonly processes: RunProcesses;
  readonly transcript: Transcript;
  readonly stop: StopSignal;
}

export interface ProbeOptions extends ProcessOptions {
  readonly onNote: (message: string) => void;
}

export interface SessionOptions extends ProcessOptions {
  readonly job: Pick<AttemptJob, 'issue' | 'tools' | 'secret_names'>;
  /** Git's folders of the workspace, which may lie outside of it. */
  readonly gitDirs: readonly string[];
  readonly progress: ProgressKeeper;
  /** Called for each process: an agent that refuses to resume may have to be started again. */
  readonly onProcess: (pid: number) => void;
  readonly callTool: (name: string, args: unknown) => Promise<ToolResult>;
  /** Worth a line in the main log. */
  readonly onNote: (message: string) => void;
}

/**
 * One conversation with an agent: `start` once, then turns, one at a time. Disposing of it interrupts
 * the turn, ends the process (asked, then forced) and all that it started.
 */
export interface AgentSession extends AsyncDisposable {
  /** The id by which the conversation can be resumed; of use once `start` has returned. */
  readonly threadId: string;
  /** Resumes the recorded conversation if the agent can, else begins a new one. Says which. */
  start(recorded: ThreadRecord | null): Promise<{resumed: boolean}>;
  /**
   * One turn, from its prompt to its end: null if it was completed, else what it failed by. A turn in
   * which the agent asks a person fails by `turn_input_required`. `onStarted` gets an id that is
   * unique within the conversation.
   */
  takeTurn(text: string, onStarted: (turnId: string) => void): Promise<RunFailure | null>;
  /** Interrupts a turn that is under way, and ends what it left in the background. */
  interrupt(): Promise<void>;
}
