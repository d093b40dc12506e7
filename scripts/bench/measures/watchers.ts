import {fork} from 'node:child_process';
import {once} from 'node:events';
import {setTimeout as sleep} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';
import {inTurn, type Measure} from '../measure.ts';
import {BuiltSupervisor} from '../rig/built-supervisor.ts';
import {mainThreadCpuMs} from '../rig/proc.ts';
import {Project} from '../rig/project.ts';

const WATCHING = fileURLToPath(new URL('../rig/watching.mjs', import.meta.url));
const WATCHERS = 50;
/** Each changes the snapshot about ten times a second. */
const EVENTS_PER_SECOND = 50;
const SETTLE_MS = 500;

/** What 50 who watch by server-sent events cost the main thread, beside what one does. */
export const watchers: Measure = {
  name: 'watchers',
  isGuarded: false,
  take: async ({full}) => {
    const runners = full ? 20 : 10;
    await using project = await Project.make('stay', runners);
    await project.setRate(EVENTS_PER_SECOND);
    await project.addIssues(1, runners);
    await using supervisor = new BuiltSupervisor(project);
    const url = await supervisor.url();
    await project.noted('turn', runners);
    const forMs = full ? 8_000 : 1_500;
    const cost = (count: number) => cpuMsPerSecond(supervisor.pid, url, count, forMs);
    const {value, floor} = await inTurn(
      full ? 5 : 2,
      () => cost(WATCHERS),
      () => cost(1),
    );
    return [
      {
        measure: `main thread per second, ${WATCHERS} event streams against one, ${runners} runs`,
        value: {amount: value, unit: 'ms'},
        floor: {amount: floor, unit: 'ms'},
        aim: {is: 'times', atMost: 3},
      },
    ];
  },
};

async function cpuMsPerSecond(pid: number, url: string, count: number, forMs: number) {
  const child = fork(WATCHING, [url, String(count)], {execArgv: []});
  await once(child, 'message');
  await sleep(SETTLE_MS);
  const before = mainThreadCpuMs(pid);
  const at = performance.now();
  await sleep(forMs);
  const cpuMs = (mainThreadCpuMs(pid) - before) / ((performance.now() - at) / 1000);
  child.send('end');
  const [events] = (await once(child, 'message')) as [number];
  await once(child, 'exit');
  if (events < count) throw new Error(`${count} watchers got ${events} events`);
  return cpuMs;
}
