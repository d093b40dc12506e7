import type {
  AgentKind,
  CleanOutcome,
  Failure,
  Issue,
  MalformedRecords,
  ProbeResult,
  ResultLink,
  RunnerReport,
  TrackerBudget,
  Workflow,
} from '@symphony-supervisor/protocol';
import type {ClaimKey, Counters, RunnerProcess} from './claim.ts';
import type {FoundWorkspace} from './tracker/sweep.ts';

/** The answer of the tracker, as the core needs it. */
export type TrackerAnswer<T> =
  | {
      readonly ok: true;
      readonly value: T;
      /** Omitted from the value. */
      readonly malformed?: MalformedRecords;
    }
  | {
      readonly ok: false;
      readonly message: string;
      readonly notBefore: number | null;
      /** The tracker refused the credentials, not the request. */
      readonly isRefusal?: boolean;
    };

/** A read of one issue, as it was asked for and answered. */
export interface IssueRead {
  readonly key: ClaimKey;
  /** null: it confirms that an issue is over, before its workspace is cleaned. */
  readonly runId: string | null;
  /** By the monotonic clock: a read never overrides one that was requested later. */
  readonly askedAt: number;
  readonly answer: TrackerAnswer<Issue | null>;
  /** Of this issue, from the store: the State has those of claimed issues only. */
  readonly counters: Counters;
}

export type WriteAnswer = 'written' | 'unchanged' | 'conflict' | 'failed';

export type OperatorCommand =
  | {readonly command: 'stop' | 'restart' | 'clean'; readonly key: ClaimKey}
  /** `orderedAt`, by the monotonic clock: a read requested earlier does not show the dismissed form of the issue. */
  | {readonly command: 'dismiss'; readonly key: ClaimKey; readonly orderedAt: number}
  | {readonly command: 'retry'; readonly key: ClaimKey; readonly message: string | null}
  /** null: every project. */
  | {readonly command: 'pause' | 'resume' | 'refresh'; readonly project: string | null};

/** What happened, and when (wall clock, milliseconds). The core has no clock. */
export type Event = {
  readonly at: number;
} /** The projects are loaded, and the processes of an earlier supervisor have been ended. */ & (
  | {readonly type: 'supervisor.started'}
  | {readonly type: 'project.loaded'; readonly workflow: Workflow}
  | {readonly type: 'project.broken'; readonly project: string; readonly problem: string}
  /** A webhook, or a changed file of the file tracker: a tick is requested before the next poll. */
  | {readonly type: 'tracker.changed'; readonly project: string}
  | {
      readonly type: 'claimed.read';
      readonly project: string;
      readonly scope: number;
      readonly ids: readonly string[];
      readonly askedAt: number;
      readonly answer: TrackerAnswer<readonly Issue[]>;
    }
  | {
      readonly type: 'candidates.read';
      readonly project: string;
      readonly scope: number;
      readonly askedAt: number;
      readonly answer: TrackerAnswer<readonly Issue[]>;
      /** The remaining request budget of the tracker, if it reports one. */
      readonly budget?: TrackerBudget | null;
    }
  | ({readonly type: 'issue.read'} & IssueRead)
  | {
      readonly type: 'state.written';
      readonly key: ClaimKey;
      readonly runId: string;
      readonly answer: WriteAnswer;
    }
  /** No runner was forked; nothing has happened to its issue. */
  | {
      readonly type: 'run.not_started';
      readonly key: ClaimKey;
      readonly runId: string;
      readonly why: string;
    }
  | {
      readonly type: 'runner.started';
      readonly key: ClaimKey;
      readonly runId: string;
      readonly process: RunnerProcess;
    }
  | {
      readonly type: 'runner.reported';
      readonly key: ClaimKey;
      readonly runId: string;
      readonly report: RunnerReport;
    }
  /** `how` is set if the runner sent no result: its exit code or signal, or why it was not started. */
  | {
      readonly type: 'runner.exited';
      readonly key: ClaimKey;
      readonly runId: string;
      readonly how: string;
    }
  | {readonly type: 'tool.called'; readonly key: ClaimKey; readonly runId: string}
  | {
      readonly type: 'tool.answered';
      readonly key: ClaimKey;
      readonly runId: string;
      /** The state that the call moved the issue to, if any, and when the tracker was called. */
      readonly movedTo: string | null;
      readonly askedAt: number;
    }
  | {
      readonly type: 'workspace.cleaned';
      readonly key: ClaimKey;
      readonly host: string;
      readonly path: string;
      readonly outcome: CleanOutcome;
    }
  | {
      readonly type: 'workspaces.found';
      readonly project: string;
      readonly scope: number;
      readonly askedAt: number;
      readonly answer: TrackerAnswer<readonly FoundWorkspace[]>;
    }
  /** `shortage` names the disk without enough space; null if there is none. */
  | {readonly type: 'disk.checked'; readonly project: string; readonly shortage: string | null}
  /** How far the wall clock moved beyond the elapsed time. */
  | {readonly type: 'clock.jumped'; readonly byMs: number}
  | {readonly type: 'run.finished'; readonly key: ClaimKey; readonly runId: string}
  /** `deliver` was run for an ended run; null: it succeeded. */
  | {
      readonly type: 'work.delivered';
      readonly key: ClaimKey;
      readonly runId: string;
      readonly failure: Failure | null;
      readonly links: readonly ResultLink[];
    }
  /** Without a kind: of the file's own agent. */
  | {
      readonly type: 'agent.probed';
      readonly project: string;
      readonly agentKind?: AgentKind;
      readonly result: ProbeResult;
    }
  | {readonly type: 'timer.fired'; readonly timer: TimerName}
  | {readonly type: 'operator.commanded'; readonly by: string; readonly command: OperatorCommand}
  | {readonly type: 'store.changed'; readonly isWritable: boolean}
  /** How long runs may take to end, including `after_run`. */
  | {readonly type: 'shutdown.requested'; readonly withinMs: number}
);

/** A timer is identified by its name: a new one replaces the old one of that name. */
export type TimerName =
  | `poll ${string}`
  | `probe ${string}`
  | `sweep ${string}`
  | `retry ${ClaimKey}`
  | `stall ${ClaimKey}`
  | `heartbeat ${ClaimKey}`
  | `turn-end ${ClaimKey}`;
