import {type ClaimKey, projectOf} from '../../core/claim.ts';

export interface ToClean {
  readonly key: ClaimKey;
  readonly host: string;
  readonly path: string;
  readonly keepWork: boolean;
}

/** A batch reports all its outcomes at its end, and after a crash the whole batch is cleaned again. */
const MAX_BATCH = 50;

/**
 * Removes workspaces, one batch at a time: workspaces added in the meantime wait in FIFO order and share the next
 * process. A process for each workspace would compete with the runs that fill the freed slots.
 */
export class Cleaner implements Disposable {
  readonly #clean: (batch: readonly ToClean[]) => Promise<void>;
  #waiting: ToClean[] = [];
  #isAtWork = false;
  #isDisposed = false;

  /** `clean` removes workspaces of one project: a process has the hooks of one workflow. */
  constructor(clean: (batch: readonly ToClean[]) => Promise<void>) {
    this.#clean = clean;
  }

  add(toClean: ToClean): void {
    this.#waiting.push(toClean);
    if (!this.#isAtWork) void this.#cleanAll();
  }

  /** Waiting workspaces are in the store: the next supervisor cleans them. */
  [Symbol.dispose](): void {
    this.#isDisposed = true;
  }

  async #cleanAll(): Promise<void> {
    this.#isAtWork = true;
    try {
      while (this.#waiting.length > 0 && !this.#isDisposed) await this.#clean(this.#takeBatch());
    } finally {
      this.#isAtWork = false;
    }
  }

  /** The oldest, and others of its project. */
  #takeBatch(): ToClean[] {
    const [oldest] = this.#waiting;
    if (oldest === undefined) return [];
    const project = projectOf(oldest.key);
    const ofProject = this.#waiting.filter(({key}) => projectOf(key) === project);
    const batch = ofProject.slice(0, MAX_BATCH);
    this.#waiting = this.#waiting.filter((waiting) => !batch.includes(waiting));
    return batch;
  }
}
