import type {BlockerRef} from '@symphony-supervisor/protocol';

// What every adapter does to foreign values. An unusable optional value becomes null or an empty
// list; whether a required one may be missing is decided by the adapter.

/** Trimmed text; a number is text, too, because people write `id: 42`. */
export function toText(value: unknown): string | null {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  if (typeof value !== 'string') return null;
  const text = value.trim();
  return text === '' ? null : text;
}

export function toPriority(value: unknown): number | null {
  const number =
    typeof value === 'string' && /^\s*[+-]?\d+\s*$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(number) ? Number(number) : null;
}

/** Trimmed, lower-cased, no blanks, no duplicates, in the order given. */
export function toLabels(value: unknown): string[] {
  const labels = toList(value).flatMap((entry) => toText(entry)?.toLowerCase() ?? []);
  return [...new Set(labels)];
}

/** A list; or the items of one line, separated by commas, as people write short lists. */
export function toList(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return toText(value)?.split(',') ?? [];
}

const DATE =
  /^(\d{4}-\d{2}-\d{2})(?:[Tt ]\s*(\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)\s*(Z|z|[+-]\d{2}:?\d{2})?)?$/;

/** ISO 8601. Without a zone it is UTC, so that one file means the same on every machine. */
export function toInstant(value: unknown): string | null {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  // Only what looks like a date: JavaScript's own parser makes one out of nearly anything.
  const [match, day, time = '00:00', zone = 'Z'] = DATE.exec(toText(value) ?? '') ?? [];
  if (match === undefined) return null;
  const offset = zone.toUpperCase().replace(/^(...)(\d\d)$/, '$1:$2');
  const instant = new Date(`${day}T${time}${offset}`);
  return Number.isNaN(instant.getTime()) ? null : instant.toISOString();
}

/**
 * Blockers by identifier or as objects. A blank one is ignored; an unreadable one stays as a
 * blocker of unknown state, because dropping it would start work that should wait.
 */
export function toBlockers(value: unknown): BlockerRef[] {
  return toList(value).flatMap((entry): BlockerRef[] => {
    if (entry === null || entry === undefined) return [];
    if (typeof entry === 'string' && entry.trim() === '') return [];
    if (typeof entry !== 'object') return [{id: null, identifier: toText(entry), state: null}];
    const {id, identifier, state} = entry as Record<string, unknown>;
    return [{id: toText(id), identifier: toText(identifier), state: toText(state)}];
  });
}
