import {type ChildProcess, fork} from 'node:child_process';
import {once} from 'node:events';
import {setTimeout as sleep} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';
import {inTurn, type Measure} from '../measure.ts';
import {BuiltSupervisor} from '../rig/built-supervisor.ts';
import {childrenOf, pssMb} from '../rig/proc.ts';
import {Project} from '../rig/project.ts';

const EMPTY = fileURLToPath(new URL('../rig/empty.mjs', import.meta.url));
const RUNNERS = 10;
/** Ten seconds: on a busy machine the snapshot takes as long. */
const MOST_LOOKS = 100;
/** As a talkative agent streams. */
const EVENTS_PER_SECOND = 50;
/** What a start needed is let go of only some time later. */
const SETTLE_MS = {short: 2_000, full: 20_000};

/** What the isolation of each run in a process takes, all of them alive at the same time. */
export const memory: Measure = {
  name: 'memory',
  isGuarded: true,
  take: async ({full}) => {
    await using project = await Project.make('stay', RUNNERS);
    await project.setRate(EVENTS_PER_SECOND);
    await project.addIssues(1, RUNNERS);
    await using supervisor = new BuiltSupervisor(project);
    const idle = Array.from({length: RUNNERS}, () => fork(EMPTY, {execArgv: []}));
    await Promise.all(idle.map((child) => once(child, 'message')));
    await project.noted('turn', RUNNERS);
    await sleep(full ? SETTLE_MS.full : SETTLE_MS.short);
    const ofAll = async (pids: readonly (number | undefined)[]) => {
      await sleep(100);
      return pids.reduce<number>((sum, pid) => sum + (pid === undefined ? 0 : pssMb(pid)), 0);
    };
    const runners = await settled(() => childrenOf(supervisor.pid));
    const pidOf = ({pid}: ChildProcess) => pid;
    const {value, floor} = await inTurn(
      5,
      () => ofAll(runners),
      () => ofAll(idle.map(pidOf)),
    );
    for (const child of idle) child.disconnect();
    return [
      {
        measure: `memory (PSS) of ${RUNNERS} runners in a turn`,
        value: {amount: value, unit: 'MB'},
        floor: {amount: floor, unit: 'MB'},
        aim: {is: 'times', atMost: 1.5},
      },
    ];
  },
};

/** The process that makes the snapshot for later runners is a child of the supervisor, too, until it is done. */
async function settled(childrenNow: () => readonly number[]): Promise<readonly number[]> {
  for (let look = 0; look < MOST_LOOKS; look++) {
    const children = childrenNow();
    if (children.length === RUNNERS) return children;
    await sleep(100);
  }
  throw new Error(`${childrenNow().length} runners`);
}
