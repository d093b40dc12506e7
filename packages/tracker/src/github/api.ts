import type {TrackerBudget} from '@symphony-supervisor/protocol';
import type {TrackerFailureCode, TrackerProblem} from '../answer.ts';
import {HttpClient, type HttpOptions, type HttpRequest} from '../http/client.ts';
import {askGraphql, askGraphqlWhole, type GraphqlReply} from '../http/graphql.ts';
import {type RestAnswer, RestApi, type Sending} from '../http/rest.ts';
import type {GithubProvider} from './provider.ts';
import {classify, judge, readRates} from './rates.ts';

/** The repository, and the host that it is on. */
export type GithubPlace = Pick<GithubProvider, 'apiUrl' | 'owner' | 'name'>;

export interface GraphqlQuestion {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
}

/** As named in `x-ratelimit-resource`. Each bucket refills separately. */
const REST_BUCKET = 'core';
const GRAPHQL_BUCKET = 'graphql';

/** GitHub's two interfaces over one pool of connections. */
export class GithubApi implements AsyncDisposable {
  /** The repository's path from the root of the host. */
  readonly repoPath: string;
  readonly #http: HttpClient;
  readonly #graphql: {readonly path: string; readonly bucket: string};
  readonly #rest: RestApi;

  constructor(
    {apiUrl, owner, name}: GithubPlace,
    options: Pick<HttpOptions, 'authorize' | 'limitMs' | 'pauseMs'>,
  ) {
    const restPath = apiUrl.pathname.replace(/\/+$/, '');
    this.#graphql = {path: graphqlPathOf(restPath), bucket: GRAPHQL_BUCKET};
    this.repoPath = `/repos/${owner}/${name}`;
    this.#http = new HttpClient({
      name: 'GitHub',
      endpoint: apiUrl,
      ...options,
      headers: {accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28'},
      readRates,
      judge,
    });
    this.#rest = new RestApi(this.#http, restPath, REST_BUCKET);
  }

  /** An unchanged answer does not count against the hourly limit. */
  get(path: string, signal: AbortSignal, expects?: HttpRequest['expects']): Promise<RestAnswer> {
    return this.#rest.get(path, signal, expects);
  }

  /** Redirects are not followed: they could lead to another repository. */
  send(method: HttpRequest['method'], path: string, sending: Sending): Promise<RestAnswer> {
    return this.#rest.send(method, path, sending);
  }

  /** The end of a log; null: GitHub does not have it any more. */
  tail(path: string, bytes: number, signal: AbortSignal): Promise<string | null> {
    return this.#rest.tail(path, bytes, signal);
  }

  /** May be incomplete: the caller reads the errors, too. */
  query(question: GraphqlQuestion): Promise<GraphqlReply> {
    return askGraphql(this.#http, {...question, ...this.#graphql, safe: true}, classify);
  }

  mutate(question: GraphqlQuestion): Promise<unknown> {
    return askGraphqlWhole(this.#http, {...question, ...this.#graphql, safe: false}, classify);
  }

  /** For an answer with wrong content, or a list whose pages do not continue. */
  problem(code: TrackerFailureCode, message: string): TrackerProblem {
    return this.#rest.problem(code, message);
  }

  budget(): TrackerBudget {
    return this.#http.budget();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#http[Symbol.asyncDispose]();
  }
}

/** Enterprise Server has `/api/v3` and, beside it, `/api/graphql`. */
function graphqlPathOf(restPath: string): string {
  return `${restPath.replace(/\/v3$/, '')}/graphql`;
}
