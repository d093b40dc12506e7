import {createHash} from 'node:crypto';

const UNSAFE = /[^A-Za-z0-9._-]/gu;
const MAX_STEM = 100;
const SUFFIX = /-[0-9a-f]{16}$/;
/** Ours, in every workspace root; also on a disk that does not tell cases apart. */
const RESERVED = /^\.symphony$/i;

/**
 * The folder name of an issue's workspace: one safe path segment, distinct for distinct identifiers.
 * An identifier that is safe as it stands keeps its name; any other gets a digest of the original,
 * and so does one that looks as if it had one already, so that nobody can claim another's folder.
 */
export function workspaceKey(identifier: string): string {
  const stem = identifier.replace(UNSAFE, '_');
  const unchanged =
    stem === identifier &&
    stem !== '' &&
    stem !== '.' &&
    stem !== '..' &&
    stem.length <= MAX_STEM &&
    !SUFFIX.test(stem) &&
    !RESERVED.test(stem);
  if (unchanged) return stem;
  const digest = createHash('sha256').update(identifier).digest('hex').slice(0, 16);
  return `${stem.slice(0, MAX_STEM)}-${digest}`;
}
