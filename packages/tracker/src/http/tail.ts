import type {Readable} from 'node:stream';
import {Agent, request} from 'undici';
import {toEndpoint} from './endpoint.ts';
import {flat} from './exchange.ts';
import {isInternalHost} from './internal-host.ts';
import type {HttpHeaders, HttpResponse} from './verdict.ts';

// A log may have 100 MB, and only its end is wanted. Servers that know ranges send only the end;
// what others send is read through a buffer of the wanted size.

export interface TailRequest {
  /** With the credential, which leaves with the first redirect to another host. */
  readonly headers: HttpHeaders;
  readonly bytes: number;
  readonly signal: AbortSignal;
}

interface Hop {
  readonly status: number;
  readonly headers: HttpHeaders;
  readonly body: Readable;
}

/** The API, its storage, and one rename; more are a circle. */
const REDIRECTS = 3;
/** Reading on is cheaper than a second request for a range. */
const WORTH_A_RANGE = 1024 * 1024;

export async function readTail(start: URL, asked: TailRequest): Promise<HttpResponse> {
  const agent = new Agent({headersTimeout: 0, bodyTimeout: 0, connections: 1});
  try {
    return await follow(agent, start, asked);
  } finally {
    // Ends a transfer that is not worth being read to its end.
    await agent.destroy();
  }
}

async function follow(agent: Agent, start: URL, asked: TailRequest): Promise<HttpResponse> {
  let url = start;
  let isForeign = false;
  for (let redirects = 0; ; redirects += 1) {
    const headers = isForeign ? withoutCredential(asked.headers) : asked.headers;
    const hop = await ask(agent, url, {...headers, range: `bytes=-${asked.bytes}`}, asked.signal);
    const next = redirectOf(hop, url);
    if (next === null) {
      const answer = await readEnd(agent, url, hop, {...asked, headers});
      return isForeign ? answerOfStorage(answer) : answer;
    }
    hop.body.destroy();
    if (redirects === REDIRECTS || !mayFollow(start, next)) {
      return {status: hop.status, headers: {}, body: ''};
    }
    isForeign ||= next.origin !== start.origin;
    url = next;
  }
}

/** Some storages know ranges, but none that count from the end. */
async function readEnd(
  agent: Agent,
  url: URL,
  hop: Hop,
  {headers, bytes, signal}: TailRequest,
): Promise<HttpResponse> {
  const length = Number(hop.headers['content-length'] ?? 0);
  if (hop.status !== 200 || length < Math.max(WORTH_A_RANGE, 2 * bytes)) return read(hop, bytes);
  if (hop.headers['accept-ranges'] === 'none') return read(hop, bytes);
  hop.body.destroy();
  const range = `bytes=${length - bytes}-`;
  return read(await ask(agent, url, {...headers, range}, signal), bytes);
}

async function ask(
  agent: Agent,
  url: URL,
  headers: HttpHeaders,
  signal: AbortSignal,
): Promise<Hop> {
  const {
    statusCode,
    headers: answered,
    body,
  } = await request(url, {
    method: 'GET',
    headers,
    signal,
    dispatcher: agent,
  });
  // An answer that is not read any further must not end the process.
  body.on('error', () => {});
  return {status: statusCode, headers: flat(answered), body};
}

async function read({status, headers, body}: Hop, bytes: number): Promise<HttpResponse> {
  let kept: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    kept.push(chunk);
    size += chunk.length;
    // Copied now and then, so that each byte is copied once on average.
    if (size > 4 * bytes) {
      kept = [Buffer.from(Buffer.concat(kept).subarray(-bytes))];
      size = bytes;
    }
  }
  // A range of an empty text cannot be satisfied.
  if (status === 416) return {status: 200, headers, body: ''};
  return {status, headers, body: Buffer.concat(kept).subarray(-bytes).toString()};
}

function redirectOf({status, headers}: Hop, from: URL): URL | null {
  if (![301, 302, 303, 307, 308].includes(status)) return null;
  const {location = ''} = headers;
  return URL.canParse(location, from.href) ? new URL(location, from) : null;
}

/** A forge on the internet must not send us to what only this machine or its network can reach. */
function mayFollow(start: URL, next: URL): boolean {
  if (next.origin === start.origin) return true;
  if (toEndpoint(next.href) === null) return false;
  return isInternalHost(start.hostname) || !isInternalHost(next.hostname);
}

/** A storage that refuses a link says nothing about the key or the limits of the forge. */
function answerOfStorage({status, body}: HttpResponse): HttpResponse {
  const isGone = status >= 300 && status < 500;
  return {status: isGone ? 404 : status, headers: {}, body: isGone ? '' : body};
}

/** Nothing that is meant for the forge alone. */
function withoutCredential({'user-agent': agent = '', accept = '*/*'}: HttpHeaders): HttpHeaders {
  return {'user-agent': agent, accept};
}
