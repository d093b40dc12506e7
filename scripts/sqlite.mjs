// SQLite as it is shipped: `@photostructure/sqlite` as one bundle in `dist/sqlite/lib`, and its binaries, which it
// looks for in `../prebuilds`, beside it. As a dependency it would run an install script on the user's machine
// (docs/adr/0012-sqlite-is-bundled.md).
import {existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {dirname, join} from 'node:path';

const {resolve} = createRequire(import.meta.url);
/** What we run on. */
const PLATFORM = /^(linux|darwin)-/;

/**
 * Copies the binaries of all platforms. One that is there stays: processes that run from this folder have it mapped.
 * @param {string} folder
 */
export function copyBinaries(folder) {
  const from = join(dirname(resolve('@photostructure/sqlite/package.json')), 'prebuilds');
  for (const platform of readdirSync(from).filter((name) => PLATFORM.test(name))) {
    for (const file of readdirSync(join(from, platform))) {
      copyUnlessThere(join(from, platform, file), join(folder, 'prebuilds', platform, file));
    }
  }
}

/**
 * @param {string} from
 * @param {string} to
 */
function copyUnlessThere(from, to) {
  const bytes = readFileSync(from);
  if (existsSync(to) && readFileSync(to).equals(bytes)) return;
  mkdirSync(dirname(to), {recursive: true});
  const draft = `${to}.${process.pid}`;
  writeFileSync(draft, bytes);
  renameSync(draft, to);
}
