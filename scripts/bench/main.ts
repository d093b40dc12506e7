import {cpus, totalmem} from 'node:os';
import {parseArgs} from 'node:util';
import {isWithin, type Measure, type Row} from './measure.ts';
import {eventCost} from './measures/event-cost.ts';
import {install} from './measures/install.ts';
import {loopLag} from './measures/loop-lag.ts';
import {memory} from './measures/memory.ts';
import {reportCost} from './measures/report.ts';
import {restart} from './measures/restart.ts';
import {startRun} from './measures/start-run.ts';
import {storeCost} from './measures/store.ts';
import {throughput} from './measures/throughput.ts';
import {tick} from './measures/tick.ts';
import {watchers} from './measures/watchers.ts';
import {markdownTable, textTable} from './table.ts';

// How close to the floor: `npm run bench`. docs/benchmarks.md says what each measure means.

/** As the table lists them. */
const MEASURES: readonly Measure[] = [
  ...[
    startRun,
    memory,
    loopLag,
    eventCost,
    reportCost,
    tick,
    watchers,
    throughput,
    restart,
    storeCost,
    install,
  ],
];
/** A ratio beyond its target by this factor is a regression, not noise. */
const GUARD_SLACK = 2.5;

const {values: options} = parseArgs({
  options: {
    full: {type: 'boolean', default: false},
    guard: {type: 'boolean', default: false},
    markdown: {type: 'boolean', default: false},
    only: {type: 'string', multiple: true},
  },
});

if (process.platform !== 'linux') {
  console.error('The benchmarks read /proc, which only Linux has.');
  process.exit(2);
}
const names = MEASURES.map(({name}) => name);
const unknown = (options.only ?? []).filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`no measure is called ${unknown.join(', ')}; there are ${names.join(', ')}`);
  process.exit(2);
}

const rows: Row[] = [];
for (const measure of MEASURES.filter(isWanted)) {
  process.stderr.write(`${measure.name} …\n`);
  try {
    rows.push(...(await measure.take({full: options.full})));
  } catch (error) {
    // The others are worth having all the same.
    console.error(`${measure.name} could not be measured: ${error}`);
    process.exitCode = 1;
  }
}

console.log(options.markdown ? `${machine()}\n\n${markdownTable(rows)}` : textTable(rows));
if (options.guard) judge();

function isWanted({name, fullOnly = false, isGuarded}: Measure): boolean {
  if (options.only !== undefined) return options.only.includes(name);
  if (options.guard) return isGuarded;
  return options.full || !fullOnly;
}

function machine(): string {
  const [cpu] = cpus();
  const memoryGb = Math.round(totalmem() / 2 ** 30);
  const date = new Date().toISOString().slice(0, 10);
  const what = `${cpus().length} × ${cpu?.model.trim() ?? 'CPU'}, ${memoryGb} GB, Node ${process.versions.node}`;
  return `${date}, ${what}${options.full ? '' : ', the short form'}:`;
}

function judge(): void {
  const beyond = rows.filter((row) => !isWithin(row, GUARD_SLACK));
  for (const {measure} of beyond) {
    console.error(`${measure}: beyond ${GUARD_SLACK} × its target`);
  }
  if (beyond.length > 0) process.exitCode = 1;
}
