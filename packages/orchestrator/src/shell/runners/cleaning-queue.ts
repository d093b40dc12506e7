import {type ClaimKey, projectOf} from '../../core/claim.ts';

export interface ToClean {
  readonly key: ClaimKey;
  readonly host: string;
  readonly path: string;
  readonly keepWork: boolean;
}

/** Nothing is heard of the first before the last is done, and all of them are done again after a crash. */
const MOST_AT_ONCE = 50;

/** Workspaces that wait to be removed, in the order in which it was asked for. */
export class CleaningQueue {
  #waiting: ToClean[] = [];

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  add(toClean: ToClean): void {
    this.#waiting.push(toClean);
  }

  /** What one process can do: as it has the hooks of one workflow, that is of the project whose turn it is. */
  take(): ToClean[] {
    const [first] = this.#waiting;
    if (first === undefined) return [];
    const project = projectOf(first.key);
    const taken = this.#waiting
      .filter(({key}) => projectOf(key) === project)
      .slice(0, MOST_AT_ONCE);
    this.#waiting = this.#waiting.filter((waiting) => !taken.includes(waiting));
    return taken;
  }
}
