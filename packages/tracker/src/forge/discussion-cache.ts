import type {Review, ReviewThread} from './pull-request.ts';

/** What people said about one pull request. */
export interface Discussion {
  readonly reviews: readonly Review[];
  readonly threads: readonly ReviewThread[];
  readonly hasMore: boolean;
}

interface Known {
  readonly stamp: string;
  readonly discussion: Discussion;
  /** Reads that were answered from here. */
  uses: number;
}

/**
 * A pull request whose time of change is the same is not asked about again, but for now and then:
 * that every change counts as one is a habit of these forges, and no promise.
 */
const MAX_USES = 9;
/** More pull requests than a project watches. */
const MAX_KNOWN = 2_000;

/** What people said, by number, for forges that need several requests for it. */
export class DiscussionCache {
  readonly #known = new Map<number, Known>();

  async get(number: number, stamp: string, read: () => Promise<Discussion>): Promise<Discussion> {
    const known = this.#known.get(number);
    if (known?.stamp === stamp && known.uses < MAX_USES) {
      known.uses += 1;
      return known.discussion;
    }
    const discussion = await read();
    // A map keeps insertion order: what was read longest ago is evicted.
    this.#known.delete(number);
    this.#known.set(number, {stamp, discussion, uses: 0});
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= MAX_KNOWN) break;
      this.#known.delete(oldest);
    }
    return discussion;
  }
}
