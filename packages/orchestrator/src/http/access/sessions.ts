import type {SessionTable, StoredSession} from '../../store/index.ts';
import {isSameSecret, keyedDigest, newSecret} from './secret.ts';
import type {Tokens} from './tokens.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
export const SESSION_MS = 30 * DAY_MS;
/** More than one operator's browsers; the oldest session is ended when a new one exceeds it. */
const MOST_SESSIONS = 100;
const ID_BYTES = 6;

/**
 * What a browser gets. Cookies are shared between the ports of a host, so the cookie alone proves
 * nothing.
 */
export interface OpenedSession {
  readonly id: string;
  readonly cookie: string;
  /** Kept by the page in local storage, which pages of other ports cannot read. */
  readonly pageKey: string;
  readonly expiresAt: number;
}

/**
 * Signed-in browsers, kept over restarts. Digests are keyed by the control token, so a new token
 * ends every session, including those of a store restored from a backup.
 */
export class Sessions {
  readonly cookieName: string;
  readonly #table: SessionTable;
  readonly #tokens: Pick<Tokens, 'control'>;
  readonly #now: () => number;
  readonly #sessions: Map<string, StoredSession>;

  constructor(table: SessionTable, tokens: Pick<Tokens, 'control'>, now: () => number = Date.now) {
    this.#table = table;
    this.#tokens = tokens;
    this.#now = now;
    this.cookieName = `symphony_${table.instanceId()}`;
    this.#sessions = new Map(table.all().map((session) => [session.cookieDigest, session]));
  }

  open(): OpenedSession {
    const createdAt = this.#now();
    const opened = {
      ...{id: newSecret(ID_BYTES), cookie: newSecret(), pageKey: newSecret()},
      expiresAt: createdAt + SESSION_MS,
    };
    const session = {
      ...{id: opened.id, createdAt, expiresAt: opened.expiresAt},
      cookieDigest: this.#digest(opened.cookie),
      keyDigest: this.#digest(opened.pageKey),
    };
    this.#table.add(session);
    this.#sessions.set(session.cookieDigest, session);
    this.#endExcess();
    return opened;
  }

  /** The id of the session that both belong to; null if there is none. */
  find(cookie: string, pageKey: string): string | null {
    const session = this.#sessions.get(this.#digest(cookie));
    if (session === undefined || session.expiresAt <= this.#now()) return null;
    return isSameSecret(this.#digest(pageKey), session.keyDigest) ? session.id : null;
  }

  endAll(): void {
    this.#table.clear();
    this.#sessions.clear();
  }

  #endExcess(): void {
    for (const [digest, {id}] of this.#sessions) {
      if (this.#sessions.size <= MOST_SESSIONS) return;
      this.#table.remove(id);
      this.#sessions.delete(digest);
    }
  }

  #digest(secret: string): string {
    return keyedDigest(this.#tokens.control, secret);
  }
}
