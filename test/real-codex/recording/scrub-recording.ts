import {type Private, textScrubber} from './scrub-text.ts';

type Json = string | number | boolean | null | readonly Json[] | {readonly [key: string]: Json};

/** Every recording begins at this moment; what follows keeps its distance. */
const EPOCH_MS = Date.UTC(2026, 0, 1);

/** Times further from the recording's start than this were not taken from the clock. */
const NEAR_MS = 31 * 24 * 60 * 60 * 1000;

// After a letter too: Codex colours the times in its log, and the escape ends in one.
const ISO_TIME = /(?<!\d)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g;

/**
 * Takes out of a transcript (JSON lines) what belongs to the machine it was made on: paths, keys,
 * ids, addresses, the date. Two recordings of the same test then differ little but in their timing.
 */
export function scrubRecording(transcript: string, secrets: Private): string {
  const lines = transcript.split('\n').filter((line) => line.trim() !== '');
  const messages = lines.map((line): Json => JSON.parse(line));
  const shiftMs = EPOCH_MS - startOf(transcript);
  const scrubText = textScrubber(secrets);
  const scrubbed = messages.map((message) => scrub(message, ''));
  return scrubbed.map((message) => `${JSON.stringify(message)}\n`).join('');

  function scrub(value: Json, key: string): Json {
    if (typeof value === 'string') return scrubText(value.replace(ISO_TIME, shiftIso));
    if (typeof value === 'number') return shiftNumber(value, key);
    if (value === null || typeof value === 'boolean') return value;
    if (isList(value)) return value.map((entry) => scrub(entry, key));
    // A key can be a path too: that of a changed file, for one.
    return Object.fromEntries(
      Object.entries(value).map(([name, entry]) => [scrubText(name), scrub(entry, name)]),
    );
  }

  function shiftNumber(value: number, key: string): number {
    if (/AtMs$/.test(key)) return shift(value);
    // Codex counts these in seconds.
    if (/(?:At|_at)$/.test(key)) return Math.floor(shift(value * 1000) / 1000);
    return value;
  }

  function shiftIso(time: string): string {
    return new Date(shift(Date.parse(time))).toISOString();
  }

  function shift(ms: number): number {
    const shifted = ms + shiftMs;
    return Math.abs(shifted - EPOCH_MS) < NEAR_MS ? shifted : ms;
  }
}

/** The first time that either side named. A recording without one has none to hide. */
function startOf(transcript: string): number {
  const [iso] = transcript.match(ISO_TIME) ?? [];
  const ms = /"emittedAtMs":(\d+)/.exec(transcript)?.[1];
  if (iso === undefined && ms === undefined) return EPOCH_MS;
  return Math.min(
    iso === undefined ? Infinity : Date.parse(iso),
    ms === undefined ? Infinity : Number(ms),
  );
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
