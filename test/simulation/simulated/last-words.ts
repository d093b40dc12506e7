import {isWorkable} from '@symphony-supervisor/protocol';
import type {State} from 'symphony-supervisor/core';
import type {Claim} from '../../../packages/orchestrator/src/core/claim.ts';
import type {Causes} from '../watcher.ts';

type Fail = (problem: string) => void;
export type Order = 'stop' | 'restart' | 'dismiss';

/** What operators said last about claims that have not come to rest since: that is what must follow. */
export class LastWords {
  readonly #orders = new Map<string, Order>();

  note(key: string, order: Order): void {
    this.#orders.set(key, order);
  }

  /** Whatever could not be written is lost with the life that heard it. */
  forget(): void {
    this.#orders.clear();
  }

  check(before: State | null, after: State, causes: Causes, fail: Fail): void {
    for (const [key, order] of this.#orders) {
      const claim = after.claims.get(key);
      if (claim?.is === 'stopping') continue;
      this.#orders.delete(key);
      const former = before?.claims.get(key);
      const isOver = before === null || isOverAnyway(after, former, causes);
      const isKept = IS_KEPT[order](claim, former);
      if (!isKept && !(isOver && isReleased(claim))) {
        fail(`${key} was told to ${order} and is ${claim?.is ?? 'released'}`);
      }
    }
  }
}

const IS_KEPT: Readonly<
  Record<Order, (claim: Claim | undefined, former: Claim | undefined) => boolean>
> = {
  stop: isHeld,
  restart: isReleased,
  dismiss: (claim) => claim?.is === 'dismissed',
};

/** A stop changes nothing about what is held or dismissed already. */
function isHeld(claim: Claim | undefined, former: Claim | undefined): boolean {
  if (claim?.is === 'dismissed') return former?.is === 'dismissed';
  if (claim?.is !== 'held') return false;
  return former?.is === 'held' || claim.because.code === 'stopped_by_operator';
}

/** Or taken anew already, as any candidate. */
function isReleased(claim: Claim | undefined): boolean {
  if (claim === undefined) return true;
  return claim.is === 'running' && claim.run.attempt === null && claim.thread === null;
}

/** What the tracker says overrules an operator. */
function isOverAnyway(state: State, former: Claim | undefined, causes: Causes): boolean {
  if (former === undefined) return true;
  if (former.is === 'stopping' && ['cleaning', 'handing-off'].includes(former.step)) return true;
  const tracker = state.projects.get(former.project)?.workflow.settings.tracker;
  const read = causes.read.get(former.issue.id);
  if (tracker === undefined) return false;
  // A read that failed leaves what was last known: an issue with an undelivered run may be inactive for long.
  const known = read === undefined ? former.issue : read;
  return known === null || !isWorkable(known, tracker);
}
