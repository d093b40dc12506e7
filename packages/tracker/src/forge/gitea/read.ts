import * as z from 'zod/mini';
import {mapBounded} from '../../bounded.ts';
import {Cached} from '../cached.ts';
import {type Discussion, DiscussionCache} from '../discussion-cache.ts';
import type {Check, PullRequest} from '../pull-request.ts';
import type {GiteaApi} from './api.ts';
import {MergeabilityMemory} from './mergeability.ts';
import {type People, toCheck, toPullRequest, toReviews, toThreads} from './normalize.ts';
import {CombinedStatus, Pull, Review, ReviewComment, User} from './record.ts';

/** Above that, one pass over the open ones takes fewer requests. */
const ONE_BY_ONE = 10;
const AT_ONCE = 4;
const MAX_PAGES = 20;
const STATUS_PAGES = 10;
/** Reviews with comments take a request each; the latest are read. */
const MAX_COMMENTED = 30;
const PEOPLE_MAX_AGE_MS = 10 * 60_000;

export class GiteaPullReader {
  readonly #api: GiteaApi;
  readonly #people: Cached<People>;
  readonly #discussions = new DiscussionCache();
  readonly #mergeability = new MergeabilityMemory();

  constructor(api: GiteaApi, owner: string) {
    this.#api = api;
    this.#people = new Cached(PEOPLE_MAX_AGE_MS, (signal) => this.#readPeople(owner, signal));
  }

  async self(signal: AbortSignal): Promise<string> {
    return (await this.#people.get(signal)).self;
  }

  async byNumbers(numbers: readonly number[], signal: AbortSignal): Promise<PullRequest[]> {
    const listed = numbers.length > ONE_BY_ONE ? await this.list('open', MAX_PAGES, signal) : [];
    const known = new Map(listed.map((pull) => [pull.number, pull]));
    let isRepositoryThere = listed.length > 0;
    const found = await mapBounded(numbers, AT_ONCE, async (number) => {
      const pull = known.get(number) ?? (await this.pull(number, signal));
      if (pull !== null) return [await this.#read(pull, signal)];
      // The same 404 says that the repository is not shown any more.
      if (!isRepositoryThere) await this.#api.rest.get(this.#api.repoPath, signal);
      isRepositoryThere = true;
      return [];
    });
    return found.flat();
  }

  /** null: there is none of that number. */
  async pull(number: number, signal: AbortSignal): Promise<Pull | null> {
    const path = `${this.#api.repoPath}/pulls/${number}`;
    const {status, value} = await this.#api.rest.get(path, signal, [404]);
    if (status === 404) return null;
    const parsed = Pull.safeParse(value);
    if (!parsed.success) throw this.#malformed(`pull request ${number}`);
    return parsed.data;
  }

  /** The latest changed first. */
  async list(state: 'open' | 'closed', maxPages: number, signal: AbortSignal): Promise<Pull[]> {
    const path = `/pulls?state=${state}&sort=recentupdate`;
    const {records} = await this.#api.list(path, maxPages, signal);
    const parsed = z.array(Pull).safeParse(records);
    if (!parsed.success) throw this.#malformed('a list of pull requests');
    return parsed.data;
  }

  /** Of all systems: the server knows one list of statuses for each commit. */
  async checksOf(
    sha: string,
    signal: AbortSignal,
  ): Promise<{readonly records: readonly Check[]; readonly hasMore: boolean}> {
    const size = await this.#api.pageSize(signal);
    const path = `${this.#api.repoPath}/commits/${encodeURIComponent(sha)}/status`;
    const records: Check[] = [];
    for (let page = 1; page <= STATUS_PAGES; page += 1) {
      const {status, value} = await this.#api.rest.get(
        `${path}?limit=${size}&page=${page}`,
        signal,
        [404],
      );
      if (status === 404) return {records, hasMore: false};
      const parsed = CombinedStatus.safeParse(value);
      if (!parsed.success) throw this.#malformed(`the statuses of commit ${sha}`);
      const statuses = parsed.data.statuses ?? [];
      records.push(...statuses.map(toCheck));
      if (statuses.length < size) return {records, hasMore: false};
    }
    return {records, hasMore: true};
  }

  async #read(pull: Pull, signal: AbortSignal): Promise<PullRequest> {
    const facts = {...toPullRequest(pull), ...this.#mergeability.of(pull)};
    if (facts.state !== 'open') {
      const hasMore = {checks: false, threads: false};
      return {...facts, checks: [], reviews: [], threads: [], hasMore};
    }
    const checks = await this.checksOf(pull.head.sha, signal);
    const stamp = `${pull.updated_at} ${pull.head.sha}`;
    const {reviews, threads, hasMore} = await this.#discussions.get(pull.number, stamp, () =>
      this.#discussion(pull, signal),
    );
    const more = {checks: checks.hasMore, threads: hasMore};
    return {...facts, checks: checks.records, reviews, threads, hasMore: more};
  }

  async #discussion({number, head}: Pull, signal: AbortSignal): Promise<Discussion> {
    const {records, hasMore} = await this.#api.list(`/pulls/${number}/reviews?`, MAX_PAGES, signal);
    const reviews = z.array(Review).safeParse(records);
    if (!reviews.success) throw this.#malformed(`the reviews of pull request ${number}`);
    const commented = reviews.data.filter(({comments_count: count}) => count > 0);
    const latest = commented.slice(-MAX_COMMENTED);
    const comments = await mapBounded(latest, AT_ONCE, ({id}) =>
      this.#comments(number, id, signal),
    );
    const people = await this.#people.get(signal);
    return {
      reviews: toReviews(reviews.data, people),
      threads: toThreads(comments.flat(), head.sha, people),
      hasMore: hasMore || latest.length < commented.length,
    };
  }

  async #comments(number: number, review: number, signal: AbortSignal): Promise<ReviewComment[]> {
    const path = `${this.#api.repoPath}/pulls/${number}/reviews/${review}/comments`;
    const {value} = await this.#api.rest.get(path, signal);
    const parsed = z.array(ReviewComment).safeParse(value);
    if (!parsed.success) throw this.#malformed(`the comments of review ${review}`);
    return parsed.data;
  }

  /** Everyone who may write can be assigned to an issue. */
  async #readPeople(owner: string, signal: AbortSignal): Promise<People> {
    const self = User.safeParse((await this.#api.rest.get('/user', signal)).value);
    const path = `${this.#api.repoPath}/assignees`;
    const writers = z.array(User).safeParse((await this.#api.rest.get(path, signal)).value);
    if (!self.success || !writers.success) throw this.#malformed('the people of the repository');
    const names = writers.data.map(({login}) => login.toLowerCase());
    return {self: self.data.login, owner, writers: new Set(names)};
  }

  #malformed(what: string) {
    return this.#api.rest.problem('tracker_response', `sent something else than ${what}`);
  }
}
