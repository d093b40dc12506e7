import {join} from 'node:path';
import {DatabaseSync} from '@photostructure/sqlite';

export interface RunRow {
  readonly identifier: string;
  readonly started_at: number;
  readonly ended_at: number | null;
}

/** The recorded runs, read beside the writer. */
export function runs(folder: string): RunRow[] {
  const path = join(folder, '.symphony/symphony.db');
  const db = new DatabaseSync(path, {readOnly: true, timeout: 5_000});
  try {
    return db.prepare('SELECT identifier, started_at, ended_at FROM runs').all() as RunRow[];
  } finally {
    db.close();
  }
}
