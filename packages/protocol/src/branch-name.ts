import {createHash} from 'node:crypto';

const MAX_COMPONENT = 70;
const MAX_BRANCH = 200;
/** ASCII only, because forges, shells and file systems disagree about everything else. */
const UNSAFE = /[^A-Za-z0-9._-]/gu;
/** `.` begins hidden files, `-` looks like an option, and git refuses `.lock` and a `.` at the end. */
const BAD_EDGES = /^[.-]|\.$|\.lock$/i;
/** What a component with a digest looks like. */
const SUFFIX = /-[0-9a-f]{16}$/;

/**
 * The branch for the work on an issue: `symphony/<project>/<key>`. Distinct pairs have distinct branches. There are
 * always three components, so that no branch is the folder of another one.
 */
export function defaultBranch(project: string, key: string): string {
  return `symphony/${component(project)}/${component(key)}`;
}

/** A name that is safe as it stands is kept; any other gets a digest of the original. */
function component(name: string): string {
  const stem = name.replace(UNSAFE, '_').replaceAll('..', '__');
  const isSafe =
    stem === name &&
    stem !== '' &&
    stem.length <= MAX_COMPONENT &&
    !BAD_EDGES.test(stem) &&
    !SUFFIX.test(stem);
  if (isSafe) return stem;
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 16);
  return `${stem.slice(0, MAX_COMPONENT).replace(/^[.-]/, '_')}-${digest}`;
}

/** What `git check-ref-format` forbids anywhere in a name: control characters, blanks and the syntax of revisions. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const FORBIDDEN = /[\u0000-\u0020\u007f~^:?*[\\]|\.\.|@\{|\/\/|^\/|\/$|\.$/;

/**
 * The rules of `git check-ref-format`, without names that git takes for an option or for HEAD, and with a limit that
 * leaves room for `.lock` on a disk.
 */
export function isBranchName(name: string): boolean {
  if (name === '' || name === '@' || name === 'HEAD' || name.startsWith('-')) return false;
  if (Buffer.byteLength(name) > MAX_BRANCH || FORBIDDEN.test(name)) return false;
  return name.split('/').every((part) => !part.startsWith('.') && !part.endsWith('.lock'));
}
