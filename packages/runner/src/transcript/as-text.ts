/** Any value that an agent may have sent instead of a string. `String` throws for `{"toString": 1}`. */
export function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
