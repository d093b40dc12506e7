import type {Issue} from '@symphony-supervisor/protocol';
import type {Answer} from '@symphony-supervisor/tracker';

type Issues = Answer<readonly Issue[]>;
type ReadIds = (project: string, ids: readonly string[]) => Promise<Issues>;

interface Reader {
  readonly ids: readonly string[];
  readonly resolve: (issues: Issues | Promise<Issues>) => void;
}

/** Reads of runs that end together, or retries that are due together, arrive within this time. */
const GATHER_MS = 5;
/**
 * The end of many runs causes many reads in a short time; a tracker gets two requests in this time.
 * Two, since a single read should never wait.
 */
const TWO_WITHIN_MS = 100;

/** Batches reads of single issues into one request; each reader gets its part. */
export class IdGatherer {
  readonly #read: ReadIds;
  readonly #waiting = new Map<string, Reader[]>();
  /** When a tracker was last called, and when before that. */
  readonly #askedAt = new Map<string, readonly [number, number]>();

  constructor(read: ReadIds) {
    this.#read = read;
  }

  issuesByIds(project: string, ids: readonly string[]): Promise<Issues> {
    return new Promise((resolve) => {
      const readers = this.#waiting.get(project);
      if (readers !== undefined) return readers.push({ids, resolve});
      this.#waiting.set(project, [{ids, resolve}]);
      const since = performance.now() - this.#lastTwo(project)[1];
      return setTimeout(() => this.#ask(project), Math.max(GATHER_MS, TWO_WITHIN_MS - since));
    });
  }

  #lastTwo(project: string): readonly [number, number] {
    return this.#askedAt.get(project) ?? [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  }

  async #ask(project: string): Promise<void> {
    const readers = this.#waiting.get(project) ?? [];
    this.#waiting.delete(project);
    this.#askedAt.set(project, [performance.now(), this.#lastTwo(project)[0]]);
    const all = [...new Set(readers.flatMap(({ids}) => ids))];
    const found = await this.#read(project, all);
    // An unreadable record fails the whole request, but concerns one reader only.
    if (readers.length > 1 && !found.ok && found.failure.code === 'tracker_response') {
      for (const {ids, resolve} of readers) resolve(this.#read(project, ids));
    } else for (const {ids, resolve} of readers) resolve(partOf(found, ids));
  }
}

function partOf(found: Issues, ids: readonly string[]): Issues {
  if (!found.ok) return found;
  const wanted = new Set(ids);
  return {...found, value: found.value.filter(({id}) => wanted.has(id))};
}
