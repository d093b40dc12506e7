import {readdirSync, readFileSync} from 'node:fs';
import {rm} from 'node:fs/promises';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {parseArgs} from 'node:util';
import type {Supervisor} from 'symphony-supervisor/supervisor';
import {startHere} from '../rig/embedded.ts';
import {aProject, writeIssue} from '../rig/supervisor.ts';
import {until} from '../rig/survivors.ts';
import {growthOf, type Reading, verdictOn} from './growth.ts';

// A supervisor at full concurrency for minutes: `npm run test:soak -- --minutes 30`. Between two rounds
// nothing runs, and what it then holds must not grow. Needs --expose-gc.

const {values} = parseArgs({options: {minutes: {type: 'string', default: '3'}}});
const SLOTS = 10;
/** As many issues as make a round of some seconds. */
const ROUND = 30;
const DIST = fileURLToPath(new URL('../../packages/orchestrator/dist', import.meta.url));
const AGENT = fileURLToPath(new URL('../../scripts/dist/scripted-agent.js', import.meta.url));
const EMPTY_HOME = fileURLToPath(new URL('../rig/empty-home', import.meta.url));
const SCRIPT = [
  {say: 'I write a file and close the issue.'},
  {flood: 200},
  {run: 'echo work > work.txt'},
  {tool: 'update_issue', arguments: {state: 'Done', comment: 'Done.'}},
];

const agent = `node ${AGENT} --script-json '${JSON.stringify(SCRIPT)}' app-server`;
const settings = {
  agent: {max_concurrent_agents: SLOTS},
  hooks: {before_run: 'true', after_run: 'true'},
};
await using folder = await aProject(agent, [], settings);
const environment = {...process.env, HOME: EMPTY_HOME};
const supervisor = await startHere(folder.path, DIST, {environment});
const readings: Reading[] = [];
const endsAt = performance.now() + Number(values.minutes) * 60_000;
// Two rounds more, to warm up: caches fill, and code is compiled.
for (let round = 1; round <= 4 || performance.now() < endsAt; round++) {
  await playRound(supervisor, round);
  readings.push(await read(round * ROUND));
  console.log(JSON.stringify(readings.at(-1)));
}
supervisor.shutdown(10_000);
await supervisor.ended;
await supervisor[Symbol.asyncDispose]();

const growth = growthOf(readings.slice(2));
const complaints = verdictOn(growth);
console.log(JSON.stringify({runs: readings.at(-1)?.runs, ...growth}));
for (const complaint of complaints) console.error(`grows: ${complaint}`);
process.exitCode = complaints.length === 0 ? 0 : 1;

async function playRound({api}: Supervisor, round: number): Promise<void> {
  const names = Array.from({length: ROUND}, (_, index) => `R${round}-${index}`);
  for (const name of names) await writeIssue(folder.path, name, 'Todo');
  for (const name of names) {
    const ended = await until(async () => {
      const found = await api.issue(name, null);
      return found.is === 'found' && found.value.status === 'done' ? true : null;
    });
    if (ended === null) throw new Error(`${name} was not done: ${JSON.stringify(api.snapshot)}`);
  }
  for (const name of names) await rm(join(folder.path, 'issues', `${name}.md`));
}

/** With nothing under way, and after everything that can be let go of was. */
async function read(runs: number): Promise<Reading> {
  const isQuiet = await until(async () => (runners() === 0 ? true : null));
  if (isQuiet === null) throw new Error('a runner outlived its run');
  if (globalThis.gc === undefined) throw new Error('start it with --expose-gc');
  globalThis.gc();
  const resources = process.getActiveResourcesInfo();
  const {heapUsed, rss} = process.memoryUsage();
  return {
    runs,
    timers: resources.filter((name) => name === 'Timeout' || name === 'Immediate').length,
    handles: resources.filter((name) => name !== 'Timeout' && name !== 'Immediate').length,
    files: readdirSync('/proc/self/fd').length,
    listeners: process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0),
    heapKb: Math.round(heapUsed / 1024),
    rssKb: Math.round(rss / 1024),
  };
}

/** The loader that runs this file has a child of its own, so they are counted by name. */
function runners(): number {
  return readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && isOurRunner(pid)).length;
}

function isOurRunner(pid: string): boolean {
  try {
    const [, afterName = ''] = readFileSync(`/proc/${pid}/stat`, 'latin1').split(/\) . /);
    const isChild = Number(afterName.split(' ')[0]) === process.pid;
    return isChild && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('runner.cjs');
  } catch {
    return false; // gone
  }
}
