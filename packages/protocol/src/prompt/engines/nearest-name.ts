import {editDistance} from '../../edit-distance.ts';

/** Further apart than this, two names are not one name misspelt. */
const MAX_EDITS = 2;

/** The known name that was probably meant, if one is close enough to be worth saying. */
export function nearestName(name: string, known: readonly string[]): string | null {
  // `title` for `issue.title` is no misspelling, but the most likely mistake of all.
  const full = known.find((candidate) => candidate.endsWith(`.${name}`));
  if (full !== undefined) return full;
  const parts = name.split('.');
  const allowed = Math.min(MAX_EDITS, Math.floor((parts.at(-1) ?? '').length / 2));
  let nearest: string | null = null;
  let fewest = allowed + 1;
  for (const candidate of known) {
    if (candidate.split('.').length !== parts.length) continue;
    const edits = editDistance(name, candidate);
    if (edits < fewest) [nearest, fewest] = [candidate, edits];
  }
  return nearest;
}

/** Every name by which a template can reach into a value: `issue`, `issue.title`, … */
export function namesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    key,
    ...namesIn(inner).map((name) => `${key}.${name}`),
  ]);
}
