import {setTimeout as delay} from 'node:timers/promises';
import type {TrackerBudget} from '@symphony-supervisor/protocol';
import {Pool} from 'undici';
import {type TrackerFailureCode, TrackerProblem} from '../answer.ts';
import {CALL_LIMITS_MS} from '../thread/call-limits.ts';
import {Credential} from './credential.ts';
import {type Exchange, exchange, isTooLarge, reasonOf} from './exchange.ts';
import type {Rates} from './limit.ts';
import {Meter} from './meter.ts';
import {readTail} from './tail.ts';
import {
  type HttpHeaders,
  type HttpResponse,
  judgeStatus,
  retryAfterMs,
  type Verdict,
} from './verdict.ts';

export interface HttpOptions {
  /** The provider, for messages: `Linear`. */
  readonly name: string;
  /** Requests go to its origin and nowhere else. */
  readonly endpoint: URL;
  /** The value of `authorization`; asked for each request, so that a key can be renewed meanwhile. */
  readonly authorize: () => Promise<string>;
  /** Sent with every request. */
  readonly headers?: HttpHeaders;
  /** What the provider's headers say about its limits. */
  readonly readRates?: (headers: HttpHeaders) => Rates;
  /** The provider's own meaning of an answer of 400 and above; null leaves it to the status. */
  readonly judge?: (response: HttpResponse) => Verdict | null;
  /** For one request, its repetitions included. */
  readonly limitMs?: number;
  /** Before the first repetition; doubled before the second, each up to half more or less. */
  readonly pauseMs?: number;
  /** For requests under way when the tracker is closed. */
  readonly graceMs?: number;
}

export interface HttpRequest {
  readonly method: Exchange['method'];
  /** From the root of the endpoint's host on: `/graphql`. */
  readonly path: string;
  readonly headers?: HttpHeaders;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** A read, whatever its method: only these are sent again when they fail. */
  readonly safe: boolean;
  /** Which of the provider's limits it counts against, where there are several. */
  readonly bucket?: string;
  /** Statuses that are an answer to this request, not a failure: 404 where absence is one. */
  readonly expects?: readonly number[] | ((response: HttpResponse) => boolean);
  /**
   * Only the last so many bytes of a body of any size. Such a GET is followed to other hosts, too,
   * without the credential.
   */
  readonly tailBytes?: number;
  /** False: what is not at that path is not there, wherever the answer points. */
  readonly follow?: boolean;
  readonly signal: AbortSignal;
}

type Attempt =
  | {readonly response: HttpResponse}
  /** `again`: the same request may well succeed in a moment. */
  | {readonly problem: TrackerProblem; readonly again: boolean};

/** Several runs may ask at once; more connections would only reach the rate limit sooner. */
const CONNECTIONS = 4;
/** A page of 50 issues with long descriptions stays far below; what is larger is not for us. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;
const REPETITIONS = 2;
/** Of a provider that has one limit for everything. */
const ONLY_BUCKET = '';
const PAUSE_MS = 250;
const GRACE_MS = 2_000;

/** One tracker's connections. Every failure is a `TrackerProblem`, and none holds the credential. */
export class HttpClient implements AsyncDisposable {
  readonly #options: HttpOptions;
  readonly #pool: Pool;
  readonly #meter = new Meter();
  readonly #limitMs: number;

