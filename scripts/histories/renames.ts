/**
 * What a change renamed on purpose. The recording speaks the old vocabulary: recorded input is translated
 * to the new one before it is replayed, and what the working tree decides is translated back.
 */
export interface Renames {
  /** Property names, old to new. */
  readonly keys: Readonly<Record<string, string>>;
  /** Text values, new to old: several new ones may stand for one old one. */
  readonly values: Readonly<Record<string, string>>;
  /** New properties, which the recording cannot have. */
  readonly added: readonly string[];
  /** New properties of a claim, with the value that an upgrade of the store gives them. */
  readonly ofClaims: Readonly<Record<string, unknown>>;
}

export const NO_RENAMES: Renames = {keys: {}, values: {}, added: [], ofClaims: {}};

export function parseRenames(text: string): Renames {
  return {...NO_RENAMES, ...(JSON.parse(text) as Partial<Renames>)};
}

/** Old names to new ones, for what is replayed. */
export function renameInput<T>(value: T, {keys}: Renames): T {
  if (Object.keys(keys).length === 0) return value;
  return rebuilt(value, (key) => keys[key] ?? key) as T;
}

function rebuilt(value: unknown, rename: (key: string) => string): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((one) => rebuilt(one, rename));
  if (value instanceof Set) return value;
  if (value instanceof Map) {
    return new Map([...value].map(([key, one]) => [key, rebuilt(one, rename)]));
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [rename(key), rebuilt(one, rename)]),
  );
}
