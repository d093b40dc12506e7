import assert from 'node:assert/strict';
import {join} from 'node:path';
import {test} from 'node:test';
import {openForReading} from '../../packages/orchestrator/src/store/database.ts';
import {openStore} from '../../packages/orchestrator/src/store/index.ts';
import {MIGRATIONS} from '../../packages/orchestrator/src/store/upgrade/migrations.ts';
import {aFolder} from '../rig/fixtures/folder.ts';
import {readPage} from './reader/markdown.ts';

const {text} = readPage('docs/contributing/data-model.md');

/** The cells of the table below a heading, without its head. */
function rowsBelow(heading: string): string[][] {
  const [, section = ''] = text.split(`\n${heading}\n`);
  const table = /^\|.*\n\|[-|]+\n((?:\|.*\n)+)/m.exec(section.split(/^#/m)[0] ?? '')?.[1] ?? '';
  const lines = table.trimEnd().split('\n');
  return lines.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

test('the page has every table and column of a fresh store, in order, with its type', async () => {
  await using folder = await aFolder();
  const {store} = openStore(folder.path);
  await store[Symbol.asyncDispose]();
  const db = openForReading(join(folder.path, 'symphony.db'));
  const columns = db
    .prepare(
      `SELECT t.name AS "table", c.name, c.type, c."notnull" AS isRequired, c.pk
       FROM pragma_table_list t JOIN pragma_table_info(t.name) c
       WHERE t.schema = 'main' AND t.name NOT LIKE 'sqlite_%' ORDER BY t.name, c.cid`,
    )
    .all() as {table: string; name: string; type: string; isRequired: number; pk: number}[];
  db.close();
  const tables = [...new Set(columns.map(({table}) => table))];
  const described = [...text.matchAll(/^### `(\w+)`$/gm)].map(([, table = '']) => table);
  assert.deepEqual(described.toSorted(), tables);
  for (const table of tables) {
    const its = columns.filter((column) => column.table === table);
    const expected = its.map(({name, type, isRequired, pk}) => {
      const what = pk > 0 ? ', primary key' : isRequired ? '' : ' or NULL';
      return [`\`${name}\``, `${type}${what}`];
    });
    const rows = rowsBelow(`### \`${table}\``);
    assert.deepEqual(
      rows.map((cells) => cells.slice(0, 2)),
      expected,
      table,
    );
    for (const [name, , holds = ''] of rows) assert.notEqual(holds, '', `${table}: ${name}`);
  }
});

test('the page has every version of the store, and which version of claims it brought', () => {
  const expected = MIGRATIONS.map((_, index) => {
    const steps = MIGRATIONS.slice(0, index + 1);
    return [index + 1, 1 + steps.filter(({claim}) => claim !== undefined).length].map(String);
  });
  const rows = rowsBelow('## Versions');
  assert.deepEqual(
    rows.map((cells) => cells.slice(0, 2)),
    expected,
  );
});
