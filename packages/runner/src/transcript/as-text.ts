/** Whatever an agent may have sent where a text belongs. `String` throws for `{"toString": 1}`. */
export function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
