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

/** What the tracker said, as the core needs it. */
export type TrackerAnswer<T> =
  | {
      readonly ok: true;
      readonly value: T;
      /** Left out of the value. */
      readonly malformed?: MalformedRecords;
    }
  | {
      readonly ok: false;
      readonly message: string;
      readonly notBefore: number | null;
      /** Our credentials, not the request, are what it did not like. */
      readonly isRefusal?: boolean;
    };

/** A read of one issue, as it was asked for and answered. */
export interface IssueRead {
  readonly key: ClaimKey;
  /** null: it confirms that an issue is over, before its workspace is cleaned. */
  readonly runId: string | null;
  /** By the monotonic clock: a read never overrules one that was asked for later. */
  readonly askedAt: number;
  readonly answer: TrackerAnswer<Issue | null>;
  /** Of this issue, from the store: the State has those of claimed issues only. */
  readonly counters: Counters;
}

export type WriteAnswer = 'written' | 'unchanged' | 'conflict' | 'failed';

export type OperatorCommand =
  | {readonly command: 'stop' | 'restart' | 'clean'; readonly key: ClaimKey}
  /** `orderedAt`, by the monotonic clock: a read that was asked for earlier does not show what is dismissed. */
  | {readonly command: 'dismiss'; readonly key: ClaimKey; readonly orderedAt: number}
  | {readonly command: 'retry'; readonly key: ClaimKey; readonly message: string | null}
  /** null: every project. */
  | {readonly command: 'pause' | 'resume' | 'refresh'; readonly project: string | null};

/** What happened, and when (wall clock, milliseconds). The core has no clock of its own. */
export type Event = {
  readonly at: number;
} /** The projects are loaded, and what a former life left has been ended. */ & (
  | {readonly type: 'supervisor.started'}
  | {readonly type: 'project.loaded'; readonly workflow: Workflow}
  | {readonly type: 'project.broken'; readonly project: string; readonly problem: string}
  /** A webhook, or a changed file of the file tracker: a tick is wanted before the next poll. */
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
      /** What the tracker lets us ask from now on, where it tells. */
      readonly budget?: TrackerBudget | null;
    }
  | ({readonly type: 'issue.read'} & IssueRead)
  | {
      readonly type: 'state.written';
      readonly key: ClaimKey;
      readonly runId: string;
      readonly answer: WriteAnswer;
    }
  /** No runner was forked after all; nothing has happened to its issue. */
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
  /** `how` is told where the runner gave no result: its exit code or signal, or why it never began. */
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
      /** The state that the call moved the issue to, if it did, and when the tracker was asked for it. */
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
  /** `shortage` says what is too full to work in; null if nothing is. */
  | {readonly type: 'disk.checked'; readonly project: string; readonly shortage: string | null}
  /** The wall clock moved by so much beyond the time that passed. */
  | {readonly type: 'clock.jumped'; readonly byMs: number}
  | {readonly type: 'run.finished'; readonly key: ClaimKey; readonly runId: string}
  /** `deliver` has run for a run that is over; null: it succeeded. */
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
  /** Runs may take this long to end, their `after_run` included. */
  | {readonly type: 'shutdown.requested'; readonly withinMs: number}
);

/** A timer is known by its name: a new one of that name replaces the old. */
export type TimerName =
  | `poll ${string}`
  | `probe ${string}`
  | `sweep ${string}`
  | `retry ${ClaimKey}`
  | `stall ${ClaimKey}`
  | `heartbeat ${ClaimKey}`
  | `turn-end ${ClaimKey}`;
