import * as z from 'zod/mini';
import type {GithubApi, GithubPlace} from '../../github/api.ts';
import type {GraphqlError} from '../../http/graphql.ts';
import type {Check, PullRequest, ReviewComment, ReviewThread} from '../pull-request.ts';
import {latestChecks, toPullRequest} from './normalize.ts';
import {
  aliasOf,
  checksOfCommits,
  type NextPage,
  nextPages,
  PULLS_A_QUERY,
  pullRequestsByNumbers,
} from './queries.ts';
import {type CheckNode, NextPageNode, PullNode, Rollup, type ThreadNode} from './record.ts';
import {ThreadReader} from './threads.ts';

/** A pull request while its pages are read. */
interface Draft {
  readonly node: PullNode;
  readonly checks: CheckNode[];
  readonly threads: ThreadNode[];
  checksAfter: string | null;
  threadsAfter: string | null;
}

/** Pages after the first: six hundred checks or threads, and more are not read. */
const MORE_PAGES = 5;
/** The most that GitHub allows in one list is a hundred; commits are few. */
const COMMITS_A_QUERY = 20;

export class GithubPullReader {
  readonly #api: GithubApi;
  readonly #place: GithubPlace;
  readonly #threads: ThreadReader;

  constructor(api: GithubApi, place: GithubPlace) {
    this.#api = api;
    this.#place = place;
    this.#threads = new ThreadReader(api);
  }

  async byNumbers(numbers: readonly number[], signal: AbortSignal): Promise<PullRequest[]> {
    const drafts: Draft[] = [];
    for (let start = 0; start < numbers.length; start += PULLS_A_QUERY) {
      const some = numbers.slice(start, start + PULLS_A_QUERY);
      drafts.push(...(await this.#first(some, signal)));
    }
    await this.#more(drafts, signal);
    const open = drafts.filter(({node}) => node.state === 'OPEN');
    const comments = await this.#threads.read(
      open.flatMap(({node, threads}) =>
        unresolved(threads).map(({id}) => ({id, stamp: `${node.updatedAt} ${node.headRefOid}`})),
      ),
      signal,
    );
    return drafts.map((draft) => this.#finish(draft, comments));
  }

  async checksOf(shas: readonly string[], signal: AbortSignal): Promise<Map<string, Check[]>> {
    const found = new Map<string, Check[]>();
    for (let start = 0; start < shas.length; start += COMMITS_A_QUERY) {
      const some = shas.slice(start, start + COMMITS_A_QUERY);
      const repository = await this.#repository(checksOfCommits(some), [], signal);
      for (const [index, sha] of some.entries()) {
        const commit = Commit.safeParse(repository[`c${index}`]).data ?? null;
        const nodes = commit?.statusCheckRollup?.contexts.nodes;
        if (nodes !== undefined) found.set(sha, latestChecks(nodes));
      }
    }
    return found;
  }

  async #first(numbers: readonly number[], signal: AbortSignal): Promise<Draft[]> {
    const repository = await this.#repository(pullRequestsByNumbers(numbers), numbers, signal);
    return numbers.flatMap((number): Draft[] => {
      const value = repository[aliasOf(number)] ?? null;
      if (value === null) return [];
      const parsed = PullNode.safeParse(value);
      if (!parsed.success || parsed.data.number !== number) throw this.#malformed(number);
      const node = parsed.data;
      return [
        {
          node,
          checks: [...(node.statusCheckRollup?.contexts.nodes ?? [])],
          threads: [...node.reviewThreads.nodes],
          checksAfter: nextOf(node.statusCheckRollup?.contexts),
          threadsAfter: nextOf(node.reviewThreads),
        },
      ];
    });
  }

  /** The further pages of all pull requests that have some, together. */
  async #more(drafts: readonly Draft[], signal: AbortSignal): Promise<void> {
    for (let round = 0; round < MORE_PAGES; round += 1) {
      const open = drafts.filter((draft) => draft.checksAfter ?? draft.threadsAfter);
      if (open.length === 0) return;
      for (let start = 0; start < open.length; start += PULLS_A_QUERY) {
        await this.#nextPages(open.slice(start, start + PULLS_A_QUERY), signal);
      }
    }
  }

