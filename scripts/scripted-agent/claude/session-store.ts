import {existsSync, mkdirSync, readFileSync, renameSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {NO_TOKENS, type TokenCount} from '../server/tokens.ts';

/** Conversations as small files in the home folder. */
export class SessionStore {
  readonly #folder: string;

  constructor(home: string) {
    this.#folder = join(home, 'sessions');
  }

  has(id: string): boolean {
    return existsSync(this.#pathOf(id));
  }

  /** What the conversation has used in all, as far as a process that ended in order has written it down. */
  totalOf(id: string): TokenCount {
    try {
      return JSON.parse(readFileSync(this.#pathOf(id), 'utf8'));
    } catch {
      return NO_TOKENS;
    }
  }

  save(id: string, total: TokenCount): void {
    mkdirSync(this.#folder, {recursive: true});
    // Renamed into place: this process may be killed at any instruction, and on purpose.
    const path = this.#pathOf(id);
    writeFileSync(`${path}.${process.pid}`, JSON.stringify(total));
    renameSync(`${path}.${process.pid}`, path);
  }

  #pathOf(id: string): string {
    return join(this.#folder, `${id}.json`);
  }
}
