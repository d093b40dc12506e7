import type {
  Failure,
  HostAnswer,
  HostCall,
  RunnerReport,
  RunResult,
  StopReason,
} from '@symphony-supervisor/protocol';
import type {ProcessIdentity} from '@symphony-supervisor/protocol/processes';

/** A runner with its job, wherever its process is. */
export interface Runner extends AsyncDisposable {
  /** Also of a runner that has ended; null if no process was started. */
  readonly identity: ProcessIdentity | null;
  readonly exited: Promise<RunnerExit>;
  /** Its start is over: it sent its hello, exited, or takes so long that the next start need not wait. */
  readonly ready: Promise<void>;
  /** Asks it to end, then forces it. The first reason is kept; a later call can only shorten the time. */
  stop(reason: StopReason, withinMs: number | null): void;
  /** Forces the end of everything that carries the id of the run. */
  kill(): Promise<unknown>;
}

export type AnswerCall = (call: HostCall) => Promise<HostAnswer>;

/** None is called before the runner was returned to its caller, and none after `onExit`. */
export interface RunnerEvents {
  /** An invalid message is reported as a note: a sign of life, and worth a log line. */
  readonly onReport: (report: RunnerReport) => void;
  readonly onCall: AnswerCall;
  readonly onExit: (exit: RunnerExit) => void;
}

export interface RunnerExit {
  /** The result of its job, if it was reported. */
  readonly conclusion: Conclusion | null;
  /** The same, of an attempt. */
  readonly result: RunResult | null;
  /** How the process ended, whatever it had reported: `exit code 1`, `signal SIGKILL`. */
  readonly how: string;
  /** Why there is no conclusion; null where there is one. */
  readonly failure: Failure | null;
  /** It could not start from the snapshot, and never got its job: a second start uses the bundle. */
  readonly mayStartAgain: boolean;
}

/** The last report of each kind of job. */
export type Conclusion = Extract<
  RunnerReport,
  {type: 'result' | 'cleaned' | 'finished' | 'delivered' | 'probed'}
>;
