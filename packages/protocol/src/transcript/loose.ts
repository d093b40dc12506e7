// A transcript holds what an agent sent, whatever that was: nothing in it is taken for granted.

export type Loose = Readonly<Record<string, unknown>>;

const NOTHING: Loose = {};

export function loose(value: unknown): Loose {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Loose)
    : NOTHING;
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

export function numberOrNull(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** For reading: a string as it is, anything else as indented JSON. */
export function shown(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

/** Colours and cursor movements are of no use in a browser. */
export function plain(value: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it is control characters that are removed
  return value.replace(/\u001b\[[0-9;?]*[A-Za-z]|\u001b\][^\u0007\u001b]*(\u0007|\u001b\\)?/g, '');
}
