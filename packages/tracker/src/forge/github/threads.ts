import * as z from 'zod/mini';
import type {GithubApi} from '../../github/api.ts';
import type {ReviewComment} from '../pull-request.ts';
import {toComment} from './normalize.ts';
import {NODES_A_QUERY, THREAD_COMMENTS} from './queries.ts';
import {ThreadComments} from './record.ts';

export interface WantedThread {
  readonly id: string;
  /** Changes with every comment of the pull request. */
  readonly stamp: string;
}

interface Known {
  readonly stamp: string;
  readonly comments: readonly ReviewComment[];
}

/**
 * New threads of one read, in two requests. With more than that, the rest follows at the next reads
 * and the pull request says that it has more.
 */
const THREADS_A_READ = 2 * NODES_A_QUERY;

/** The comments of unresolved threads, requested again only after their pull request has changed. */
export class ThreadReader {
  readonly #api: GithubApi;
  readonly #known = new Map<string, Known>();

  constructor(api: GithubApi) {
    this.#api = api;
  }

  /** By thread; one that could not be read this time is missing. */
  async read(
    wanted: readonly WantedThread[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, readonly ReviewComment[]>> {
    const unread = wanted.filter(({id, stamp}) => this.#known.get(id)?.stamp !== stamp);
    const next = unread.slice(0, THREADS_A_READ);
    for (let start = 0; start < next.length; start += NODES_A_QUERY) {
      await this.#request(next.slice(start, start + NODES_A_QUERY), signal);
    }
    const found = new Map<string, readonly ReviewComment[]>();
    for (const {id, stamp} of wanted) {
      const known = this.#known.get(id);
      if (known?.stamp === stamp) found.set(id, known.comments);
    }
    return found;
  }

  async #request(threads: readonly WantedThread[], signal: AbortSignal): Promise<void> {
    const ids = threads.map(({id}) => id);
    const {data} = await this.#api.query({query: THREAD_COMMENTS, variables: {ids}, signal});
    const nodes = z.object({nodes: z.array(z.unknown())}).safeParse(data).data?.nodes;
    if (nodes === undefined) {
      throw this.#api.problem('tracker_response', 'sent an answer without comments');
    }
    for (const [index, {id, stamp}] of threads.entries()) {
      const node = nodes[index] ?? null;
      // Deleted between the two requests.
      if (node === null) {
        this.#remember(id, {stamp, comments: []});
        continue;
      }
      const parsed = ThreadComments.safeParse(node);
      if (!parsed.success || parsed.data.id !== id) {
        throw this.#api.problem('tracker_response', 'sent comments that cannot be read');
      }
      this.#remember(id, {stamp, comments: parsed.data.comments.nodes.map(toComment)});
    }
  }

  /** A map keeps insertion order: the threads that were read longest ago are evicted. */
  #remember(id: string, known: Known): void {
    this.#known.delete(id);
    this.#known.set(id, known);
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= MAX_KNOWN) return;
      this.#known.delete(oldest);
    }
  }
}

/** Of five hundred pull requests, ten each; a few kilobytes each at most on average. */
const MAX_KNOWN = 5_000;
