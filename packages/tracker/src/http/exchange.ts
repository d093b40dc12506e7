import type {Pool} from 'undici';
import type {HttpHeaders, HttpResponse} from './verdict.ts';

/** One request as it goes over the wire. */
export interface Exchange {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly headers: HttpHeaders;
  readonly body: string | null;
  /** Whether a GET may be sent on to another path of the same host. */
  readonly follow: boolean;
  readonly signal: AbortSignal;
}

/** A renamed repository is one step away; more than a few are a circle. */
const REDIRECTS = 3;

/**
 * Sends it, and reads the answer to its end: an answer that is cut off is none. A GET that is sent
 * elsewhere follows on the same origin; the pool knows no other, so the credential reaches no other.
 */
export async function exchange(pool: Pool, origin: string, sent: Exchange): Promise<HttpResponse> {
  let path = sent.path;
  for (let redirects = 0; ; redirects += 1) {
    const response = await send(pool, {...sent, path});
    const next = redirects < REDIRECTS ? redirectOf(sent, path, origin, response) : null;
    if (next === null) return response;
    path = next;
  }
}

async function send(pool: Pool, {follow: _, ...sent}: Exchange): Promise<HttpResponse> {
  const {statusCode, headers, body} = await pool.request(sent);
  // Reads what is left even of an error: it says why, and the connection is free for the next.
  return {status: statusCode, headers: flat(headers), body: await body.text()};
}

function redirectOf(
  {method, follow}: Exchange,
  path: string,
  origin: string,
  {status, headers}: HttpResponse,
): string | null {
  const {location} = headers;
  if (method !== 'GET' || !follow || location === undefined) return null;
  if (![301, 302, 307, 308].includes(status) || !URL.canParse(location, origin)) return null;
  const target = new URL(location, new URL(path, origin));
  return target.origin === origin ? `${target.pathname}${target.search}` : null;
}

/** Lower-cased names, one value each. */
export function flat(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): HttpHeaders {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name.toLowerCase(), [value].flat().join(', ')]],
    ),
  );
}

/** A body beyond the pool's limit; undici stops reading there. */
export function isTooLarge(error: unknown): boolean {
  return codeOf(error) === 'UND_ERR_RES_EXCEEDED_MAX_SIZE';
}

/** For people. A host with several addresses fails with a list of errors and no text of its own. */
export function reasonOf(error: unknown): string {
  const first = error instanceof AggregateError ? error.errors[0] : error;
  const text = first instanceof Error && first.message !== '' ? first.message : String(first);
  const code = codeOf(first);
  return code === null || text.includes(code) ? text : `${text} (${code})`;
}

function codeOf(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return typeof code === 'string' ? code : null;
}
