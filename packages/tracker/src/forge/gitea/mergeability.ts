import type {PullRequest} from '../pull-request.ts';
import type {Pull} from './record.ts';

/** As long as a check of a merge takes, with some room. */
const SETTLED_MS = 10_000;
const MAX_KNOWN = 2_000;

/**
 * `mergeable: false` also means "not computed yet", so it is a conflict only if it stayed so: at two
 * reads some seconds apart, of the same head on the same base.
 */
export class MergeabilityMemory {
  readonly #falseSince = new Map<number, {readonly commits: string; readonly at: number}>();

  of(pull: Pull, now = performance.now()): Pick<PullRequest, 'mergeability' | 'mergeWord'> {
    if (pull.draft) return {mergeability: 'blocked', mergeWord: 'draft'};
    const commits = `${pull.head.sha} ${pull.base.sha}`;
    const known = this.#falseSince.get(pull.number);
    if (pull.mergeable || pull.state !== 'open') {
      this.#falseSince.delete(pull.number);
      return {mergeability: pull.mergeable ? 'mergeable' : 'unknown', mergeWord: null};
    }
    if (known?.commits !== commits) {
      this.#remember(pull.number, {commits, at: now});
      return {mergeability: 'unknown', mergeWord: 'mergeable: false'};
    }
    const isSettled = now - known.at >= SETTLED_MS;
    return {mergeability: isSettled ? 'conflict' : 'unknown', mergeWord: 'mergeable: false'};
  }

  #remember(number: number, known: {commits: string; at: number}): void {
    this.#falseSince.delete(number);
    this.#falseSince.set(number, known);
    for (const oldest of this.#falseSince.keys()) {
      if (this.#falseSince.size <= MAX_KNOWN) return;
      this.#falseSince.delete(oldest);
    }
  }
}
