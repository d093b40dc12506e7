import type {TrackerFailureCode} from '../answer.ts';
import type {HttpClient} from './client.ts';
import {excerpt, type HttpResponse} from './verdict.ts';

/** One entry of `errors`, as far as it can be relied upon. */
export interface GraphqlError {
  readonly message: string;
  /** GitHub's kind of error stands beside `extensions`, Linear's in it. */
  readonly type: string | null;
  readonly path: readonly (string | number)[];
  readonly extensions: Readonly<Record<string, unknown>>;
}

export interface GraphqlReply {
  /** As the provider sent it: parse it. Null where there is none. */
  readonly data: unknown;
  /** Of a reply with data: what is missing from it. */
  readonly errors: readonly GraphqlError[];
}

/** What the provider's errors mean; null leaves it at `tracker_response`. */
export type ClassifyErrors = (errors: readonly GraphqlError[]) => TrackerFailureCode | null;

export interface GraphqlRequest {
  readonly path: string;
  readonly bucket?: string;
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  /** A query, not a mutation. */
  readonly safe: boolean;
  readonly signal: AbortSignal;
}

/**
 * Asks, and gives errors back only beside data. Errors without data fail the call, and so do those
 * that are about the credential or a limit, whatever stands beside them.
 */
export async function askGraphql(
  http: HttpClient,
  {query, variables = {}, ...asked}: GraphqlRequest,
  classify: ClassifyErrors,
): Promise<GraphqlReply> {
  const body = {query, variables};
  const reply = readReply(await http.request({...asked, method: 'POST', body}));
  if (reply === null) {
    throw http.refuse('tracker_response', 'sent a response that is not GraphQL');
  }
  if (reply.errors.length === 0) {
    if (reply.data !== null) return reply;
    throw http.refuse('tracker_response', 'sent a GraphQL response without data');
  }
  const code = classify(reply.errors);
  if (code === null && reply.data !== null) return reply;
  throw http.refuse(code ?? 'tracker_response', messageOf(reply.errors), asked.bucket);
}

/** For callers to whom an incomplete answer is none. */
export async function askGraphqlWhole(...asked: Parameters<typeof askGraphql>): Promise<unknown> {
  const {data, errors} = await askGraphql(...asked);
  if (errors.length === 0) return data;
  const [http] = asked;
  throw http.problem('tracker_response', `sent an incomplete response: ${messageOf(errors)}`);
}

/** Null if it is not a GraphQL answer at all. Of any status: some providers explain a 400 in one. */
export function readReply({body}: HttpResponse): GraphqlReply | null {
  let reply: unknown;
  try {
    reply = JSON.parse(body);
  } catch {
    return null;
  }
  if (!isRecord(reply) || !('data' in reply || 'errors' in reply)) return null;
  const errors = Array.isArray(reply.errors) ? reply.errors.map(readError) : [];
  return {data: reply.data ?? null, errors};
}

function readError(error: unknown): GraphqlError {
  const {message, type, path, extensions} = isRecord(error) ? error : {};
  return {
    message: typeof message === 'string' ? message : 'an error without a message',
    type: typeof type === 'string' ? type : null,
    path: Array.isArray(path)
      ? path.filter((step) => ['string', 'number'].includes(typeof step))
      : [],
    extensions: isRecord(extensions) ? extensions : {},
  };
}

const SHOWN_ERRORS = 3;

/** Goes on from the provider's name, like every message of the client. */
export function messageOf(errors: readonly GraphqlError[]): string {
  const shown = errors.slice(0, SHOWN_ERRORS).map(({message}) => excerpt(message));
  const more = errors.length > SHOWN_ERRORS ? ` (and ${errors.length - SHOWN_ERRORS} more)` : '';
  return `answered with an error: ${shown.join('; ')}${more}`;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
