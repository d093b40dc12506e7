import type {
  Failure,
  FailureCode,
  Issue,
  RunOutcome,
  RunPhase,
  RunResult,
  StopReason,
  ThreadRecord,
  Usage,
} from '@symphony-supervisor/protocol';

/** Project and issue id. Project names hold no slash, so two claims never share a key. */
export type ClaimKey = string;

export function claimKey(project: string, issueId: string): ClaimKey {
  return `${project}/${issueId}`;
}

export function projectOf(key: ClaimKey): string {
  return key.slice(0, key.indexOf('/'));
}

export function issueIdOf(key: ClaimKey): string {
  return key.slice(key.indexOf('/') + 1);
}

/** What every claim remembers of its issue until it is released. */
export interface Common {
  readonly project: string;
  /** The tracker of its project that it came from: a changed scope applies to later claims. */
  readonly scope: number;
  /** As last read. */
  readonly issue: Issue;
  /** The role that works on the issue, chosen when it was reserved. It stays the same as long as the claim. */
  readonly authorRole: string;
  /** When that read was requested (monotonic clock of this process): the result of an older read is ignored. */
  readonly readAt: number;
  /** Consecutive failures. */
  readonly failures: number;
  /** Consecutive failures on the recorded thread; after the second a new thread is started. */
  readonly threadFailures: number;
  readonly thread: ThreadRecord | null;
  /** The workspace that a run recorded. It is the one that is cleaned, even if the settings have changed. */
  readonly workspace: Workspace | null;
  /** Messages of operators for the agent, oldest first. Each is kept until a turn has begun with it. */
  readonly messages: readonly Message[];
  /** A clean run whose work is not delivered. Its delivery comes first: without an agent and without a slot. */
  readonly undelivered: Run | null;
}

/** A message of an operator for the agent, sent once. */
export interface Message {
  readonly id: string;
  readonly text: string;
  /** When the operator sent it (wall clock). */
  readonly at: number;
}

/** The common fields of a claim, for the claim that replaces it. */
export function commonOf(claim: Common): Common {
  const {project, scope, issue, authorRole, readAt} = claim;
  const {failures, threadFailures, thread, workspace, messages, undelivered} = claim;
  return {
    ...{project, scope, issue, authorRole, readAt},
    ...{failures, threadFailures, thread, workspace, messages, undelivered},
  };
}

/** The common fields of an issue that was just claimed: only the read and the role are known. */
export function newCommon(
  project: string,
  scope: number,
  issue: Issue,
  readAt: number,
  authorRole: string,
): Common {
  return {
    ...{project, scope, issue, authorRole, readAt},
    ...{failures: 0, threadFailures: 0, thread: null, workspace: null},
    ...{messages: [], undelivered: null},
  };
}

/** The supervisor's own host, the only one so far. */
export const LOCAL_HOST = 'local';

/** A folder on a host in which the runs of one issue work. */
export interface Workspace {
  readonly host: string;
  readonly path: string;
}

export function isSameWorkspace(one: Workspace, other: Workspace): boolean {
  return one.host === other.host && one.path === other.path;
}

export interface RunnerProcess {
  readonly pid: number;
  readonly startedAt: string;
}

/** Why an issue runs again: its last run was clean, failed, or was interrupted (the same attempt). */
export type RetryKind = 'continuation' | 'failure' | 'resume';

/** One runner process, from its reservation on. */
export interface Run {
  readonly id: string;
  /** Where its runner is, and so its process, its workspace and its transcript. */
  readonly host: string;
  /** The role of the run; see `RunProfile`. It differs from the role of the claim if the file no longer has that role. */
  readonly role: string;
  readonly attempt: number | null;
  readonly retry: Exclude<RetryKind, 'resume'> | null;
  readonly lastError: string | null;
  /** Whether it counts as a separate run: not if it resumes a run that was shut down cleanly. */
  readonly counts: boolean;
  readonly startedAt: number;
  readonly phase: RunPhase;
  /**
   * The step before the runner is live, one at a time. `over`: the runner has exited and its slot is free,
   * only the delivery is left.
   */
  readonly step: 'reading' | 'marking' | 'forking' | 'live' | 'over';
  /** The identity of its runner process, even if the pid is reused. */
  readonly process: RunnerProcess | null;
  readonly agentPid: number | null;
  readonly sessionId: string | null;
  readonly turn: number;
  /** The kind of agent, from the reservation on. Absent in a claim of an older version, as are the optional fields below. */
  readonly agent?: string | undefined;
  /** As named by the workflow or reported by the agent; null: unknown so far. */
  readonly model?: string | null | undefined;
  /** Whether the agent reports its usage. */
  readonly isMeasured: boolean;
  /** The figures are the last ones seen of a turn that is under way, or was cut off. */
  readonly isPartial?: boolean | undefined;
  readonly usage: Usage;
  /** Time of the last sign of life; null while the stall clock is paused (a hook, a tool call). */
  readonly lastHeardAt: number | null;
  readonly signsOfLife: number;
  readonly heartbeatAt: number;
  readonly lastEvent: string | null;
  readonly lastMessage: string | null;
  readonly lastEventAt: number | null;
  /** Unanswered tool calls: a change of the issue in the meantime may be their effect. */
  readonly callsUnderWay: number;
  /** The state to which the run's own tool call moved its issue: the run may finish its turn first. */
  readonly movedTo: string | null;
  /** How often the tracker rejected a write of the supervisor because the issue had changed. */
  readonly conflicts: number;
  /** As reported by the runner, before its process ended. */
  readonly result: RunResult | null;
}

