/** A replacement of one stretch of a text; all the rest stays, byte by byte. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export function spliced(text: string, splices: readonly Splice[]): string {
  // From the end, so that the offsets of those still to come stay true.
  return [...splices]
    .sort((a, b) => b.start - a.start)
    .reduce(
      (result, {start, end, text: replacement}) =>
        result.slice(0, start) + replacement + result.slice(end),
      text,
    );
}