  constructor(options: HttpOptions) {
    this.#options = options;
    this.#limitMs = options.limitMs ?? CALL_LIMITS_MS.request;
    this.#pool = new Pool(options.endpoint.origin, {
      connections: CONNECTIONS,
      maxResponseSize: MAX_BODY_BYTES,
      // One deadline for the whole request, and it is ours.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /** The answer, if it is a good one: 2xx, or 304. */
  async request(request: HttpRequest): Promise<HttpResponse> {
    const deadline = AbortSignal.timeout(this.#limitMs);
    const signal = AbortSignal.any([request.signal, deadline]);
    try {
      return await this.#repeat(request, signal);
    } catch (error) {
      request.signal.throwIfAborted();
      if (!deadline.aborted) throw error;
      throw this.problem('tracker_request', `did not respond within ${this.#limitMs} ms`, error);
    }
  }

  budget(): TrackerBudget {
    return this.#meter.budget();
  }

  /**
   * For an answer of good status that is not a good answer after all: unreadable JSON, a GraphQL
   * error. The message goes on from the provider's name. A limit holds until the provider's headers
   * say it is refilled, or for a minute.
   */
  refuse(code: TrackerFailureCode, message: string, bucket = ONLY_BUCKET): TrackerProblem {
    this.#meter.amend(code);
    if (code !== 'tracker_rate_limited') return this.problem(code, message);
    return this.#limited(message, this.#meter.defer(bucket, null));
  }

  /** For what no single answer is to blame for; it is not counted. */
  problem(code: TrackerFailureCode, message: string, cause?: unknown): TrackerProblem {
    return new TrackerProblem({code, message: `${this.#options.name} ${message}`}, {cause});
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const isClosed = new AbortController();
    const grace = delay(this.#options.graceMs ?? GRACE_MS, null, {signal: isClosed.signal});
    // A pool that is destroyed while requests wait for a connection never says that it is closed.
    await Promise.race([this.#pool.close(), grace]).catch(() => {});
    isClosed.abort();
    await grace.catch(() => {});
    await this.#pool.destroy();
  }

  async #repeat(request: HttpRequest, signal: AbortSignal): Promise<HttpResponse> {
    for (let repetition = 0; ; repetition += 1) {
      const attempt = await this.#attempt(request, signal);
      if ('response' in attempt) return attempt.response;
      const {problem, again} = attempt;
      if (!again || !request.safe || repetition === REPETITIONS) throw problem;
      const pauseMs = (this.#options.pauseMs ?? PAUSE_MS) * 2 ** repetition;
      await delay(pauseMs * (0.5 + Math.random()), null, {signal});
    }
  }

  async #attempt(request: HttpRequest, signal: AbortSignal): Promise<Attempt> {
    const {bucket = ONLY_BUCKET} = request;
    const waitMs = this.#meter.waitMs(bucket);
    if (waitMs > 0) throw this.#limited('limits the rate of requests', waitMs);
    const credential = new Credential(await this.#options.authorize());
    let response: HttpResponse;
    try {
      response = await this.#send(request, credential, signal);
    } catch (error) {
      this.#meter.count(isTooLarge(error) ? 'tracker_response' : 'tracker_request');
      signal.throwIfAborted();
      return this.#broken(error, credential);
    }
    this.#meter.note(bucket, this.#options.readRates?.(response.headers) ?? {});
    return this.#judged(response, request.expects ?? [], bucket);
  }

  async #send(
    {method, path, headers: own, body, follow = true, tailBytes}: HttpRequest,
    credential: Credential,
    signal: AbortSignal,
  ): Promise<HttpResponse> {
    const {origin} = this.#options.endpoint;
    const headers = {
      'user-agent': 'symphony-supervisor',
      accept: 'application/json',
      ...(body === undefined ? {} : {'content-type': 'application/json'}),
      ...this.#options.headers,
      ...own,
      authorization: credential.header,
    };
    const response =
      tailBytes === undefined
        ? await exchange(this.#pool, origin, {
            ...{method, path, headers, follow, signal},
            body: body === undefined ? null : JSON.stringify(body),
          })
        : await readTail(new URL(path, origin), {headers, bytes: tailBytes, signal});
    return {...response, body: credential.hide(response.body)};
  }

  #broken(error: unknown, credential: Credential): Attempt {
    if (isTooLarge(error)) {
      const message = 'sent a response that is too large; check the endpoint';
      return {problem: this.problem('tracker_response', message, error), again: false};
    }
    const message = `could not be reached: ${credential.hide(reasonOf(error))}`;
    return {problem: this.problem('tracker_request', message, error), again: true};
  }

  #judged(
    response: HttpResponse,
    expects: NonNullable<HttpRequest['expects']>,
    bucket: string,
  ): Attempt {
    const isExpected =
      typeof expects === 'function' ? expects(response) : expects.includes(response.status);
    if (isExpected) {
      this.#meter.count(null);
      return {response};
    }
    const own = response.status >= 400 ? this.#options.judge?.(response) : null;
    const verdict = own ?? judgeStatus(response);
    this.#meter.count(verdict?.code ?? null);
    if (verdict === null) return {response};
    if (verdict.code === 'tracker_rate_limited') {
      const waitMs = this.#meter.defer(bucket, retryAfterMs(response.headers));
      return {problem: this.#limited(verdict.message, waitMs), again: false};
    }
    const again = verdict.code === 'tracker_status' && response.status >= 500;
    return {problem: this.problem(verdict.code, verdict.message), again};
  }

  #limited(message: string, waitMs: number): TrackerProblem {
    const until = `no request for ${Math.ceil(waitMs / 1_000)} s`;
    const told = `${this.#options.name} ${message}; ${until}`;
    return new TrackerProblem({code: 'tracker_rate_limited', message: told, retryAfterMs: waitMs});
  }
}
