import type {Issue} from '@symphony-supervisor/protocol';
import type {State} from 'symphony-supervisor/core';
import type {World} from '../world.ts';

type Fail = (problem: string) => void;

interface Dismissed {
  /** As it was read after the order. */
  readonly issue: Issue;
  hasChanged: boolean;
}

/** A dismissed issue does not run until it has changed, by the truth, or an operator wants it. */
export class Dismissals {
  readonly #world: World;
  readonly #dismissed = new Map<string, Dismissed>();

  constructor(world: World) {
    this.#world = world;
  }

  /** An operator ends a dismissal. */
  noteOrder(key: string, command: string): void {
    if (command === 'retry' || command === 'restart') this.#dismissed.delete(key);
  }

  /** What could not be written is lost. */
  noteEnd(isWritten: boolean): void {
    if (!isWritten) this.#dismissed.clear();
  }

  /** An issue that is shown no longer is gone to the supervisor; one that a tracker lies about is another. */
  noteRead(id: string, issue: Issue | null): void {
    const isLie = this.#world.weather.trackerLies;
    for (const known of this.#dismissed.values()) {
      if (known.issue.id !== id) continue;
      if (issue === null || (isLie && gist(issue) !== gist(known.issue))) known.hasChanged = true;
    }
  }

  look(state: State): void {
    for (const [key, claim] of state.claims) {
      if (claim.is !== 'dismissed' || !claim.isRead || this.#dismissed.has(key)) continue;
      this.#dismissed.set(key, {issue: claim.issue, hasChanged: false});
    }
    for (const known of this.#dismissed.values()) {
      const issue = this.#world.issues.find(known.issue.id);
      if (issue === null || gist(issue) !== gist(known.issue)) known.hasChanged = true;
    }
  }

  noteStart(key: string, runId: string, fail: Fail): void {
    const known = this.#dismissed.get(key);
    if (known !== undefined && !known.hasChanged) fail(`${runId} starts, and ${key} is dismissed`);
    this.#dismissed.delete(key);
  }
}

function gist({state, labels, title, description, assignee_id}: Issue): string {
  return JSON.stringify([state, labels, title, description, assignee_id]);
}
