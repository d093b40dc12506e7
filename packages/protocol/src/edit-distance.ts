/** Letters to add, drop, change or swap with their neighbour, to get from one word to the other. */
export function editDistance(from: string, to: string): number {
  // A word much longer than the other is never near; and a key may be as long as the file.
  if (Math.abs(from.length - to.length) > to.length) return Number.POSITIVE_INFINITY;
  let beforeLast: number[] = [];
  let last = Array.from({length: to.length + 1}, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1];
      const swapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current[column] = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (same ? 0 : 1),
        swapped ? at(beforeLast, column - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [beforeLast, last] = [last, current];
  }
  return at(last, to.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
