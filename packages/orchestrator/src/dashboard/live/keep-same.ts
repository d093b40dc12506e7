/**
 * The next value, with every unchanged part taken from the last one, so that components of such a part need
 * not be rendered again.
 */
export function keepSame<T>(last: T, next: T): T {
  if (Object.is(last, next)) return last;
  if (Array.isArray(last) && Array.isArray(next)) return keepArray(last, next) as T;
  if (isPlain(last) && isPlain(next)) return keepObject(last, next) as T;
  return next;
}

function keepArray(last: readonly unknown[], next: readonly unknown[]): readonly unknown[] {
  // Rows come and go, so they are identified by their subject, not by their index.
  const known = new Map(last.map((item, index) => [nameOf(item, index), item]));
  const kept = next.map((item, index) => {
    const former = known.get(nameOf(item, index));
    return former === undefined ? item : keepSame(former, item);
  });
  const isSame = kept.length === last.length && kept.every((item, index) => item === last[index]);
  return isSame ? last : kept;
}

function keepObject(last: Record<string, unknown>, next: Record<string, unknown>) {
  const kept: Record<string, unknown> = {};
  let isSame = Object.keys(last).length === Object.keys(next).length;
  for (const [key, value] of Object.entries(next)) {
    kept[key] = keepSame(last[key], value);
    if (kept[key] !== last[key]) isSame = false;
  }
  return isSame ? last : kept;
}

function nameOf(item: unknown, index: number): string {
  if (!isPlain(item)) return String(index);
  const {project, issue_id: issueId, run_id: runId, name} = item;
  if (typeof issueId === 'string') return `${project}/${issueId}/${runId ?? ''}`;
  return typeof name === 'string' ? name : String(index);
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
