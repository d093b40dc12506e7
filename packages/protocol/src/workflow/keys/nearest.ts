import {editDistance} from '../../edit-distance.ts';

/** The known word that was probably meant, if one is close enough to be worth saying. */
export function nearest(word: string, known: readonly string[]): string | null {
  const near = known
    .map((candidate) => ({
      candidate,
      distance: editDistance(word.toLowerCase(), candidate.toLowerCase()),
    }))
    .filter(({candidate, distance}) => distance <= Math.max(1, Math.floor(candidate.length / 3)))
    .sort((a, b) => a.distance - b.distance);
  return near[0]?.candidate ?? null;
}
