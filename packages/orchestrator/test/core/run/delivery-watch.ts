import assert from 'node:assert/strict';
import type {ClaimKey} from '../../../src/core/claim.ts';
import type {Effect} from '../../../src/core/effect.ts';

/** Looks whether an issue is handed off although the work of its last clean run is not delivered. */
export class DeliveryWatch {
  readonly #undelivered = new Set<ClaimKey>();
  readonly #handoffState: string;

  constructor(handoffState: string) {
    this.#handoffState = handoffState;
  }

  failed(key: ClaimKey): void {
    this.#undelivered.add(key);
  }

  succeeded(key: ClaimKey): void {
    this.#undelivered.delete(key);
  }

  /** An agent works on: its run delivers what it and the runs before it have made. */
  starts(key: ClaimKey): void {
    this.#undelivered.delete(key);
  }

  writes({key, state}: Extract<Effect, {do: 'write-state'}>): void {
    const isHandoff = state === this.#handoffState;
    const isUndelivered = this.#undelivered.has(key);
    assert.ok(!(isHandoff && isUndelivered), `${key} is handed off, and not delivered`);
  }
}
