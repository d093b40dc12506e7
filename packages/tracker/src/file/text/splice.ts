/** Replaces one range of a text; every other byte stays. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export function spliced(text: string, splices: readonly Splice[]): string {
  // From the end, so that the offsets of the remaining splices stay valid.
  return [...splices]
    .sort((a, b) => b.start - a.start)
    .reduce(
      (result, {start, end, text: replacement}) =>
        result.slice(0, start) + replacement + result.slice(end),
      text,
    );
}
