import type {Claim, ClaimKey, Counters, Workspace} from '../core/claim.ts';
import type {Delivered, ReleaseStatus, RunEnded} from '../core/effect.ts';
import type {OperatorCommand} from '../core/event.ts';
import type {Kept} from '../core/life/kept.ts';
import type {Totals} from '../core/state.ts';

/** What one decision changed. Saved atomically. Times are whole milliseconds. */
export interface StoreChange {
  /** null: the claim is released. */
  readonly claims?: ReadonlyMap<ClaimKey, Claim | null>;
  readonly counters?: ReadonlyMap<ClaimKey, Counters>;
  /** None: they are gone. */
  readonly workspaces?: ReadonlyMap<ClaimKey, readonly Workspace[]>;
  /** None: nothing of the issue is kept any more. */
  readonly kept?: ReadonlyMap<ClaimKey, readonly Kept[]>;
  /** The complete list, not only new ones. */
  readonly pausedProjects?: readonly string[];
  readonly totals?: Totals;
  /** The prefix of this process's run ids. */
  readonly life?: string;
  readonly runsBegun?: readonly RunBegun[];
  readonly runsEnded?: readonly RunEnded[];
  /** Runs whose work was delivered after they had ended. */
  readonly deliveries?: readonly Delivered[];
  /** How issues stood when their claims were released. */
  readonly releases?: ReadonlyMap<ClaimKey, Release>;
  readonly actions?: readonly Action[];
  /** Rows that could not be read: their text is kept before they are replaced. */
  readonly unreadable?: readonly UnreadableText[];
}

export interface Release {
  readonly status: ReleaseStatus;
  /** null: the issue is gone. */
  readonly state: string | null;
}

export interface UnreadableText {
  readonly table: 'claims' | 'workspaces' | 'kept' | 'facts';
  readonly key: string;
  readonly reason: string;
  readonly text: string;
  readonly at: number;
}

/** A run is recorded when it starts, so that one that never ends is noticed. */
export interface RunBegun {
  readonly key: ClaimKey;
  readonly runId: string;
  readonly host: string;
  readonly identifier: string;
  readonly role: string;
  readonly attempt: number | null;
  readonly startedAt: number;
}

/** An operator's order and its origin. */
export interface Action {
  readonly at: number;
  readonly by: string;
  readonly command: OperatorCommand;
}
