/** Every name by which a template can reach into a value: `issue`, `issue.title`, … */
export function namesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    key,
    ...namesIn(inner).map((name) => `${key}.${name}`),
  ]);
}
