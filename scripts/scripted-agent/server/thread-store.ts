import {mkdirSync, readFileSync, renameSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import type {Fields} from '../json.ts';
import type {TokenCount} from './tokens.ts';

/** What a later process must know to go on with a conversation. */
export interface ThreadRecord {
  readonly id: string;
  readonly createdAt: number;
  readonly originator: string;
  cwd: string;
  approvalPolicy: unknown;
  sandbox: Fields;
  dynamicTools: readonly unknown[];
  name: string | null;
  preview: string;
  total: TokenCount;
  last: TokenCount;
  /** Null as long as there was no turn; such a thread is not stored, as with the real server. */
  lastTurnId: string | null;
}

/** Conversations as small files in the home folder, shared by all processes that have that home. */
export class ThreadStore {
  readonly #folder: string;

  constructor(home: string) {
    this.#folder = join(home, 'threads');
  }

  pathOf(id: string): string {
    return join(this.#folder, `${id}.json`);
  }

  load(id: string): ThreadRecord | null {
    try {
      return JSON.parse(readFileSync(this.pathOf(id), 'utf8'));
    } catch {
      return null;
    }
  }

  save(record: ThreadRecord): void {
    mkdirSync(this.#folder, {recursive: true});
    const path = this.pathOf(record.id);
    // Renamed into place: this process may be killed at any instruction, and on purpose.
    writeFileSync(`${path}.${process.pid}`, JSON.stringify(record));
    renameSync(`${path}.${process.pid}`, path);
  }
}
