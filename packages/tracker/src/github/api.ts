import type {TrackerBudget} from '@symphony-supervisor/protocol';
import type {TrackerFailureCode, TrackerProblem} from '../answer.ts';
import {HttpClient, type HttpOptions, type HttpRequest} from '../http/client.ts';
import {askGraphql, askGraphqlWhole, type GraphqlReply} from '../http/graphql.ts';
import type {HttpResponse} from '../http/verdict.ts';
import type {GithubProvider} from './provider.ts';
import {classify, judge, readRates} from './rates.ts';
import {KnownAnswers} from './read/known-answers.ts';

export interface RestAnswer {
  readonly status: number;
  /** The unparsed body; undefined if there is none. */
  readonly value: unknown;
  /** Whether GitHub says that another page follows; null: it does not say. */
  readonly hasNext: boolean | null;
}

interface Sending {
  readonly body?: unknown;
  readonly signal: AbortSignal;
  /** The request is idempotent. */
  readonly idempotent?: boolean;
  /** Statuses that are an answer here, not a failure. */
  readonly expects?: readonly number[];
}

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
  readonly #restPath: string;
  readonly #known = new KnownAnswers();

  constructor(
    {apiUrl, owner, name}: GithubProvider,
    options: Pick<HttpOptions, 'authorize' | 'limitMs' | 'pauseMs'>,
  ) {
    this.#restPath = apiUrl.pathname.replace(/\/+$/, '');
    this.#graphql = {path: graphqlPathOf(this.#restPath), bucket: GRAPHQL_BUCKET};
    this.repoPath = `/repos/${owner}/${name}`;
    this.#http = new HttpClient({
      name: 'GitHub',
      endpoint: apiUrl,
      ...options,
      headers: {accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28'},
      readRates,
      judge,
    });
  }

  /** An unchanged answer does not count against the hourly limit. */
  async get(
    path: string,
    signal: AbortSignal,
    expects: readonly number[] = [],
  ): Promise<RestAnswer> {
    const known = this.#known.get(path);
    const response = await this.#http.request({
      method: 'GET',
      path: this.#restPath + path,
      bucket: REST_BUCKET,
      headers: known === undefined ? {} : {'if-none-match': known.etag},
      safe: true,
      expects,
      signal,
    });
    if (response.status === 304) {
      if (known !== undefined) return known.answer;
      throw this.#http.refuse('tracker_response', 'answered 304 for a response that is not cached');
    }
    const answer = this.#read(response);
    const {etag} = response.headers;
    if (response.status === 200 && etag !== undefined) {
      this.#known.set(path, {etag, answer, size: response.body.length});
    }
    return answer;
  }

  /** Redirects are not followed: they could lead to another repository. */
  async send(
    method: HttpRequest['method'],
    path: string,
    {body, signal, idempotent = false, expects = []}: Sending,
  ): Promise<RestAnswer> {
    const response = await this.#http.request({
      method,
      path: this.#restPath + path,
      bucket: REST_BUCKET,
      ...(body === undefined ? {} : {body}),
      safe: idempotent,
      follow: false,
      expects,
      signal,
    });
    return this.#read(response);
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
    // One bad answer, already counted as a good one.
    if (code === 'tracker_response') return this.#http.refuse(code, message);
    return this.#http.problem(code, message);
  }

  budget(): TrackerBudget {
    return this.#http.budget();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#http[Symbol.asyncDispose]();
  }

  #read({status, headers, body}: HttpResponse): RestAnswer {
    const hasNext = headers.link === undefined ? null : /rel="?next"?/.test(headers.link);
    if (body.trim() === '') return {status, value: undefined, hasNext};
    try {
      return {status, value: JSON.parse(body), hasNext};
    } catch {
      throw this.#http.refuse('tracker_response', 'sent a response that is not JSON');
    }
  }
}

/** Enterprise Server has `/api/v3` and, beside it, `/api/graphql`. */
function graphqlPathOf(restPath: string): string {
  return `${restPath.replace(/\/v3$/, '')}/graphql`;
}
