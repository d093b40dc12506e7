import type {TrackerBudget, TrackerSettings} from '@symphony-supervisor/protocol';
import type * as z from 'zod/mini';
import {type TrackerFailureCode, TrackerProblem} from '../answer.ts';
import {HttpClient} from '../http/client.ts';
import {toEndpoint} from '../http/endpoint.ts';
import {
  askGraphql,
  askGraphqlWhole,
  type GraphqlError,
  type GraphqlReply,
  messageOf,
  readReply,
} from '../http/graphql.ts';
import type {HttpResponse, Verdict} from '../http/verdict.ts';
import type {OpenOptions} from '../registry.ts';
import {DEFAULT_ENDPOINT} from './profile.ts';
import {readRates} from './rates.ts';

type Variables = Readonly<Record<string, unknown>>;

/** Linear's endpoint. Returns the requested data or throws a `TrackerProblem`. */
export class LinearApi implements AsyncDisposable {
  readonly #http: HttpClient;
  readonly #path: string;

  constructor({provider, secrets}: TrackerSettings, {resolveSecret, http}: OpenOptions) {
    const endpoint = toEndpoint(provider.endpoint ?? DEFAULT_ENDPOINT);
    const {api_key: key} = secrets;
    if (endpoint === null) throw config('tracker.provider.endpoint is not an address');
    if (key === undefined) {
      const message = 'tracker.provider.api_key is missing; set LINEAR_API_KEY';
      throw new TrackerProblem({code: 'missing_tracker_secret', message});
    }
    this.#path = `${endpoint.pathname}${endpoint.search}`;
    this.#http = new HttpClient({
      name: 'Linear',
      endpoint,
      authorize: async () => authorization(await resolveSecret(key)),
      readRates,
      judge,
      ...http,
    });
  }

  /** A read in which every part is required. */
  async query<S extends z.ZodMiniType>(
    query: string,
    variables: Variables,
    schema: S,
    signal: AbortSignal,
  ): Promise<z.output<S>> {
    return this.#whole(query, variables, schema, true, signal);
  }

  /** Sent once and never retried. */
  async mutate<S extends z.ZodMiniType>(
    query: string,
    variables: Variables,
    schema: S,
    signal: AbortSignal,
  ): Promise<z.output<S>> {
    return this.#whole(query, variables, schema, false, signal);
  }

  /** For documents of agents: returns the reply unchanged. */
  raw(
    query: string,
    variables: Variables,
    safe: boolean,
    signal: AbortSignal,
  ): Promise<GraphqlReply> {
    return askGraphql(this.#http, {path: this.#path, query, variables, safe, signal}, classify);
  }

  problem(code: TrackerFailureCode, message: string): TrackerProblem {
    return this.#http.problem(code, message);
  }

  budget(): TrackerBudget {
    return this.#http.budget();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#http[Symbol.asyncDispose]();
  }

  async #whole<S extends z.ZodMiniType>(
    query: string,
    variables: Variables,
    schema: S,
    safe: boolean,
    signal: AbortSignal,
  ): Promise<z.output<S>> {
    const request = {path: this.#path, query, variables, safe, signal};
    const parsed = schema.safeParse(await askGraphqlWhole(this.#http, request, classify));
    if (parsed.success) return parsed.data;
    const where = parsed.error.issues.map(({path}) => path.join('.')).join(', ');
    throw this.#http.refuse('tracker_response', `sent an unexpected response, at ${where}`);
  }
}

/** A personal key is sent bare; an application's token as `Bearer`. */
function authorization(key: string): string {
  const trimmed = key.trim();
  return trimmed.startsWith('lin_oauth_') ? `Bearer ${trimmed}` : trimmed;
}

/** Linear explains a 400 in the form of a GraphQL answer; any other status speaks for itself. */
function judge(response: HttpResponse): Verdict | null {
  const errors = readReply(response)?.errors ?? [];
  const code = classify(errors) ?? (response.status === 400 ? 'tracker_status' : null);
  return errors.length === 0 || code === null ? null : {code, message: messageOf(errors)};
}

function classify(errors: readonly GraphqlError[]): TrackerFailureCode | null {
  const says = (key: string, value: string) =>
    errors.some(({extensions: {[key]: said}}) => {
      return typeof said === 'string' && said.toLowerCase() === value;
    });
  if (says('code', 'ratelimited') || says('type', 'ratelimited')) return 'tracker_rate_limited';
  const isAuth = says('type', 'authentication error') || says('code', 'authentication_error');
  return isAuth ? 'tracker_auth' : null;
}

function config(message: string): TrackerProblem {
  return new TrackerProblem({code: 'invalid_tracker_config', message});
}
