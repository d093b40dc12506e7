import assert from 'node:assert/strict';
import type {Claim, ClaimKey} from '../../../src/core/claim.ts';
import {isUnreadable} from '../../../src/core/run/hold.ts';

type Claims = ReadonlyMap<ClaimKey, Claim>;

/** Looks whether what operators say is neither lost nor said twice: it goes with a turn, or with its claim. */
export class MessageWatch {
  /** Which claim each message waits in. */
  readonly #queued = new Map<string, ClaimKey>();
  /** Messages with which a turn has begun. */
  readonly #begun = new Set<string>();
  readonly #given = new Map<string, readonly string[]>();

  /** A run is started, with what is queued by then. */
  starts(runId: string, claim: Claim | undefined): void {
    const ids = claim?.messages.map(({id}) => id) ?? [];
    for (const id of ids) assert.ok(!this.#begun.has(id), `${runId} says message ${id} again`);
    this.#given.set(runId, ids);
  }

  /** The first turn of a run begins; with which messages. */
  begins(runId: string): string[] {
    const ids = [...(this.#given.get(runId) ?? [])];
    for (const id of ids) this.#begun.add(id);
    return ids;
  }

  look(claims: Claims): void {
    for (const [id, key] of this.#queued) {
      const claim = claims.get(key);
      if (claim?.messages.some((message) => message.id === id)) continue;
      this.#queued.delete(id);
      const isDropped = claim === undefined || isAnother(claim);
      assert.ok(isDropped || this.#begun.has(id), `message ${id} of ${key} is lost`);
    }
    for (const [key, {messages}] of claims) {
      for (const {id} of messages) {
        assert.ok(!this.#begun.has(id), `message ${id} of ${key} is queued after its turn`);
        this.#queued.set(id, key);
      }
    }
  }
}

/** Another claim of the same issue: made anew in the decision that released the former, or by a start. */
function isAnother(claim: Claim): boolean {
  // The issue is over: the sweep has made this claim, to clean its workspace.
  if (isUnreadable(claim) || (claim.is === 'stopping' && claim.run === null)) return true;
  return claim.is === 'running' && claim.run.step === 'reading' && claim.run.attempt === null;
}
