import type {DatabaseSync} from '@photostructure/sqlite';

export interface Dump {
  readonly version: number;
  /** Statements that make the database again. */
  readonly sql: readonly string[];
}

/** A database as text that can be read in a review. */
export function dump(db: InstanceType<typeof DatabaseSync>): Dump {
  const {version} = db.prepare('SELECT user_version AS version FROM pragma_user_version').get() as {
    version: number;
  };
  const schema = db
    .prepare("SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'")
    .all() as {type: string; name: string; sql: string}[];
  const rows = schema.filter(({type}) => type === 'table').flatMap(({name}) => inserts(db, name));
  const made = schema.map(({sql}) => `${sql};`);
  return {version, sql: [...made, ...rows, `PRAGMA user_version = ${version};`]};
}

function inserts(db: InstanceType<typeof DatabaseSync>, table: string): string[] {
  return db
    .prepare(`SELECT * FROM ${table} ORDER BY rowid`)
    .all()
    .map((row) => {
      const values = Object.values(row as Record<string, string | number | null>).map(literal);
      return `INSERT INTO ${table} VALUES (${values.join(', ')});`;
    });
}

function literal(value: string | number | null): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);
}
