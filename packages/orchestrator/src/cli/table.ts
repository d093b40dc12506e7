/** Left out if no row has anything in it: most workflows have no roles. */
const OPTIONAL = 'ROLE';

/** Columns as wide as they must be, the last one as long as it is. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const isShown = (_: string, column: number) =>
    head[column] !== OPTIONAL || rows.some((row) => row[column] !== '');
  const all = [head, ...rows].map((row) => row.filter(isShown).map(plain));
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Text from trackers and agents must not move the cursor of the terminal, or worse. */
export function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what must go
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g, ' ');
}

export function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

/** An instant to the second: `2026-01-31 12:00:00Z`. */
export function moment(instant: string): string {
  return instant.replace('T', ' ').replace(/\.\d+Z$/, 'Z');
}

/** For a glance: `42 s`, `3 min`, `2 h 5 min`. */
export function span(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export function printJson(value: unknown): void {
  console.log(JSON.stringify(value, null, 2));
}
