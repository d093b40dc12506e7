// The suite against the real Codex: installs it if need be, builds the runner, runs the tests.
//   node test/real-codex/run.mjs [--record] [file.test.ts …]
// `--record` keeps the transcripts of the runs, scrubbed, in test/recordings/codex.
import {spawnSync} from 'node:child_process';
import {readdirSync, readFileSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = fileURLToPath(new URL('../..', import.meta.url));
const recordings = join(root, 'test', 'recordings', 'codex');

const records = process.argv.includes('--record');
const named = process.argv.slice(2).filter((argument) => !argument.startsWith('-'));
const all = readdirSync(here).filter((name) => name.endsWith('.test.ts'));
const files = named.length > 0 ? named : all;
if (files.length === 0) {
  console.error('no test files found');
  process.exit(1);
}

// Apart from the repository's own dependencies: it is 436 MB, and only this suite needs it.
if (!isInstalled()) run('npm', ['ci', '--prefix', here, '--no-audit', '--no-fund'], here);
run(process.execPath, ['scripts/build.mjs'], root);
if (records && named.length === 0) forgetRecordings();
run(
  process.execPath,
  // One file at a time: an agent, its runner and its commands keep two cores busy.
  [
    ...['--import', 'tsx', '--test', '--test-concurrency', '1'],
    ...files.map((name) => join(here, name)),
  ],
  root,
  records ? {SYMPHONY_RECORD: '1'} : {},
);

/** npm leaves a copy of what it installed; whatever is in it must be as the lock file has it. */
function isInstalled() {
  try {
    const wanted = packagesIn(join(here, 'package-lock.json'));
    const installed = packagesIn(join(here, 'node_modules', '.package-lock.json'));
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

function forgetRecordings() {
  for (const name of readdirSync(recordings)) {
    if (name.endsWith('.jsonl')) rmSync(join(recordings, name));
  }
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
