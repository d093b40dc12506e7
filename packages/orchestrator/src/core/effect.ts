import type {
  AgentKind,
  Issue,
  ResultLink,
  RunOutcome,
  StopReason,
  Usage,
} from '@symphony-supervisor/protocol';
import type {ClaimKey, Run} from './claim.ts';
import type {TimerName} from './event.ts';
import type {RunResults} from './run/results.ts';

/** Effects for the shell. The store has been written before they are carried out. */
export type Effect =
  | {
      readonly do: 'read-claimed';
      readonly project: string;
      readonly scope: number;
      readonly ids: readonly string[];
    }
  /** Or reopens it, with changed settings. */
  | {readonly do: 'open-tracker'; readonly project: string; readonly scope: number}
  /** No claim comes from this tracker any more. */
  | {readonly do: 'close-tracker'; readonly project: string; readonly scope: number}
  /** Those on record and those on disk, with the state of their issues in the tracker. */
  | {readonly do: 'find-workspaces'; readonly project: string; readonly scope: number}
  | {readonly do: 'read-candidates'; readonly project: string; readonly scope: number}
  | {
      readonly do: 'read-issue';
      readonly key: ClaimKey;
      /** null: no run is concerned any more; see `IssueRead`. */
      readonly runId: string | null;
      readonly issue: Issue;
    }
  | {
      readonly do: 'write-state';
      readonly key: ClaimKey;
      readonly runId: string;
      readonly issue: Issue;
      readonly state: string;
    }
  | {readonly do: 'start-run'; readonly key: ClaimKey; readonly run: Run}
  | {
      readonly do: 'stop-run';
      readonly runId: string;
      readonly reason: StopReason;
      /** If time is short: then the end is forced, with or without `after_run`. */
      readonly withinMs: number | null;
    }
  /** For a runner without signs of life: ends every process with its id. */
  | {readonly do: 'kill-run'; readonly runId: string}
  | {
      readonly do: 'finish-run';
      readonly key: ClaimKey;
      readonly runId: string;
      readonly outcome: RunOutcome;
    }
  /** `deliver` alone: no agent is started. */
  | {readonly do: 'deliver-work'; readonly key: ClaimKey; readonly runId: string}
  | {
      readonly do: 'clean-workspace';
      readonly key: ClaimKey;
      readonly host: string;
      readonly path: string;
      /** It is kept if it holds the only copy of some work. */
      readonly keepWork: boolean;
    }
  | {readonly do: 'probe-agent'; readonly project: string; readonly agentKind: AgentKind}
  | {readonly do: 'set-timer'; readonly timer: TimerName; readonly at: number}
  | {readonly do: 'clear-timer'; readonly timer: TimerName}
  | {readonly do: 'record-run'; readonly record: RunEnded}
  | {readonly do: 'record-delivery'; readonly delivery: Delivered}
  /** Status of the issue when its claim was released; the history shows it with the last run. */
  | {
      readonly do: 'record-release';
      readonly key: ClaimKey;
      readonly status: ReleaseStatus;
      readonly state: string | null;
    }
  | {
      readonly do: 'log';
      readonly level: 'info' | 'warn' | 'error';
      readonly event: string;
      /** The subject: an issue, or a whole project. */
      readonly key?: ClaimKey;
      readonly project?: string;
      readonly reason?: string;
    }
  /** Everything has ended: the process may exit. */
  | {readonly do: 'exit'};

/** A run in the history. */
export interface RunEnded {
  readonly key: ClaimKey;
  readonly runId: string;
  readonly host: string;
  readonly role: string;
  readonly attempt: number | null;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly outcome: RunOutcome;
  readonly failure: string | null;
  readonly turns: number;
  readonly usage: Usage;
  readonly results: RunResults;
}

/** The work of a run was delivered after its end: it succeeded after all. */
export interface Delivered {
  readonly runId: string;
  /** All of the run's. */
  readonly links: readonly ResultLink[];
}

/** Status of an unclaimed issue. */
export type ReleaseStatus = 'waiting' | 'done' | 'parked' | 'gone';