/** Why an issue is held. */
export interface HoldReason {
  readonly code: FailureCode | 'stopped_by_operator';
  readonly message: string;
}

/** What follows when the runner has exited and the issue has been read. */
export type Next =
  /** `by` the tracker: the issue was not workable. If it is workable again at the end of the run, the run is resumed. */
  | {readonly do: 'release'; readonly by: 'tracker' | 'operator'}
  | {readonly do: 'clean'}
  | {readonly do: 'continue'}
  | {readonly do: 'retry'; readonly failure: Failure}
  | {readonly do: 'wait'; readonly failure: Failure}
  | {readonly do: 'deliver'; readonly failure: Failure}
  | {readonly do: 'hold'; readonly because: HoldReason; readonly question: string | null}
  | {readonly do: 'dismiss'}
  /** Shut down or crashed: the same attempt again, in the same thread. */
  | {readonly do: 'resume'};

/** Why an issue waits although its retry is due. */
export type WaitReason = string;

/** Why the supervisor holds an issue. No entry means that it does not: there is no second set to keep consistent. */
export type Claim =
  | (Common & {readonly is: 'running'; readonly run: Run})
  | (Common & {
      readonly is: 'stopping';
      readonly run: Run;
      readonly outcome: RunOutcome | null;
      readonly reason: StopReason | null;
      readonly next: Next;
      /** What it waits for: the runner's exit, the read that follows every exit, a write, a small job. */
      readonly step: 'runner' | 'marking' | 'reading' | 'handing-off' | 'finishing' | 'delivering';
    })
  /** Its run has ended and is dropped: only its workspaces are left to clean. */
  | (Common & {
      readonly is: 'stopping';
      readonly run: null;
      readonly outcome: null;
      readonly reason: null;
      readonly next: Next;
      /** A last read confirms that the issue is terminal; only then is anything deleted. */
      readonly step: 'confirming' | 'cleaning';
    })
  | (Common & {
      readonly is: 'retrying';
      readonly kind: RetryKind;
      readonly attempt: number | null;
      readonly dueAt: number;
      readonly lastError: string | null;
      /** Set once it was due and could not start, or if it has no slot until then. */
      readonly waitsFor: WaitReason | null;
      readonly counts: boolean;
    })
  | (Common & {
      readonly is: 'held';
      readonly because: HoldReason;
      readonly question: string | null;
      readonly since: number;
      /** The state read after the runner's exit: a different state ends the hold. */
      readonly stateThen: string;
    })
  /** An operator wants no work on the issue in its present form: it waits for a change in the tracker. */
  | (Common & {
      readonly is: 'dismissed';
      readonly since: number;
      /** Whether it was read since the order; if not, the next read shows the issue as it was dismissed. */
      readonly isRead: boolean;
    });

export type Running = Extract<Claim, {is: 'running'}>;
export type Retrying = Extract<Claim, {is: 'retrying'}>;
export type Held = Extract<Claim, {is: 'held'}>;
export type Dismissed = Extract<Claim, {is: 'dismissed'}>;
/** From the stop, or from its own end, until what follows is done. */
export type Ending = Extract<Claim, {is: 'stopping'; run: Run}>;

/** Whether a run belongs to the claim, from its reservation until what follows its end. */
export function hasRun(claim: Claim): claim is Running | Ending {
  return claim.is === 'running' || (claim.is === 'stopping' && claim.run !== null);
}

/** The run after its runner has exited; null: nothing is left to deliver. */
export function undeliveredRun(run: Run): Run | null {
  return run.result?.failure?.code === 'delivery_failed' ? {...run, step: 'over'} : null;
}

/** Counters of an issue. They outlive the claim: those of unclaimed issues are only in the store. */
export interface Counters {
  readonly runs: number;
  readonly tokens: number;
  readonly idleRuns: number;
}

export const NO_COUNTERS: Counters = {runs: 0, tokens: 0, idleRuns: 0};
