import {
  type AgentKind,
  type Issue,
  type MalformedRecords,
  NO_USAGE,
  type RateLimits,
  type TrackerBudget,
  type Usage,
  type Workflow,
} from '@symphony-supervisor/protocol';
import type {Claim, ClaimKey, Counters, Workspace} from './claim.ts';
import type {Kept} from './life/kept.ts';

/** Everything that the supervisor knows. Never mutated, only replaced, by `decide` alone. */
export interface State {
  readonly projects: ReadonlyMap<string, Project>;
  readonly claims: ReadonlyMap<ClaimKey, Claim>;
  /**
   * Of claimed issues only, so that the cost of a decision does not grow with every issue ever seen. A claim
   * gets its counters from the store with the read before its first launch.
   */
  readonly counters: ReadonlyMap<ClaimKey, Counters>;
  /** Workspaces on record, whether or not their issue is claimed: the last one is in use. */
  readonly workspaces: ReadonlyMap<ClaimKey, readonly Workspace[]>;
  /** Those of them that are kept for the work in them. */
  readonly kept: ReadonlyMap<ClaimKey, readonly Kept[]>;
  /** Issues that have had an unreadable claim, and no run since: their workspaces are not touched. */
  readonly unreadable: ReadonlySet<ClaimKey>;
  /** Makes run ids unique: this process of the supervisor, and its number of reservations. */
  readonly life: string;
  readonly runsReserved: number;
  /** Makes the ids of messages for agents unique, as above. */
  readonly messagesTaken: number;
  /** Over all projects; null is no limit beyond theirs. */
  readonly maxAgents: number | null;
  /** Tokens and seconds of every run that has ended, over the life of the store. */
  readonly totals: Totals;
  readonly rateLimits: RateLimits | null;
  /** While the store cannot be written, nothing is started and nothing is written to a tracker. */
  readonly storeIsWritable: boolean;
  readonly isShuttingDown: boolean;
  /** The shell was ordered to exit. */
  readonly isExiting: boolean;
  /** Projects that an earlier process had paused: they start paused. */
  readonly pausedBefore: readonly string[];
  /** All projects are loaded: statements about all projects can be made from now on. */
  readonly hasStarted: boolean;
  /** null: it runs until it is stopped. */
  readonly once: Once | null;
}

/** One tick of each project, and the end of what it started. */
export interface Once {
  /** Projects whose tick has ended: nothing of them starts any more. */
  readonly over: readonly string[];
  /** What did not end normally, for people. */
  readonly trouble: readonly string[];
}

export interface Totals {
  readonly usage: Usage;
  readonly secondsRunning: number;
}

export const NO_TOTALS: Totals = {usage: NO_USAGE, secondsRunning: 0};

/** Whether agents of one kind can be started, and what is known about it. */
export interface AgentHealth {
  readonly agent: AgentState;
  /** Failures of the host in a row, over all runs: an agent that only seems well is tried ever later. */
  readonly hostFailures: number;
  /** Of the agent; a project's own is also that of its file. */
  readonly lastError: string | null;
}

/** One workflow file with its tracker. The health is that of the file's own agent. */
export interface Project extends AgentHealth {
  readonly name: string;
  /** The last valid version of its workflow file. */
  readonly workflow: Workflow;
  /** Why the current file is invalid; dispatch waits. */
  readonly problem: string | null;
  readonly isPaused: boolean;
  /** Increases when the file names another tracker, or another scope of it. */
  readonly scope: number;
  /** Trackers of earlier scopes that still have claims. */
  readonly formerScopes: readonly number[];
  readonly isSweeping: boolean;
  /** The disk without enough space. */
  readonly shortage: string | null;
  readonly poll: Poll;
  /** A requested tick (webhook, refresh, changed file) starts no earlier; a due poll does. */
  readonly askedTickAt: number;
  /** Consecutive ticks with a failed read. */
  readonly failedTicks: number;
  /** The end of the last tick without a failed read; before the first, when the project was loaded. */
  readonly tickedAt: number;
  /** As last fetched, in order of dispatch. Issues claimed since then are skipped when a slot is filled. */
  readonly candidates: readonly Issue[];
  /** When they were requested (monotonic clock). */
  readonly candidatesAskedAt: number;
  /** The tracker asked to send no requests until then. */
  readonly notBefore: number | null;
  /** The request budget of the tracker, as last reported; display only. */
  readonly budget: TrackerBudget | null;
  /** Of the agents that only roles have. */
  readonly otherAgents: ReadonlyMap<AgentKind, AgentHealth>;
  /** What the last tick could not read, and why; null again after one that could. */
  readonly trackerError: string | null;
  /** Records that the last list of candidates omitted. */
  readonly malformed: MalformedRecords | null;
  /** The result of the first read, which shows whether the credentials are accepted. */
  readonly firstRead: 'refused' | 'not refused' | null;
}

/** What people are told first; the file and the agents are also shown for themselves. */
export function errorOf({trackerError, lastError, otherAgents}: Project): string | null {
  const ofOthers = [...otherAgents.values()].find((other) => other.lastError !== null);
  return trackerError ?? lastError ?? ofOthers?.lastError ?? null;
}

/** One tick at a time; a request during a tick causes one more. */
export type Poll =
  | {readonly is: 'waiting'; readonly nextAt: number}
  | {readonly is: 'reading-claimed'; readonly again: boolean}
  | {readonly is: 'reading-candidates'; readonly again: boolean; readonly hasFailed: boolean};

/** Whether agents of a kind can be started at all. */
export type AgentState =
  | {readonly is: 'unknown'}
  /** `again`: the agent setting changed in the meantime, so the pending result is about the old one. */
  | {readonly is: 'probing'; readonly again: boolean}
  | {readonly is: 'ready'; readonly version: string | null}
  /** Nothing is dispatched until the next probe, or the reset of a limit. */
  | {readonly is: 'blocked'; readonly why: string; readonly until: number};

/**
 * The project of a claim or an event. It is always loaded: claims of other projects stay in the store (see
 * `ofProjects`), and `decide` drops events of unknown projects.
 */
export function loadedProject({projects}: State, name: string): Project {
  const project = projects.get(name);
  if (project === undefined) throw new Error(`project ${name} is not loaded`);
  return project;
}

export function emptyState(life: string, maxAgents: number | null = null): State {
  return {
    projects: new Map(),
    claims: new Map(),
    counters: new Map(),
    workspaces: new Map(),
    kept: new Map(),
    unreadable: new Set(),
    life,
    runsReserved: 0,
    messagesTaken: 0,
    maxAgents,
    totals: NO_TOTALS,
    rateLimits: null,
    storeIsWritable: true,
    isShuttingDown: false,
    isExiting: false,
    pausedBefore: [],
    hasStarted: false,
    once: null,
  };
}
