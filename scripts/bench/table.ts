import {comparison, isWithin, type Quantity, type Row} from './measure.ts';

const COLUMNS = ['measure', 'value', 'floor', 'ratio', 'target', 'verdict'] as const;

/** For a terminal. */
export function textTable(rows: readonly Row[]): string {
  const lines = [[...COLUMNS], ...rows.map(cells)];
  const widths = COLUMNS.map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  return lines
    .map((line) => line.map((cell, column) => padded(cell, column, widths)).join('  '))
    .map((line) => line.trimEnd())
    .join('\n');
}

/** To be pasted into a page. */
export function markdownTable(rows: readonly Row[]): string {
  const line = (texts: readonly string[]) => `| ${texts.join(' | ')} |`;
  const rule = `|${COLUMNS.map((_, column) => (isNumber(column) ? '---:' : '---')).join('|')}|`;
  return [line(COLUMNS), rule, ...rows.map((row) => line(cells(row)))].join('\n');
}

function cells(row: Row): string[] {
  const {measure, value, floor} = row;
  return [
    measure,
    told(value),
    floor === null ? '–' : told(floor),
    ratio(row),
    aim(row),
    verdict(row),
  ];
}

function told({amount, unit}: Quantity): string {
  return `${amount.toFixed(amount < 10 ? 2 : amount < 100 ? 1 : 0)} ${unit}`;
}

function ratio(row: Row): string {
  const found = comparison(row);
  if (found === null) return '–';
  if (row.aim?.is !== 'more') return `${found.toFixed(2)} ×`;
  return `${found < 0 ? '−' : '+'}${Math.abs(found).toFixed(1)} ${row.value.unit}`;
}

function aim({aim, value}: Row): string {
  if (aim === null) return '–';
  return aim.is === 'times' ? `≤ ${aim.atMost} ×` : `≤ ${aim.atMost} ${value.unit} more`;
}

function verdict(row: Row): string {
  if (row.aim === null || comparison(row) === null) return 'reported';
  return isWithin(row) ? 'met' : 'missed';
}

function isNumber(column: number): boolean {
  return column >= 1 && column <= 3;
}

function padded(cell: string, column: number, widths: readonly number[]): string {
  const width = widths[column] ?? 0;
  return isNumber(column) ? cell.padStart(width) : cell.padEnd(width);
}
