import type {Claim, ClaimKey, Counters} from '../core/claim.ts';
import type {ReleaseStatus, RunEnded} from '../core/effect.ts';
import type {OperatorCommand} from '../core/event.ts';
import type {Kept} from '../core/life/kept.ts';
import type {Totals} from '../core/state.ts';

/** What one decision changed. It is kept whole or not at all. Instants are whole milliseconds. */
export interface StoreChange {
  /** null: the claim is released. */
  readonly claims?: ReadonlyMap<ClaimKey, Claim | null>;
  readonly counters?: ReadonlyMap<ClaimKey, Counters>;
  /** None: they are gone. */
  readonly workspaces?: ReadonlyMap<ClaimKey, readonly string[]>;
  /** None: nothing of the issue is kept any more. */
  readonly kept?: ReadonlyMap<ClaimKey, readonly Kept[]>;
  /** All of them, not only those that are new. */
  readonly pausedProjects?: readonly string[];
  readonly totals?: Totals;
  /** What the ids of this life's runs begin with. */
  readonly life?: string;
  readonly runsBegun?: readonly RunBegun[];
  readonly runsEnded?: readonly RunEnded[];
  /** How issues stood when their claims were released. */
  readonly releases?: ReadonlyMap<ClaimKey, Release>;
  readonly actions?: readonly Action[];
  /** Rows that could not be read: their text is kept before anything takes their place. */
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

/** A run goes on record when it is begun, so that one that never ends is missed. */
export interface RunBegun {
  readonly key: ClaimKey;
  readonly runId: string;
  readonly identifier: string;
  readonly attempt: number | null;
  readonly startedAt: number;
}

/** What a person ordered, and who it was. */
export interface Action {
  readonly at: number;
  readonly by: string;
  readonly command: OperatorCommand;
}
