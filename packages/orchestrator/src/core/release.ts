import type {Claim, ClaimKey} from './claim.ts';
import type {Draft} from './draft.ts';

/** The claim is over; what outlives it is in the books and in history. */
export function release(draft: Draft, key: ClaimKey): void {
  draft.drop(key);
  clearTimers(draft, key);
}

/** The issue is over: its workspace goes, and then the claim. Nobody runs there any more, so no slot is kept. */
export function startCleaning(draft: Draft, key: ClaimKey, claim: Claim): void {
  clearTimers(draft, key);
  if (claim.workspacePath === null) return release(draft, key);
  const {project, issue, failures, threadFailures, thread, workspacePath} = claim;
  draft.put(key, {
    is: 'stopping',
    ...{project, issue, failures, threadFailures, thread, workspacePath},
    run: null,
    outcome: null,
    reason: null,
    next: {do: 'clean'},
    step: 'cleaning',
  });
  draft.order({do: 'clean-workspace', key, path: workspacePath});
}

export function clearTimers(draft: Draft, key: ClaimKey): void {
  for (const kind of ['retry', 'stall', 'heartbeat', 'turn-end'] as const) {
    draft.order({do: 'clear-timer', timer: `${kind} ${key}`});
  }
}
