import {type Measure, median} from '../measure.ts';
import {BuiltSupervisor} from '../rig/built-supervisor.ts';
import {Project, until} from '../rig/project.ts';
import {runs} from '../rig/store-file.ts';
import {wave} from '../rig/wave.ts';

/**
 * A queue of issues with an agent that takes no time, from the start of the supervisor until the last
 * run is on record as ended. At best that is as many waves of bare attempts as the slots allow. A
 * wave is measured as one, all its attempts side by side: they share the machine's cores.
 */
export const throughput: Measure = {
  name: 'throughput',
  isGuarded: false,
  take: async ({full}) => {
    const [issues, concurrency] = full ? [200, 20] : [40, 10];
    await using project = await Project.make('instant', concurrency);
    const waves: number[] = [];
    const sampleWaves = async () => {
      for (let sample = 0; sample < (full ? 3 : 1); sample++) {
        waves.push(await wave(project, concurrency));
      }
    };
    await sampleWaves();
    await project.addIssues(1, issues);
    const done = await allDone(project, issues);
    await sampleWaves();
    return [
      {
        measure: `${issues} issues, ${concurrency} at a time, from start to all done`,
        value: {amount: done, unit: 'ms'},
        floor: {amount: Math.ceil(issues / concurrency) * median(waves), unit: 'ms'},
        aim: {is: 'times', atMost: 1.5},
      },
    ];
  },
};

async function allDone(project: Project, issues: number): Promise<number> {
  await using supervisor = new BuiltSupervisor(project);
  await project.noted('turn', issues);
  const ends = await until('the last run to be on record', async () => {
    const found = runs(project.path).flatMap(({ended_at}) => ended_at ?? []);
    return found.length >= issues ? found : null;
  });
  if (ends.length > issues) throw new Error(`${ends.length} runs for ${issues} issues`);
  return Math.max(...ends) - supervisor.startedAt;
}
