import {fork} from 'node:child_process';
import {once} from 'node:events';
import {mkdir, mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {monitorEventLoopDelay, performance} from 'node:perf_hooks';
import {setTimeout as sleep} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';
import {readWorkflow} from '@symphony-supervisor/protocol/workflow';
import {PROFILES} from '@symphony-supervisor/tracker';
import {openDoors} from 'symphony-supervisor/http';
import {realOutside} from 'symphony-supervisor/outside';
import {Supervisor} from 'symphony-supervisor/supervisor';
import {busyRunner} from './busy-runner.ts';

// What watchers cost the main thread: 20 runs report ten times a second each, and 0, 1 or 50 watch by
// server-sent events from another process. `npm run bench:watchers`

const RUNS = 20;
const WATCHERS = [0, 1, 50];
const MEASURE_MS = 10_000;
const SETTLE_MS = 2_000;
const RESOLUTION_MS = 1;

const folder = await mkdtemp(join(tmpdir(), 'symphony-bench-'));
const supervisor = await startSupervisor();
const doors = await openDoors({
  ...{desk: supervisor.desk, stateDir: join(folder, '.symphony'), log: () => {}},
  fixed: {host: '127.0.0.1', port: 0, allowedHosts: []},
  webhook: async () => ({is: 'unknown'}),
  dashboardDir: folder,
});
while (supervisor.desk.snapshot.counts.running < RUNS) await sleep(100);

let alone = Number.NaN;
for (const watchers of WATCHERS) {
  const child = fork(fileURLToPath(new URL('./watching.ts', import.meta.url)), [
    doors.url ?? '',
    String(watchers),
  ]);
  await once(child, 'message');
  await sleep(SETTLE_MS);
  const {lag, cpu} = await measure();
  child.send('end');
  const [events] = (await once(child, 'message')) as [number];
  await once(child, 'exit');
  alone = Number.isNaN(alone) ? cpu : alone;
  const column = (value: number, digits: number) => value.toFixed(digits).padStart(7);
  console.log(
    `${String(watchers).padStart(3)} watchers  lag p50 ${column(lag.p50, 2)} ms  p99 ${column(lag.p99, 2)} ms` +
      `  max ${column(lag.max, 2)} ms  cpu ${column(cpu * 100, 1)} %  ${(cpu / alone).toFixed(2)} × none` +
      `  ${events} events sent`,
  );
}

await doors[Symbol.asyncDispose]();
supervisor.shutdown(0);
await supervisor.ended;
await supervisor[Symbol.asyncDispose]();
await rm(folder, {recursive: true, force: true});

async function measure() {
  const histogram = monitorEventLoopDelay({resolution: RESOLUTION_MS});
  const before = process.cpuUsage();
  const startedAt = performance.now();
  histogram.enable();
  await sleep(MEASURE_MS);
  histogram.disable();
  const {user, system} = process.cpuUsage(before);
  const cpu = (user + system) / 1000 / (performance.now() - startedAt);
  const ms = (ns: number) => Math.max(0, ns / 1e6 - RESOLUTION_MS);
  const {max} = histogram;
  return {
    cpu,
    lag: {p50: ms(histogram.percentile(50)), p99: ms(histogram.percentile(99)), max: ms(max)},
  };
}

async function startSupervisor(): Promise<Supervisor> {
  await mkdir(join(folder, 'issues'));
  for (let number = 1; number <= RUNS; number++) {
    const text = `---\nstate: Todo\n---\n# Issue number ${number}\n`;
    await writeFile(join(folder, 'issues', `B-${number}.md`), text);
  }
  const settings = {name: 'bench', tracker: {kind: 'file'}, agent: {max_concurrent_agents: RUNS}};
  const path = join(folder, 'WORKFLOW.md');
  await writeFile(path, `---\n${JSON.stringify(settings)}\n---\nWork.\n`);
  const context = {env: {}, profiles: PROFILES, tmpDir: folder, homeDir: folder};
  const reading = await readWorkflow(path, context);
  if (!reading.ok) throw new Error(JSON.stringify(reading.errors));
  const dist = fileURLToPath(new URL('../../packages/orchestrator/dist', import.meta.url));
  const options = {
    ...{stateDir: join(folder, '.symphony'), logsRoot: join(folder, 'logs'), context},
    ...{workflows: [reading.workflow], maxAgents: null, environment: {}, log: () => {}},
    runnerPath: join(dist, 'runner.js'),
    trackerThreadPath: join(dist, 'tracker-thread.js'),
  };
  return Supervisor.start(options, {...realOutside(options), startRunner: busyRunner});
}
