import {setTimeout as sleep} from 'node:timers/promises';
import {type Measure, median, type Row} from '../measure.ts';
import {BuiltSupervisor} from '../rig/built-supervisor.ts';
import {mainThreadCpuMs} from '../rig/proc.ts';
import {Project} from '../rig/project.ts';

const RUNNERS = 5;
/** Events a second of each agent. */
const RATES = [20, 200, 2_000];
const SETTLE_MS = 500;
/** In one window of silence the main thread may still compile, or collect garbage: then events would seem free. */
const ROUNDS = 3;

interface Window {
  readonly rate: number;
  readonly cpuMsPerSecond: number;
  readonly eventsPerSecond: number;
}

/**
 * What an agent's event costs the main thread, beyond what the same runs cost in silence. Runners join
 * what comes in quick succession, so the more an agent says, the less each word may cost.
 */
export const eventCost: Measure = {
  name: 'event-cost',
  isGuarded: true,
  take: async ({full}) => {
    await using project = await Project.make('stay', RUNNERS);
    await project.addIssues(1, RUNNERS);
    await using supervisor = new BuiltSupervisor(project);
    await supervisor.url();
    await project.noted('turn', RUNNERS);
    const forMs = full ? 4_000 : 1_000;
    const window = async (rate: number): Promise<Window> => {
      await project.setRate(rate);
      await sleep(SETTLE_MS);
      const [cpuBefore, sentBefore, at] = [
        mainThreadCpuMs(supervisor.pid),
        await project.eventsSent(),
        performance.now(),
      ];
      await sleep(forMs);
      const seconds = (performance.now() - at) / 1000;
      return {
        rate,
        cpuMsPerSecond: (mainThreadCpuMs(supervisor.pid) - cpuBefore) / seconds,
        eventsPerSecond: ((await project.eventsSent()) - sentBefore) / seconds,
      };
    };
    const windows: Window[] = [];
    for (let nth = 0; nth < ROUNDS; nth++) {
      for (const rate of [0, ...RATES]) windows.push(await window(rate));
    }
    const typical = (rate: number, what: 'cpuMsPerSecond' | 'eventsPerSecond') =>
      median(windows.filter((each) => each.rate === rate).map((each) => each[what]));
    const rows: Row[] = [];
    let before: number | null = null;
    for (const rate of RATES) {
      const cpuMs = typical(rate, 'cpuMsPerSecond') - typical(0, 'cpuMsPerSecond');
      const cost = (cpuMs * 1000) / typical(rate, 'eventsPerSecond');
      rows.push({
        measure: `main thread per agent event, ${RUNNERS} runners × ${rate} events/s`,
        value: {amount: Math.max(0, cost), unit: 'µs'},
        floor: before === null ? null : {amount: before, unit: 'µs'},
        aim: before === null ? null : {is: 'times', atMost: 1},
      });
      before = Math.max(0.01, cost);
    }
    return rows;
  },
};
