import {inTurn, type Measure} from '../measure.ts';
import {BuiltSupervisor} from '../rig/built-supervisor.ts';
import {Project} from '../rig/project.ts';

/**
 * From the start of the supervisor until every agent has its turn: after a kill −9 with all of them
 * running, beside a first start with as many candidates.
 */
export const restart: Measure = {
  name: 'restart',
  isGuarded: true,
  take: async ({full}) => {
    const running = full ? 20 : 6;
    const {value, floor} = await inTurn(
      full ? 5 : 2,
      () => untilAllRun(running, true),
      () => untilAllRun(running, false),
    );
    return [
      {
        measure: `restart after kill −9 with ${running} running, until all run again`,
        value: {amount: value, unit: 'ms'},
        floor: {amount: floor, unit: 'ms'},
        aim: {is: 'times', atMost: 1.5},
      },
    ];
  },
};

async function untilAllRun(running: number, again: boolean): Promise<number> {
  await using project = await Project.make('stay', running);
  await project.addIssues(1, running);
  if (again) {
    const former = new BuiltSupervisor(project);
    await project.noted('turn', running);
    await former.kill();
  }
  await using supervisor = new BuiltSupervisor(project);
  const turns = await project.noted('turn', again ? 2 * running : running);
  return Math.max(...turns.map(({at}) => at)) - supervisor.startedAt;
}
