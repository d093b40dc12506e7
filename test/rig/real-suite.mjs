import {spawnSync} from 'node:child_process';
import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The test files that the command line names, else all of the suite's folder. */
export function testFilesIn(folder) {
  const named = process.argv.slice(2).filter((argument) => !argument.startsWith('-'));
  const all = readdirSync(folder).filter((name) => name.endsWith('.test.ts'));
  const files = named.length > 0 ? named : all;
  if (files.length > 0) return files.map((name) => join(folder, name));
  console.error('no test files found');
  process.exit(1);
}

/** The suite against a real agent: installs it if need be, builds the runner, runs the tests. */
export function runSuite(folder, files, env = {}) {
  // Apart from the repository's own dependencies: an agent has hundreds of megabytes, and only its suite needs it.
  if (!isInstalled(folder))
    run('npm', ['ci', '--prefix', folder, '--no-audit', '--no-fund'], folder);
  run(process.execPath, ['scripts/build.mjs'], root);
  run(
    process.execPath,
    // One file at a time: an agent, its runner and its commands keep two cores busy.
    [...['--import', 'tsx', '--test', '--test-concurrency', '1'], ...files],
    root,
    env,
  );
}

/** npm leaves a copy of what it installed; whatever is in it must be as the lock file has it. */
function isInstalled(folder) {
  try {
    const wanted = packagesIn(join(folder, 'package-lock.json'));
    const installed = packagesIn(join(folder, 'node_modules', '.package-lock.json'));
    return Object.entries(wanted).every(([path, {integrity, optional}]) => {
      if (path === '') return true;
      return installed[path] === undefined
        ? optional === true // for another platform
        : installed[path].integrity === integrity;
    });
  } catch {
    return false;
  }
}

function packagesIn(lockFile) {
  return JSON.parse(readFileSync(lockFile, 'utf8')).packages;
}

function run(command, args, cwd, env = {}) {
  const {status, error} = spawnSync(command, args, {
    cwd,
    stdio: 'inherit',
    env: {...process.env, ...env},
  });
  if (error !== undefined) throw error;
  if (status !== 0) process.exit(status ?? 1);
}
