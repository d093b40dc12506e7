import assert from 'node:assert/strict';
import type {Issue} from '@symphony-supervisor/protocol';
import type {Claim, ClaimKey} from '../../../src/core/claim.ts';
import {isUnreadable} from '../../../src/core/run/hold.ts';

/** Looks whether a dismissed issue is left alone until it is read as another one, or an operator wants it. */
export class DismissalWatch {
  /** `heard`: the newest read of an issue; null if it is gone. */
  look(
    before: ReadonlyMap<ClaimKey, Claim>,
    after: ReadonlyMap<ClaimKey, Claim>,
    heard: (key: ClaimKey) => Issue | null,
    mayGo: (key: ClaimKey) => boolean,
  ): void {
    for (const [key, claim] of before) {
      const later = after.get(key);
      if (claim.is !== 'dismissed' || later?.is === 'dismissed' || mayGo(key)) continue;
      // Its row was spoilt between two lives: it is held until an operator has looked.
      if (later !== undefined && isUnreadable(later)) continue;
      const now = heard(key);
      const isSame = now !== null && (!claim.isRead || gist(now) === gist(claim.issue));
      assert.ok(!isSame, `${key} is dismissed and unchanged, and is let go`);
    }
  }
}

function gist({state, labels, title, description, assignee_id}: Issue): string {
  return JSON.stringify([state, labels, title, description, assignee_id]);
}
