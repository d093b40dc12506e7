import type {TrackerFailureCode, TrackerProblem} from '../answer.ts';
import type {HttpClient, HttpRequest} from './client.ts';
import {KnownAnswers} from './known-answers.ts';
import type {HttpResponse} from './verdict.ts';

export interface RestAnswer {
  readonly status: number;
  /** The unparsed body; undefined if there is none. */
  readonly value: unknown;
  /** Whether the provider says that another page follows; null: it does not say. */
  readonly hasNext: boolean | null;
}

export interface Sending {
  readonly body?: unknown;
  readonly signal: AbortSignal;
  /** The request is idempotent. */
  readonly idempotent?: boolean;
  /** Answers that are no failure here. */
  readonly expects?: HttpRequest['expects'];
}

/** JSON over one path of a host, with conditional reads. */
export class RestApi {
  readonly #http: HttpClient;
  readonly #basePath: string;
  readonly #bucket: {readonly bucket?: string};
  readonly #known = new KnownAnswers();

  /** `bucket`: the limit that these requests count against, where the provider has several. */
  constructor(http: HttpClient, basePath: string, bucket?: string) {
    this.#http = http;
    this.#basePath = basePath.replace(/\/+$/, '');
    this.#bucket = bucket === undefined ? {} : {bucket};
  }

  /** An unchanged answer is not sent again by providers that have ETags. */
  async get(
    path: string,
    signal: AbortSignal,
    expects: HttpRequest['expects'] = [],
  ): Promise<RestAnswer> {
    const known = this.#known.get(path);
    const response = await this.#http.request({
      method: 'GET',
      path: this.#basePath + path,
      ...this.#bucket,
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
      path: this.#basePath + path,
      ...this.#bucket,
      ...(body === undefined ? {} : {body}),
      safe: idempotent,
      follow: false,
      expects,
      signal,
    });
    return this.#read(response);
  }

  /** The end of a text of any length, at most so many bytes; null: it is not there any more. */
  async tail(path: string, bytes: number, signal: AbortSignal): Promise<string | null> {
    const {status, body} = await this.#http.request({
      method: 'GET',
      path: this.#basePath + path,
      ...this.#bucket,
      headers: {accept: '*/*'},
      tailBytes: bytes,
      safe: true,
      expects: [404, 410],
      signal,
    });
    return status === 404 || status === 410 ? null : body;
  }

  /** For an answer with wrong content, or a list whose pages do not continue. */
  problem(code: TrackerFailureCode, message: string): TrackerProblem {
    // One bad answer, already counted as a good one.
    if (code === 'tracker_response') return this.#http.refuse(code, message);
    return this.#http.problem(code, message);
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
