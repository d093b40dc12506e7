import {mkdtemp, readFile, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {parseArgs} from 'node:util';
import {median} from '../measure.ts';
import recorded from './recorded.json' with {type: 'json'};
import {type Measurement, runScenario} from './scenario.ts';

// Ours beside what other implementations reached on the same scenarios: `npm run bench:peers`.

interface PeerRow {
  readonly name: string;
  readonly aDoneMs?: number;
  readonly aCpuMs?: number;
  readonly aRssMb?: number;
  readonly aPssMb?: number;
  readonly aRequests?: number;
  readonly bDoneMs?: number;
  readonly cDoneMs?: number;
  readonly cCpuMs?: number;
  readonly cEventUs?: number;
  readonly dExitMs?: number | string;
}

const COLUMNS: readonly (readonly [keyof PeerRow, string])[] = [
  ['name', ''],
  ['aDoneMs', 'A done ms'],
  ['aCpuMs', 'A CPU ms'],
  ['aRssMb', 'A RSS MB'],
  ['aPssMb', 'A PSS MB'],
  ['aRequests', 'A requests'],
  ['bDoneMs', 'B done ms'],
  ['cDoneMs', 'C done ms'],
  ['cCpuMs', 'C CPU ms'],
  ['cEventUs', 'C µs/event'],
  ['dExitMs', 'D exit ms'],
];
/** Of scenario C: 100 issues with 1 000 deltas each. */
const C_EVENTS = 100_000;

const {values: options} = parseArgs({
  options: {repeats: {type: 'string', default: '3'}, markdown: {type: 'boolean', default: false}},
});
const tools = process.env.BENCH_TOOLS;
if (tools === undefined || tools === '') {
  console.error(
    'BENCH_TOOLS names no folder: set it to that of the side-by-side tools, which holds scenario.sh and bench.mjs.',
  );
  process.exit(2);
}

const {row, afterRuns} = await ours(tools, Number(options.repeats));
const rows: readonly PeerRow[] = [row, ...recorded.rows];
console.log(options.markdown ? markdown(rows) : aligned(rows));
console.log(
  `\nRecorded rows: ${recorded.date}, ${recorded.machine}. \`after_run\` in D: ${afterRuns}.`,
);

async function ours(folder: string, repeats: number) {
  const scratch = await mkdtemp(join(tmpdir(), 'symphony-bench-peers-'));
  try {
    const a = await told('A', runScenario(folder, 'A', repeats));
    const b = await told('B', runScenario(folder, 'B', repeats));
    const c = await told('C', runScenario(folder, 'C', repeats));
    const silent = runScenario(folder, 'C', repeats, ['turn=2000 del=1000', 'turn=2000 del=0']);
    const c0 = await told('C without deltas', silent);
    const ended = join(scratch, 'after-run');
    const hook = `hooks:\n  after_run: echo ran >> '${ended}'\ncodex:\n`;
    const d = await told('D', runScenario(folder, 'D', repeats, ['codex:\n', hook]));
    for (const measured of [...a, ...b, ...c, ...c0]) assertAllDone(measured);
    const hooks = (await readFile(ended, 'utf8').catch(() => '')).split('\n').length - 1;
    const of = (all: readonly Measurement[], field: Field) => middle(all, field);
    const row: PeerRow = {
      name: 'symphony-supervisor, a process per run',
      ...{aDoneMs: of(a, 'allDoneMs'), aCpuMs: of(a, 'cpuMsAtDone'), aRssMb: of(a, 'peakRssMB')},
      ...{aPssMb: of(a, 'peakPssMB'), aRequests: of(a, 'trackerRequests')},
      ...{bDoneMs: of(b, 'allDoneMs'), cDoneMs: of(c, 'allDoneMs'), cCpuMs: of(c, 'cpuMsAtDone')},
      cEventUs: ((of(c, 'cpuMsAtDone') - of(c0, 'cpuMsAtDone')) * 1000) / C_EVENTS,
      dExitMs: of(d, 'shutdownMs'),
    };
    return {row, afterRuns: `${hooks} of ${10 * repeats}`};
  } finally {
    await rm(scratch, {recursive: true, force: true});
  }
}

async function told<T>(what: string, running: Promise<T>): Promise<T> {
  process.stderr.write(`${what} …\n`);
  return running;
}

type Field =
  | 'allDoneMs'
  | 'cpuMsAtDone'
  | 'peakRssMB'
  | 'peakPssMB'
  | 'trackerRequests'
  | 'shutdownMs';

function middle(all: readonly Measurement[], field: Field): number {
  return median(all.map((one) => one[field] ?? Number.NaN));
}

function assertAllDone({issues, completed}: Measurement): void {
  if (completed < issues) throw new Error(`only ${completed} of ${issues} issues were completed`);
}

function cellsOf(row: PeerRow): string[] {
  return COLUMNS.map(([field]) => {
    const value = row[field];
    return typeof value === 'number'
      ? value.toFixed(value < 100 && value % 1 !== 0 ? 1 : 0)
      : (value ?? '–');
  });
}

function markdown(all: readonly PeerRow[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const rule = `|---|${'---:|'.repeat(COLUMNS.length - 1)}`;
  return [
    line(COLUMNS.map(([, title]) => title)),
    rule,
    ...all.map((row) => line(cellsOf(row))),
  ].join('\n');
}

function aligned(all: readonly PeerRow[]): string {
  const lines = [COLUMNS.map(([, title]) => title), ...all.map(cellsOf)];
  const width = (column: number) => Math.max(...lines.map((line) => line[column]?.length ?? 0));
  return lines
    .map((line) =>
      line
        .map((cell, column) =>
          column === 0 ? cell.padEnd(width(0)) : cell.padStart(width(column)),
        )
        .join('  '),
    )
    .join('\n');
}
