import {randomBytes} from 'node:crypto';
import * as z from 'zod/mini';
import type {Database} from './database.ts';
import {readable} from './history/history-rows.ts';
import {StoreFailure} from './store-failure.ts';

/** A signed-in browser. Neither of its two secrets can be recovered from the store. */
export interface StoredSession {
  /** Names the session in the record of orders; not a credential. */
  readonly id: string;
  readonly cookieDigest: string;
  readonly keyDigest: string;
  readonly createdAt: number;
  readonly expiresAt: number;
}

const SessionRow = z.object({
  id: z.string(),
  cookie_digest: z.string(),
  key_digest: z.string(),
  created_at: z.number(),
  expires_at: z.number(),
});

const INSTANCE_BYTES = 6;

/** Sessions that survive restarts. Every failure is a `StoreFailure`. */
export class SessionTable {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Distinguishes this store from others on the same host; created at the first call and kept. */
  instanceId(): string {
    return this.#attempt('read', () => {
      const find = this.#db.prepare("SELECT value FROM facts WHERE name = 'instance'");
      const known = instanceIn(find.get());
      if (known !== null) return known;
      const id = randomBytes(INSTANCE_BYTES).toString('hex');
      this.#db
        .prepare("INSERT OR REPLACE INTO facts (name, value) VALUES ('instance', ?)")
        .run(JSON.stringify(id));
      return id;
    });
  }

  /** Oldest first. */
  all(): StoredSession[] {
    return this.#attempt('read', () =>
      readable(this.#db.prepare('SELECT * FROM sessions ORDER BY rowid').all(), storedSession),
    );
  }

  add({id, cookieDigest, keyDigest, createdAt, expiresAt}: StoredSession): void {
    this.#attempt('written', () =>
      this.#db
        .prepare('INSERT INTO sessions VALUES (?, ?, ?, ?, ?)')
        .run(id, cookieDigest, keyDigest, createdAt, expiresAt),
    );
  }

  remove(id: string): void {
    this.#attempt('written', () => this.#db.prepare('DELETE FROM sessions WHERE id = ?').run(id));
  }

  clear(): void {
    this.#attempt('written', () => this.#db.exec('DELETE FROM sessions'));
  }

  #attempt<T>(what: 'read' | 'written', act: () => T): T {
    try {
      return act();
    } catch (error) {
      throw StoreFailure.from(error, `the sessions in the store cannot be ${what}`);
    }
  }
}

function instanceIn(row: unknown): string | null {
  const value = z.object({value: z.string()}).safeParse(row);
  const id = value.success ? /^"([0-9a-f]+)"$/.exec(value.data.value)?.[1] : undefined;
  return id ?? null;
}

function storedSession(row: unknown): StoredSession {
  const {id, cookie_digest, key_digest, created_at, expires_at} = SessionRow.parse(row);
  const digests = {cookieDigest: cookie_digest, keyDigest: key_digest};
  return {id, ...digests, createdAt: created_at, expiresAt: expires_at};
}
