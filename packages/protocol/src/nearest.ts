import {distance} from 'fastest-levenshtein';

/** The known name that was probably meant, or null if none is close enough to be worth naming. */
export function nearest(name: string, known: readonly string[]): string | null {
  // `title` for `issue.title` is not a misspelling, but the most likely mistake of all.
  const full = known.find((candidate) => candidate.endsWith(`.${name}`));
  if (full !== undefined) return full;
  const near = known
    .map((candidate) => ({candidate, edits: edits(name, candidate)}))
    .filter(({candidate, edits}) => edits <= maxEdits(candidate))
    .sort((a, b) => a.edits - b.edits);
  return near[0]?.candidate ?? null;
}

/** Letters to add, drop or change. Names of unlike depth or length are not compared: a key may be as long as the file. */
function edits(name: string, candidate: string): number {
  const isAlike =
    Math.abs(candidate.length - name.length) <= maxEdits(candidate) &&
    candidate.split('.').length === name.split('.').length;
  return isAlike ? distance(name.toLowerCase(), candidate.toLowerCase()) : Infinity;
}

/** Two, or a third of a long name; never more than half of it, or every short name would be near. */
function maxEdits(candidate: string): number {
  const {length} = candidate.slice(candidate.lastIndexOf('.') + 1);
  return Math.min(Math.floor(length / 2), Math.max(2, Math.floor(length / 3)));
}
