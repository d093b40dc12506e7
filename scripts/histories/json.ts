/** JSON in which maps and sets survive: a recorded State has both. */
export function toJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => {
    if (part instanceof Map) return {$map: [...part]};
    return part instanceof Set ? {$set: [...part]} : part;
  });
}

export function fromJson(text: string): unknown {
  return JSON.parse(text, (_key, part: unknown) => {
    if (part === null || typeof part !== 'object') return part;
    if ('$map' in part && Array.isArray(part.$map)) return new Map(part.$map);
    return '$set' in part && Array.isArray(part.$set) ? new Set(part.$set) : part;
  });
}
