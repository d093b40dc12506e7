/** What a recording must not tell, and what it says instead. */
export interface Private {
  /** Path to stand-in, e.g. a home to `/codex-home`. What lies below a path keeps its place. */
  readonly paths: Readonly<Record<string, string>>;
  readonly hostName: string;
  /** Values of keys that no pattern would recognize. */
  readonly keys: readonly string[];
}

const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;
const KEY = /\b(?:sk|ghp|gho|github_pat|lin_api|lin_oauth)[-_][\w-]{8,}/g;
const BEARER = /\b(Bearer) [\w.~+/=-]{8,}/gi;
const EMAIL = /\b(?!git@)[\w.+-]+@[\w-]+(?:\.[\w-]+)+\b/g;
const LOOPBACK_PORT = /\b(127\.0\.0\.1|localhost):\d+/g;
// Codex files its sessions by local date and time.
const SESSION_FOLDER = /\/sessions\/\d{4}\/\d\d\/\d\d\//g;
const SESSION_FILE = /\brollout-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d/g;
const TRY_AGAIN = /\b(try again at) [^."]*\d[^."]*/g;

/** Makes the function that scrubs every text of one recording: the same id gets the same stand-in. */
export function textScrubber({paths, hostName, keys}: Private): (text: string) => string {
  const ids = new Map<string, string>();
  const literal = [
    // The longest first, so that a folder does not hide what is known of its contents.
    ...Object.entries(paths).sort(([a], [b]) => b.length - a.length),
    ...keys.map((key): [string, string] => [key, '<key>']),
    [`@${hostName}`, '@host'] as const,
  ].filter(([from]) => from !== '');

  // The ids of Codex begin with the time at which they were made.
  function standIn(id: string): string {
    const known = ids.get(id);
    if (known !== undefined) return known;
    const made = `00000000-0000-7000-8000-${String(ids.size + 1).padStart(12, '0')}`;
    ids.set(id, made);
    return made;
  }

  return (text) => {
    // A host may be called like a common word: only where it stands alone is it surely the host.
    if (text === hostName) return 'host';
    return literal
      .reduce((scrubbed, [from, to]) => scrubbed.replaceAll(from, to), text)
      .replace(KEY, '<key>')
      .replace(BEARER, '$1 <key>')
      .replace(EMAIL, 'user@example.com')
      .replace(SESSION_FOLDER, '/sessions/2026/01/01/')
      .replace(SESSION_FILE, 'rollout-2026-01-01T00-00-00')
      .replace(TRY_AGAIN, '$1 12:00 AM')
      .replace(LOOPBACK_PORT, '$1:8080')
      .replace(UUID, standIn);
  };
}
