/**
 * How templates print a value, the same in both engines and never escaped: nothing for null, plain
 * lists with commas, anything deeper as JSON.
 */
export function printed(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value) && value.every(isPlain)) return value.map(printed).join(', ');
  return JSON.stringify(value);
}

function isPlain(value: unknown): boolean {
  return value === null || typeof value !== 'object';
}
