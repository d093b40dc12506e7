import {randomUUID} from 'node:crypto';
import {mkdtempSync, rmSync} from 'node:fs';
import {availableParallelism, tmpdir} from 'node:os';
import {join} from 'node:path';
import {parseArgs} from 'node:util';
import {endProcessesBlocking} from '@symphony-supervisor/protocol/processes';
import {type FileResult, runFile} from './run-file.ts';
import {filesOf, SUITES} from './suites.ts';
import {closing, opening, progress} from './summary.ts';

// Runs the test files named, those of one suite, or the ones of `npm test`, each in a process of its own:
//   node scripts/test.mjs [--suite=NAME] [--concurrency=N] [--limit=SECONDS] [option of Node …] [FILE …]
// Node's own list calls an empty run a success, waits for a file whose children hold its output, and notices no
// process that a test has left behind.

const OWN_OPTIONS = {
  suite: {type: 'string'},
  concurrency: {type: 'string'},
  limit: {type: 'string'},
} as const;
/** No test is about time, but a file that waits for what never comes must end. */
const LIMIT_SECONDS = 240;

const isOwn = (arg: string) => /^--(suite|concurrency|limit)=/.test(arg);
const given = process.argv.slice(2);
const {values} = parseArgs({args: given.filter(isOwn), options: OWN_OPTIONS});
const node = given.filter((arg) => arg.startsWith('-') && !isOwn(arg));
const named = given.filter((arg) => !arg.startsWith('-'));
if (values.suite !== undefined && !SUITES.some(({name}) => name === values.suite)) {
  fail(`no suite is called ${values.suite}; there are ${SUITES.map(({name}) => name).join(', ')}`);
}
const files = named.length > 0 ? named : filesOf(values.suite ?? null);
if (files.length === 0) fail('no test files found');
// Tests with processes wait a lot: one more than there are cores keeps these busy.
const concurrency = Math.min(
  positive('concurrency', values.concurrency, availableParallelism() + 1),
  files.length,
);
const limitMs = positive('limit', values.limit, LIMIT_SECONDS) * 1000;

console.log(opening(files.length, concurrency, named.length === 0 && values.suite === undefined));
const startedAt = performance.now();
const folder = mkdtempSync(join(tmpdir(), 'test-events-'));
process.on('exit', () => rmSync(folder, {recursive: true, force: true}));
const runId = randomUUID();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    const prefixes = [`TEST_FILE_ID=${runId}`];
    endProcessesBlocking({roots: [], markers: [], prefixes, except: [process.pid]}, 0);
    fail(`ended by ${signal}`);
  });
}
const results: FileResult[] = [];
const waiting = [...files];
await Promise.all(Array.from({length: concurrency}, work));
console.log(closing(results, performance.now() - startedAt));
const hasRun = results.some(({passed, skipped}) => passed + skipped.length > 0);
const hasFailed = results.some(({failures}) => failures.length > 0);
process.exitCode = hasRun && !hasFailed ? 0 : 1;

async function work(): Promise<void> {
  for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
    const id = `${runId}.${files.length - waiting.length}`;
    const result = await runFile(file, {id, node, limitMs, folder});
    results.push(result);
    console.log(progress(result, results.length, files.length));
  }
}

function positive(name: string, text: string | undefined, usual: number): number {
  const value = text === undefined ? usual : Number(text);
  if (!(value > 0)) fail(`--${name} takes a number above 0, not ${text}`);
  return value;
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}
