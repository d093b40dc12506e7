import {fork} from 'node:child_process';
import {once} from 'node:events';
import {setTimeout as sleep} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';
import {inTurn, type Measure} from '../measure.ts';
import {BuiltSupervisor} from '../rig/built-supervisor.ts';
import {Project} from '../rig/project.ts';

const DEAF_HOST = fileURLToPath(new URL('../rig/deaf-host.ts', import.meta.url));
const EVENTS_PER_SECOND = 200;
const SETTLE_MS = 1_000;

/**
 * How late the supervisor's main thread is while agents stream. On a machine with few cores most of that
 * is waiting for one, hence the floor: the same runners, agents and rate under a host that does nothing.
 */
export const loopLag: Measure = {
  name: 'loop-lag',
  isGuarded: false,
  take: async ({full}) => {
    const runners = full ? 50 : 10;
    const forMs = full ? 15_000 : 2_500;
    const {value, floor} = await inTurn(
      full ? 3 : 1,
      () => lagOfSupervisor(runners, forMs),
      () => lagOfDeafHost(runners, forMs),
    );
    return [
      {
        measure: `event-loop delay of the main thread (p99), ${runners} runners × ${EVENTS_PER_SECOND} events/s`,
        value: {amount: value, unit: 'ms'},
        floor: {amount: floor, unit: 'ms'},
        aim: {is: 'more', atMost: 10},
      },
    ];
  },
};

async function lagOfSupervisor(runners: number, forMs: number): Promise<number> {
  await using project = await streaming(runners);
  await using supervisor = new BuiltSupervisor(project);
  await project.noted('turn', runners);
  await sleep(SETTLE_MS);
  await supervisor.lagSinceLast();
  const before = await project.eventsSent();
  await sleep(forMs);
  const lag = await supervisor.lagSinceLast();
  await assertRate(project, before, runners, forMs);
  return lag;
}

async function lagOfDeafHost(runners: number, forMs: number): Promise<number> {
  await using project = await streaming(runners);
  const env = {...process.env, HOME: project.home};
  const host = fork(DEAF_HOST, [project.path, String(runners)], {env});
  await project.noted('turn', runners);
  await sleep(SETTLE_MS);
  host.send('begin');
  const before = await project.eventsSent();
  await sleep(forMs);
  host.send('end');
  const [lag] = (await once(host, 'message')) as [number];
  await assertRate(project, before, runners, forMs);
  await once(host, 'exit');
  return lag;
}

async function streaming(runners: number): Promise<Project> {
  const project = await Project.make('stay', runners);
  await project.setRate(EVENTS_PER_SECOND);
  await project.addIssues(1, runners);
  return project;
}

/** A machine that cannot keep the rate up does not measure what the row says. */
async function assertRate(project: Project, before: number, runners: number, forMs: number) {
  const rate = ((await project.eventsSent()) - before) / (forMs / 1000) / runners;
  if (rate < EVENTS_PER_SECOND / 2) {
    throw new Error(`the agents streamed ${rate.toFixed(0)} events a second each, not 200`);
  }
}
