import type {IncomingHttpHeaders} from 'node:http';
import {isSameSecret} from './secret.ts';
import type {Sessions} from './sessions.ts';
import type {Tokens} from './tokens.ts';

/** How a caller proved that it may call. */
export type Credential =
  | {readonly is: 'control'}
  | {readonly is: 'read'}
  | {readonly is: 'session'; readonly id: string};

export interface Keyring {
  readonly tokens: Pick<Tokens, 'control' | 'read'>;
  readonly sessions: Pick<Sessions, 'cookieName' | 'find'>;
}

export const PAGE_KEY_HEADER = 'x-symphony-page-key';
/** Another server on the same host can set cookies with our name. */
const MOST_COOKIES = 5;

/** null: no credential was given. `wrong`: a token was given and does not match. */
export function credentialOf(
  headers: IncomingHttpHeaders,
  {tokens, sessions}: Keyring,
): Credential | 'wrong' | null {
  const {authorization, cookie} = headers;
  if (authorization !== undefined) {
    const given = /^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? '';
    if (isSameSecret(given, tokens.control)) return {is: 'control'};
    return isSameSecret(given, tokens.read) ? {is: 'read'} : 'wrong';
  }
  const pageKey = headers[PAGE_KEY_HEADER];
  if (typeof pageKey !== 'string' || cookie === undefined) return null;
  for (const value of cookiesIn(cookie, sessions.cookieName)) {
    const id = sessions.find(value, pageKey);
    if (id !== null) return {is: 'session', id};
  }
  return null;
}

function cookiesIn(header: string, name: string): string[] {
  return header
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))
    .slice(0, MOST_COOKIES);
}
