import type {TrackerBudget} from '@symphony-supervisor/protocol';
import {HttpClient, type HttpOptions} from '../../http/client.ts';
import type {Rates} from '../../http/limit.ts';
import {RestApi} from '../../http/rest.ts';
import {excerpt, type HttpHeaders, type HttpResponse, type Verdict} from '../../http/verdict.ts';
import type {GitlabPlace} from './provider.ts';

/** GitLab's REST interface, from one project on. */
export class GitlabApi implements AsyncDisposable {
  readonly rest: RestApi;
  /** `/projects/<id>`, encoded once. */
  readonly projectPath: string;
  readonly #http: HttpClient;

  constructor(
    {endpoint, project}: GitlabPlace,
    options: Pick<HttpOptions, 'authorize' | 'limitMs' | 'pauseMs'>,
  ) {
    this.#http = new HttpClient({name: 'GitLab', endpoint, ...options, readRates, judge});
    this.rest = new RestApi(this.#http, `${endpoint.pathname.replace(/\/+$/, '')}/api/v4`);
    this.projectPath = `/projects/${encodeURIComponent(project)}`;
  }

  budget(): TrackerBudget {
    return this.#http.budget();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#http[Symbol.asyncDispose]();
  }
}

/** Absent where an instance does not limit. */
function readRates(headers: HttpHeaders): Rates {
  const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) => {
    const text = headers[`ratelimit-${name}`] ?? '';
    return /^\d{1,12}$/.test(text) ? Number(text) : null;
  });
  if (limit == null || remaining == null) return {};
  const resets_at = reset == null ? null : new Date(reset * 1_000).toISOString();
  return {requests: {limit, remaining, resets_at}};
}

function judge({status, body}: HttpResponse): Verdict | null {
  if (status === 404) {
    const advice = 'check the name of the project and the rights of the token';
    return {
      code: 'tracker_status',
      message: `does not have it, or does not show it (404); ${advice}`,
    };
  }
  // A feature of another licence is refused in the same way, and no other key would help.
  if (status !== 403 || /license/i.test(body)) return null;
  return {
    code: 'tracker_auth',
    message: `does not let the token do that (403): ${excerpt(messageIn(body))}`,
  };
}

function messageIn(body: string): string {
  try {
    return messageOf(JSON.parse(body));
  } catch {
    return body;
  }
}

/** Errors have four forms: a text, a list, a list by field, and that of OAuth. */
export function messageOf(value: unknown): string {
  if (typeof value === 'string') return excerpt(value);
  if (Array.isArray(value)) return excerpt(value.map(messageOf).join('; '));
  if (typeof value !== 'object' || value === null) return '';
  const {message, error, error_description: described} = value as Record<string, unknown>;
  const said = message ?? described ?? error;
  if (said !== undefined) return messageOf(said);
  const fields = Object.entries(value).map(([field, text]) => `${field} ${messageOf(text)}`);
  return excerpt(fields.join('; '));
}
