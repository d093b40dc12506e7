// Every source file outside the core must have more than nine tenths of its lines executed by the tests.
import {readdirSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {codeLines} from './code-lines.ts';
import {executedLines} from './executed-lines.ts';

const ABOVE_PERCENT = 90;
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** It has a check of its own, of its branches. */
const CORE = 'packages/orchestrator/src/core/';

const folder = process.argv[2];
if (folder === undefined) throw new Error('usage: lines.ts <folder of V8 coverage>');

const sources = readdirSync(join(ROOT, 'packages')).flatMap((name) => {
  const src = join('packages', name, 'src');
  return readdirSync(join(ROOT, src), {recursive: true, encoding: 'utf8'})
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => join(src, file));
});
const wanted = new Set(sources.map((path) => join(ROOT, path)));
const executed = executedLines(folder, (path) => wanted.has(path));

const rows = sources.flatMap((path) => {
  const lines = [...codeLines(join(ROOT, path))];
  if (lines.length === 0 || path.startsWith(CORE)) return [];
  const hit = executed.get(join(ROOT, path)) ?? new Set();
  const missed = lines.filter((line) => !hit.has(line));
  return {path, percent: 100 * (1 - missed.length / lines.length), lines: lines.length, missed};
});
rows.sort((a, b) => a.percent - b.percent);

for (const {path, percent, missed} of rows.filter((row) => row.missed.length > 0)) {
  console.log(`${percent.toFixed(1).padStart(6)} %  ${path}  ${missed.join(' ')}`);
}
const low = rows.filter(({percent}) => percent <= ABOVE_PERCENT);
const total = rows.reduce((sum, row) => sum + row.lines, 0);
const missed = rows.reduce((sum, row) => sum + row.missed.length, 0);
console.log(
  `${rows.length} files, ${total} lines of code, ${(100 * (1 - missed / total)).toFixed(2)} % executed; ` +
    `${low.length} files at ${ABOVE_PERCENT} % or less`,
);
if (rows.length === 0 || low.length > 0) process.exitCode = 1;
