import {setTimeout as sleep} from 'node:timers/promises';
import type {Measure, Row} from '../measure.ts';
import {BuiltSupervisor} from '../rig/built-supervisor.ts';
import {mainThreadCpuMs} from '../rig/proc.ts';
import {Project} from '../rig/project.ts';

const RUNNERS = 5;
/** Events a second of each agent. */
const RATES = [20, 200, 2_000];
const SETTLE_MS = 500;

interface Window {
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
    const forMs = full ? 10_000 : 1_500;
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
        cpuMsPerSecond: (mainThreadCpuMs(supervisor.pid) - cpuBefore) / seconds,
        eventsPerSecond: ((await project.eventsSent()) - sentBefore) / seconds,
      };
    };
    const silence = await window(0);
    const rows: Row[] = [];
    let before: number | null = null;
    for (const rate of RATES) {
      const {cpuMsPerSecond, eventsPerSecond} = await window(rate);
      const cost = ((cpuMsPerSecond - silence.cpuMsPerSecond) * 1000) / eventsPerSecond;
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
