/** The path of a setting from the top of the front matter. */
export type KeyPath = readonly (string | number)[];

/** `tracker.active_states[1]`; a name that is not a plain word is quoted, so that it stays on its line. */
export function spellKey(path: KeyPath): string {
  return path.map(spellStep).join('').replace(/^\./, '');
}

function spellStep(step: string | number): string {
  if (typeof step === 'number') return `[${step}]`;
  return /^[\w-]+$/.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`;
}

export function isWithin(path: KeyPath, outer: KeyPath): boolean {
  return outer.every((step, index) => path[index] === step);
}