  async #nextPages(drafts: readonly Draft[], signal: AbortSignal): Promise<void> {
    const pages = drafts.map(
      ({node, checksAfter, threadsAfter}): NextPage => ({
        ...{number: node.number, checksAfter, threadsAfter},
      }),
    );
    const repository = await this.#repository(nextPages(pages), [], signal);
    for (const draft of drafts) {
      const {number, headRefOid} = draft.node;
      const parsed = NextPageNode.safeParse(repository[aliasOf(number)]);
      if (!parsed.success) throw this.#malformed(number);
      const {statusCheckRollup: rollup, reviewThreads: threads} = parsed.data;
      // A push between two pages: what was read belongs to the former head.
      const isMoved = rollup !== undefined && rollup?.commit?.oid !== headRefOid;
      if (rollup && !isMoved) {
        draft.checks.push(...rollup.contexts.nodes);
        draft.checksAfter = nextOf(rollup.contexts, draft.checksAfter);
      }
      if (threads) {
        draft.threads.push(...threads.nodes);
        draft.threadsAfter = nextOf(threads, draft.threadsAfter);
      }
    }
  }

  #finish(draft: Draft, comments: ReadonlyMap<string, readonly ReviewComment[]>): PullRequest {
    const {node, checksAfter, threadsAfter} = draft;
    const repository = `${this.#place.owner}/${this.#place.name}`;
    const open = node.state === 'OPEN' ? unresolved(draft.threads) : [];
    const threads = open.flatMap(({isResolved: _, ...thread}): ReviewThread[] => {
      const said = comments.get(thread.id);
      return said === undefined ? [] : [{...thread, comments: said}];
    });
    const rollup = node.statusCheckRollup;
    // GitHub may still show the checks of the commit before.
    const isOfHead = rollup === null || rollup.commit?.oid === node.headRefOid;
    return {
      ...toPullRequest(node, repository),
      checks: isOfHead ? latestChecks(draft.checks) : [],
      threads,
      hasMore: {
        checks: checksAfter !== null || !isOfHead,
        threads: threadsAfter !== null || threads.length < open.length,
      },
    };
  }

  /** Absence means gone, so an answer that is incomplete for any other reason is refused. */
  async #repository(
    query: string,
    mayBeGone: readonly number[],
    signal: AbortSignal,
  ): Promise<Readonly<Record<string, unknown>>> {
    const {owner, name} = this.#place;
    const {data, errors} = await this.#api.query({query, variables: {owner, name}, signal});
    const parsed = z.object({repository: z.nullable(z.looseObject({}))}).safeParse(data);
    const repository = parsed.data?.repository ?? null;
    if (repository === null) {
      const message = `does not show the repository ${owner}/${name} to this token`;
      throw this.#api.problem(
        errors.some(isNotFound) ? 'tracker_status' : 'tracker_response',
        message,
      );
    }
    const gone = new Set<unknown>(mayBeGone.map(aliasOf));
    const other = errors.find(
      (error) => !isNotFound(error) || error.path.length !== 2 || !gone.has(error.path[1]),
    );
    if (other === undefined) {
      const missing = new Set(errors.map(({path}) => path[1]));
      const unsaid = mayBeGone.find((number) => {
        const alias = aliasOf(number);
        return (repository[alias] ?? null) === null && !missing.has(alias);
      });
      if (unsaid === undefined) return repository;
      throw this.#malformed(unsaid);
    }
    throw this.#api.problem('tracker_response', `sent an incomplete response: ${other.message}`);
  }

  #malformed(number: number) {
    const message = `left out pull request ${number}, or part of it, without a word`;
    return this.#api.problem('tracker_response', message);
  }
}

const Commit = z.object({oid: z.string(), statusCheckRollup: Rollup});

function unresolved(threads: readonly ThreadNode[]): ThreadNode[] {
  return threads.filter(({isResolved}) => !isResolved);
}

/** null: this was the last page, or the cursor does not move. */
function nextOf(
  page: {pageInfo: {hasNextPage: boolean; endCursor: string | null}} | undefined,
  former: string | null = null,
): string | null {
  const {hasNextPage = false, endCursor = null} = page?.pageInfo ?? {};
  return hasNextPage && endCursor !== former ? endCursor : null;
}

function isNotFound({type}: GraphqlError): boolean {
  return type === 'NOT_FOUND';
}
