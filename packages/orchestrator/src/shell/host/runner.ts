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
  /** Its start is over: it said hello, or ended, or takes so long that the next start need not wait. */
  readonly ready: Promise<void>;
  /** Asks it to end, then forces it. The first reason counts; a later call can only shorten the time. */
  stop(reason: StopReason, withinMs: number | null): void;
  /** Forces the end of everything that carries the id of the run. */
  kill(): Promise<unknown>;
}

export type AnswerCall = (call: HostCall) => Promise<HostAnswer>;

/** None is called before the runner was returned to the caller that started it, and none after `onExit`. */
export interface RunnerEvents {
  /** What was not understood comes as a note: a sign of life, and worth a line in the log. */
  readonly onReport: (report: RunnerReport) => void;
  readonly onCall: AnswerCall;
  readonly onExit: (exit: RunnerExit) => void;
}

export interface RunnerExit {
  /** What its job came to, if it got as far as to say so. */
  readonly conclusion: Conclusion | null;
  /** The same, of an attempt. */
  readonly result: RunResult | null;
  /** What became of the process, whatever it had said: `exit code 1`, `signal SIGKILL`. */
  readonly how: string;
  /** Why there is no conclusion; null where there is one. */
  readonly failure: Failure | null;
  /** It could not start the way it was started, and never got its job: started again, it takes another way. */
  readonly mayStartAgain: boolean;
}

/** The last report of each kind of job. */
export type Conclusion = Extract<
  RunnerReport,
  {type: 'result' | 'cleaned' | 'finished' | 'delivered' | 'probed'}
>;
