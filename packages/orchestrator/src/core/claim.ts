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
  /** Which of its project's trackers it came from: a changed scope is for later claims. */
  readonly scope: number;
  /** As last read. */
  readonly issue: Issue;
  /** The role that works on the issue, chosen when it was reserved. It stays the same as long as the claim. */
  readonly authorRole: string;
  /** When that read was asked for (monotonic clock of this life): what an older read says is ignored. */
  readonly readAt: number;
  /** Consecutive failures. */
  readonly failures: number;
  /** Failures in a row on the recorded thread; the second gives it up. */
  readonly threadFailures: number;
  readonly thread: ThreadRecord | null;
  /** The workspace that a run recorded: what is cleaned, whatever the settings say by then. */
  readonly workspace: Workspace | null;
  /** What operators want the agent to hear, oldest first. Each is kept until a turn has begun with it. */
  readonly messages: readonly Message[];
  /** A clean run whose work is not delivered. Its delivery comes before all else: no agent, no slot. */
  readonly undelivered: Run | null;
}

/** What an operator wants the agent to hear, once. */
export interface Message {
  readonly id: string;
  readonly text: string;
  /** When it was given (wall clock). */
  readonly at: number;
}

/** Reuses what every claim remembers for the claim that replaces this one. */
export function commonOf(claim: Common): Common {
  const {project, scope, issue, authorRole, readAt} = claim;
  const {failures, threadFailures, thread, workspace, messages, undelivered} = claim;
  return {
    ...{project, scope, issue, authorRole, readAt},
    ...{failures, threadFailures, thread, workspace, messages, undelivered},
  };
}

/** What is known of an issue that has just been taken: nothing but how it was read, and by whom it is run. */
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

/** The host of the supervisor itself, and the only one yet. */
export const LOCAL_HOST = 'local';

/** A folder on a host that runs of one issue work in. */
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

/** Why an issue is run again: its last run was clean, or failed, or was cut off and is the same attempt. */
export type RetryKind = 'continuation' | 'failure' | 'resume';

/** One life of a runner process, from its reservation on. */
export interface Run {
  readonly id: string;
  /** Where its runner is, and so its process, its workspace and its transcript. */
  readonly host: string;
  /** Who runs it; see `RunProfile`. It is not the author's role if the file no longer has that. */
  readonly role: string;
  readonly attempt: number | null;
  readonly retry: Exclude<RetryKind, 'resume'> | null;
  readonly lastError: string | null;
  /** Whether it counts as a run of its own: not when it resumes one that was shut down in order. */
  readonly counts: boolean;
  readonly startedAt: number;
  readonly phase: RunPhase;
  /**
   * What the run waits for before its runner lives: one thing at a time. `over`: its runner is gone and
   * its slot is free, only its delivery is left.
   */
  readonly step: 'reading' | 'marking' | 'forking' | 'live' | 'over';
  /** Its runner, told apart from a later process with the same number. */
  readonly process: RunnerProcess | null;
  readonly agentPid: number | null;
  readonly sessionId: string | null;
  readonly turn: number;
  /** Whether the agent says what it uses. */
  readonly isMeasured: boolean;
  readonly usage: Usage;
  /** When it last gave a sign of life; null while the stall clock rests (a hook, a tool call). */
  readonly lastHeardAt: number | null;
  readonly signsOfLife: number;
  readonly heartbeatAt: number;
  readonly lastEvent: string | null;
  readonly lastMessage: string | null;
  readonly lastEventAt: number | null;
  /** Tool calls that have not been answered: what changes meanwhile may be their doing. */
  readonly callsUnderWay: number;
  /** The state to which the run's own tool call moved its issue: it may end its turn first. */
  readonly movedTo: string | null;
  /** How often the tracker refused a write of ours because the issue had changed. */
  readonly conflicts: number;
  /** As the runner told it, before its process ended. */
  readonly result: RunResult | null;
}

/** Why an issue waits for a person. */
export interface HoldReason {
  readonly code: FailureCode | 'stopped_by_operator';
  readonly message: string;
}

/** What a claim does when its runner is gone and its issue has been read. */
export type Next =
  /** `by` the tracker: the issue was not workable. If it is again by the end of the run, the run is resumed. */
  | {readonly do: 'release'; readonly by: 'tracker' | 'operator'}
  | {readonly do: 'clean'}
  | {readonly do: 'continue'}
  | {readonly do: 'retry'; readonly failure: Failure}
  | {readonly do: 'wait'; readonly failure: Failure}
  | {readonly do: 'deliver'; readonly failure: Failure}
  | {readonly do: 'hold'; readonly because: HoldReason; readonly question: string | null}
  | {readonly do: 'dismiss'}
  /** Shut down or died: the same attempt again, in the same thread. */
  | {readonly do: 'resume'};

/** Why an issue waits although its retry is due. */
export type WaitReason = string;

/** Why we hold an issue. No entry means we do not: there is no second set to keep in step. */
export type Claim =
  | (Common & {readonly is: 'running'; readonly run: Run})
  | (Common & {
      readonly is: 'stopping';
      readonly run: Run;
      readonly outcome: RunOutcome | null;
      readonly reason: StopReason | null;
      readonly next: Next;
      /** What it waits for: the runner's end, the read that follows every end, a write, a small job. */
      readonly step: 'runner' | 'marking' | 'reading' | 'handing-off' | 'finishing' | 'delivering';
    })
  /** Its run is over and forgotten: only its workspaces are left to clean. */
  | (Common & {
      readonly is: 'stopping';
      readonly run: null;
      readonly outcome: null;
      readonly reason: null;
      readonly next: Next;
      /** A last read confirms that the issue is over; only then is anything deleted. */
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
      /** The state read after the runner's exit: another one lets the issue go. */
      readonly stateThen: string;
    })
  /** An operator wants no work on the issue as it is: it waits for a change in the tracker, not for a person. */
  | (Common & {
      readonly is: 'dismissed';
      readonly since: number;
      /** Since the order; if not, the next read shows the issue as it was dismissed. */
      readonly isRead: boolean;
    });

export type Running = Extract<Claim, {is: 'running'}>;
export type Retrying = Extract<Claim, {is: 'retrying'}>;
export type Held = Extract<Claim, {is: 'held'}>;
export type Dismissed = Extract<Claim, {is: 'dismissed'}>;
/** From the stop, or the end by itself, until what follows is carried out. */
export type Ending = Extract<Claim, {is: 'stopping'; run: Run}>;

/** Whether a run belongs to the claim, from its reservation until what follows its end. */
export function hasRun(claim: Claim): claim is Running | Ending {
  return claim.is === 'running' || (claim.is === 'stopping' && claim.run !== null);
}

/** The run, as what is left of it once its runner is gone; null: nothing of it is left to deliver. */
export function undeliveredRun(run: Run): Run | null {
  return run.result?.failure?.code === 'delivery_failed' ? {...run, step: 'over'} : null;
}

/** What is counted of an issue. Counters outlive the claim: those of unclaimed issues are in the store only. */
export interface Counters {
  readonly runs: number;
  readonly tokens: number;
  readonly idleRuns: number;
}

export const NO_COUNTERS: Counters = {runs: 0, tokens: 0, idleRuns: 0};
