import type {TrackerBudget} from '@symphony-supervisor/protocol';
import * as z from 'zod/mini';
import {HttpClient, type HttpOptions} from '../../http/client.ts';
import {RestApi} from '../../http/rest.ts';
import {excerpt, type HttpResponse, type Verdict} from '../../http/verdict.ts';
import {Cached} from '../cached.ts';
import {type Pages, readPages} from '../pages.ts';
import type {GiteaPlace} from './provider.ts';

/** What a server sends at most in one list, if it does not say. */
const PAGE_SIZE = 50;
const SETTINGS_MAX_AGE_MS = 3_600_000;

/** The REST interface of Gitea and Forgejo, from one repository on. */
export class GiteaApi implements AsyncDisposable {
  readonly rest: RestApi;
  readonly repoPath: string;
  readonly #http: HttpClient;
  readonly #pageSize: Cached<number>;

  constructor(
    {endpoint, owner, name}: GiteaPlace,
    options: Pick<HttpOptions, 'authorize' | 'limitMs' | 'pauseMs'>,
  ) {
    this.#http = new HttpClient({name: 'Gitea', endpoint, ...options, judge});
    this.rest = new RestApi(this.#http, `${endpoint.pathname.replace(/\/+$/, '')}/api/v1`);
    this.repoPath = `/repos/${owner}/${name}`;
    this.#pageSize = new Cached(SETTINGS_MAX_AGE_MS, (signal) => this.#readPageSize(signal));
  }

  /** A list below the repository; the path has a query, if only `?`. */
  async list(path: string, maxPages: number, signal: AbortSignal): Promise<Pages> {
    const size = await this.pageSize(signal);
    const query = {path: `${this.repoPath}${path}&limit=${size}`, size, maxPages};
    return readPages(this.rest, query, signal);
  }

  /** A larger `limit` is cut without a word, and a cut page would look like the last. */
  pageSize(signal: AbortSignal): Promise<number> {
    return this.#pageSize.get(signal);
  }

  async #readPageSize(signal: AbortSignal): Promise<number> {
    const {value} = await this.rest.get('/settings/api', signal, [404]);
    const {max_response_items: most} = Settings.safeParse(value).data ?? {};
    return Math.min(PAGE_SIZE, most ?? PAGE_SIZE);
  }

  budget(): TrackerBudget {
    return this.#http.budget();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#http[Symbol.asyncDispose]();
  }
}

const Settings = z.object({max_response_items: z.int().check(z.positive())});

function judge({status, body}: HttpResponse): Verdict | null {
  if (status === 404) {
    const advice = 'check the name of the repository and the rights of the token';
    return {
      code: 'tracker_status',
      message: `does not have it, or does not show it (404); ${advice}`,
    };
  }
  if (status !== 403) return null;
  // It names the scope that the token lacks.
  return {code: 'tracker_auth', message: `does not let the token do that (403): ${excerpt(body)}`};
}

export function messageOf(value: unknown): string {
  return z.object({message: z.string()}).safeParse(value).data?.message ?? '';
}
