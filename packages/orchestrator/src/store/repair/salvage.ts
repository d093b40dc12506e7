import type {StatementSyncInstance} from '@photostructure/sqlite';
import {type Database, inTransaction, migrate, openForReading, schemaVersion} from '../database.ts';
import {resultCode} from '../store-failure.ts';
import {MIGRATIONS, TABLES, type TableName} from '../upgrade/migrations.ts';

/** What could be read of one table. Incomplete: some rows were on unreadable pages. */
export interface SalvagedTable {
  readonly rows: number;
  readonly isComplete: boolean;
}
export type Salvaged = Readonly<Record<TableName, SalvagedTable>>;

/** Bounds the search; each probe costs about ten microseconds. */
const MAX_FAILED_READS = 10_000;

const SQLITE_CONSTRAINT = 19;

type Row = Readonly<Record<string, string | number | null>>;

/**
 * Copies readable rows into an empty database, which gets the schema version of the damaged one.
 */
export function salvage(damagedPath: string, target: Database, targetPath: string): Salvaged {
  const source = openForReading(damagedPath);
  try {
    const version = orElse(0, () => schemaVersion(source)) || MIGRATIONS.length;
    migrate(target, targetPath, MIGRATIONS.slice(0, version));
    const found = inTransaction(target, () =>
      TABLES.map((table) => {
        // A table that is newer than the damaged file's version is not missing.
        const isKnown = hasTable(target, table);
        return [table, isKnown ? copyTable(source, target, table) : NOTHING] as const;
      }),
    );
    return Object.fromEntries(found) as Record<TableName, SalvagedTable>;
  } finally {
    source.close();
  }
}

const NOTHING: SalvagedTable = {rows: 0, isComplete: true};

function hasTable(db: Database, table: TableName): boolean {
  const query = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?";
  return db.prepare(query).get(table) !== undefined;
}

function copyTable(source: Database, target: Database, table: TableName): SalvagedTable {
  let rows = 0;
  let isComplete = true;
  const onHole = () => {
    isComplete = false;
  };
  let insert: StatementSyncInstance | null = null;
  for (const row of readAround(source, table, onHole)) {
    const names = Object.keys(row);
    insert ??= target.prepare(`INSERT INTO ${table} (${names}) VALUES (${names.map(() => '?')})`);
    try {
      insert.run(...Object.values(row));
      rows++;
    } catch (error) {
      // Damaged values of the wrong type, or a duplicate key.
      if (((resultCode(error) ?? 0) & 0xff) !== SQLITE_CONSTRAINT) throw error;
      onHole();
    }
  }
  return {rows, isComplete};
}

/** All readable rows, found by bisecting ranges of row ids that cannot be read at once. */
function* readAround(source: Database, table: string, onHole: () => void): Generator<Row> {
  const select = `SELECT rowid AS rowid_, * FROM ${table} WHERE rowid BETWEEN ? AND ? ORDER BY rowid`;
  const statement = orElse(null, () => source.prepare(select));
  if (statement === null) return onHole(); // not even the schema can be read
  let failuresLeft = MAX_FAILED_READS;
  const ranges: [from: number, to: number][] = [[0, lastRowId(source, table)]];
  for (let range = ranges.pop(); range !== undefined; range = ranges.pop()) {
    let [from, to] = range;
    try {
      for (const found of statement.iterate(from, to)) {
        const {rowid_, ...row} = found as Row;
        from = Number(rowid_) + 1;
        yield row;
      }
    } catch {
      onHole();
      if (failuresLeft-- === 0) return;
      if (from >= to) continue;
      const middle = Math.floor((from + to) / 2);
      ranges.push([middle + 1, to], [from, middle]);
    }
  }
}

/** Where even that is on a damaged page: more than any table has, so that the search ends by its bound. */
function lastRowId(source: Database, table: string): number {
  return orElse(2 ** 40, () => {
    const row: unknown = source.prepare(`SELECT max(rowid) AS last FROM ${table}`).get();
    return Number((row as Row).last);
  });
}

function orElse<T>(otherwise: T, read: () => T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
