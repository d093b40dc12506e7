// Runs the test files named, or all of them. Node 20's own runner takes no globs, finds no
// TypeScript in a folder, and calls an empty run a success: so the files are listed here, and an
// empty list fails.
import {spawn} from 'node:child_process';
import {readdirSync} from 'node:fs';
import {join, relative} from 'node:path';
import {fileURLToPath} from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const FOLDERS = ['packages', 'scripts', 'test'];
// Slower suites have commands of their own.
const APART = [
  ...['test/real-codex', 'test/replay', 'test/crash', 'test/chaos', 'test/packages', 'test/pm2'],
  ...['test/browser', 'test/conformance'],
];

const named = process.argv.slice(2).filter((argument) => !argument.startsWith('-'));
const options = process.argv.slice(2).filter((argument) => argument.startsWith('-'));
const files = named.length > 0 ? named : FOLDERS.flatMap(testsBelow);
if (files.length === 0) {
  console.error('no test files found');
  process.exit(1);
}

// No test is about time, but one that waits for what never comes must end. It counts for a whole file, too.
const limit = '--test-timeout=600000';
const child = spawn(process.execPath, ['--import', 'tsx', '--test', limit, ...options, ...files], {
  cwd: root,
  stdio: 'inherit',
});
child.on('exit', (code) => process.exit(code ?? 1));

function testsBelow(folder) {
  if (APART.includes(folder)) return [];
  return readdirSync(join(root, folder), {withFileTypes: true})
    .filter(({name}) => name !== 'node_modules' && name !== 'dist')
    .flatMap((entry) => {
      const path = relative(root, join(root, folder, entry.name));
      if (entry.isDirectory()) return testsBelow(path);
      return entry.name.endsWith('.test.ts') ? [path] : [];
    })
    .sort();
}
