import assert from 'node:assert/strict';
import {type Claim, type ClaimKey, claimKey} from '../../../src/core/claim.ts';
import {isUnreadable, unreadableClaim} from '../../../src/core/run/hold.ts';

/** Looks whether a claim that cannot be read is kept until an operator or the tracker lets it go. */
export class UnreadableWatch {
  /** Since when no run has been started for them. */
  readonly #keys = new Set<ClaimKey>();

  get keys(): ReadonlySet<ClaimKey> {
    return this.#keys;
  }

  /** What a start makes of a row that it cannot read. */
  spoil(project: string, issueId: string, at: number): Claim {
    this.#keys.add(claimKey(project, issueId));
    return unreadableClaim({project, issueId, identifier: issueId}, 'half a row', at);
  }

  /** The issue starts over: from here on its workspace is that of the new run. */
  starts(key: ClaimKey): void {
    this.#keys.delete(key);
  }

  assertMayClean(key: ClaimKey): void {
    assert.ok(!this.#keys.has(key), `${key} could not be read, and its workspace is deleted`);
  }

  /** `mayGo`: an operator has released it, or it is over. */
  look(
    before: ReadonlyMap<ClaimKey, Claim>,
    after: ReadonlyMap<ClaimKey, Claim>,
    mayGo: (key: ClaimKey) => boolean,
  ): void {
    for (const [key, claim] of before) {
      if (!isUnreadable(claim)) continue;
      const now = after.get(key);
      const isKept = now !== undefined && isUnreadable(now);
      assert.ok(isKept || mayGo(key), `${key} could not be read, and is let go`);
    }
  }
}
