import {createHash} from 'node:crypto';

const UNSAFE = /[^A-Za-z0-9._-]/gu;
const MAX_STEM = 100;
const SUFFIX = /-[0-9a-f]{16}$/;
/**
 * Names that tools look for in the folders above the one they work in. A workspace of such a name would be found
 * from all workspaces beside it: `.git` runs programs, `node_modules` is code, a `Cargo.toml` that is a folder is
 * an error. Any case, because some disks do not tell cases apart.
 */
const LOOKED_UP = [
  /^\./,
  /^(?:node_modules|bower_components|jspm_packages|vendor|site-packages)$/i,
  /^(?:__pycache__|__pypackages__|venv|virtualenv|env|_darcs|cvs)$/i,
  /^(?:workspace|gemfile|rakefile|justfile)$/i,
  /\.(?:json5?|jsonc|toml|ya?ml|xml|cfg|ini|lock|mod|work|md|bazel|gradle|[cm]?[jt]sx?|py|rb)$/i,
];

/**
 * The folder name of an issue's workspace: one safe path segment, distinct for distinct identifiers.
 * An identifier that is safe as it stands keeps its name; any other gets a digest of the original,
 * and so does one that looks as if it had one already, so that no issue can claim another's folder.
 */
export function workspaceKey(identifier: string): string {
  const stem = identifier.replace(UNSAFE, '_');
  const unchanged =
    stem === identifier &&
    stem !== '' &&
    stem.length <= MAX_STEM &&
    !SUFFIX.test(stem) &&
    !LOOKED_UP.some((name) => name.test(stem));
  if (unchanged) return stem;
  const digest = createHash('sha256').update(identifier).digest('hex').slice(0, 16);
  return `${stem.slice(0, MAX_STEM)}-${digest}`;
}
