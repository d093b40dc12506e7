import {type ChildProcess, fork, spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdir} from 'node:fs/promises';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {inTurn, type Measure} from '../measure.ts';
import {BuiltSupervisor} from '../rig/built-supervisor.ts';
import {Project, until} from '../rig/project.ts';
import {runs} from '../rig/store-file.ts';

/** The first finds nothing loaded; after the fourth a snapshot is made, from which the later ones start. */
const WARM_UP = 8;
const EMPTY = fileURLToPath(new URL('../rig/empty.mjs', import.meta.url));

/**
 * From the reservation of a slot to the agent's `initialize`: a look at the issue, a write to the
 * store, the fork, the workspace, the login shell. At best that is a process and then another.
 */
export const startRun: Measure = {
  name: 'start-run',
  isGuarded: true,
  take: async ({full}) => {
    await using project = await Project.make('instant', 1);
    await using supervisor = new BuiltSupervisor(project);
    await supervisor.url();
    let number = 0;
    const ours = () => startedBySupervisor(project, ++number);
    for (let nth = 0; nth < WARM_UP; nth++) await ours();
    const byHand = () => startedByHand(project, `hand-${++number}`);
    const {value, floor} = await inTurn(full ? 25 : 9, ours, byHand);
    return [
      {
        measure: 'start of a run, until the agent receives `initialize`',
        value: {amount: value, unit: 'ms'},
        floor: {amount: floor, unit: 'ms'},
        aim: {is: 'times', atMost: 1.5},
      },
    ];
  },
};

async function startedBySupervisor(project: Project, number: number): Promise<number> {
  await project.addIssues(number, number);
  const issue = `B-${number}`;
  const run = await until(`the end of ${issue}`, async () => {
    const found = runs(project.path).find(({identifier}) => identifier === issue);
    return found === undefined || found.ended_at === null ? null : found;
  });
  return (await heardAt(project, issue)) - run.started_at;
}

async function startedByHand(project: Project, name: string): Promise<number> {
  const cwd = join(project.path, name);
  await mkdir(cwd);
  const env = {...process.env, HOME: project.home};
  const startedAt = Date.now();
  const child = fork(EMPTY, {env, execArgv: []});
  await once(child, 'message');
  const agent = spawn('bash', ['-lc', project.agent], {
    cwd,
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  agent.stdin.write('{"method":"initialize","id":0,"params":{}}\n');
  await once(agent.stdout, 'data');
  agent.stdin.end();
  child.disconnect();
  await Promise.all([gone(agent), gone(child)]);
  return (await heardAt(project, name)) - startedAt;
}

async function heardAt(project: Project, issue: string): Promise<number> {
  const note = (await project.notes('initialize')).find((found) => found.issue === issue);
  if (note === undefined) throw new Error(`the agent of ${issue} noted nothing`);
  return note.at;
}

async function gone(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}
