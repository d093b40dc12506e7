import type {ClaimKey} from './claim.ts';
import type {Draft} from './draft.ts';

/** The claim is over; what outlives it are its counters and its history, in the store. */
export function release(draft: Draft, key: ClaimKey): void {
  draft.drop(key);
  clearTimers(draft, key);
}

export function clearTimers(draft: Draft, key: ClaimKey): void {
  for (const kind of ['retry', 'stall', 'heartbeat', 'turn-end'] as const) {
    draft.order({do: 'clear-timer', timer: `${kind} ${key}`});
  }
}
