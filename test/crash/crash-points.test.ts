import assert from 'node:assert/strict';
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {readdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {fileURLToPath} from 'node:url';
import {findProcesses} from '@symphony-supervisor/protocol/processes';
import {aProject, reaches, SupervisorRig} from '../rig/supervisor.ts';
import {until} from '../rig/survivors.ts';

const AGENT = fileURLToPath(new URL('../../scripts/dist/scripted-agent.js', import.meta.url));
const CRASHING = fileURLToPath(new URL('./crashing.ts', import.meta.url));

/** Notes when two of it work at once, then does the work and says so in the tracker. */
const SCRIPT = [
  [
    {
      run: 'mkdir ../../working || echo twice >> ../../twice; sleep 0.2; echo hi > done; rmdir ../../working',
    },
    {tool: 'update_issue', arguments: {state: 'Done'}},
  ],
];
/** Beyond the last write that one issue causes. */
const MOST_POINTS = 80;

test('killed at every write to the store, and between each write and its effect: nothing is lost', async (t) => {
  for (let point = 1; point <= MOST_POINTS; point++) {
    let isReached = true;
    await t.test(`crash point ${point}`, async () => {
      isReached = await crashAt(point);
    });
    if (!isReached) return;
  }
  assert.fail(`one issue writes more than ${MOST_POINTS / 2} times`);
});

/** False when the work was done before the supervisor came to that point. */
async function crashAt(point: number): Promise<boolean> {
  const script = JSON.stringify(SCRIPT).replaceAll("'", `'\\''`);
  const command = `'${process.execPath}' '${AGENT}' --home "$HOME/agents" --script-json '${script}'`;
  await using project = await aProject(command, ['T-1'], {
    tracker: {kind: 'file', in_progress_state: 'In Progress'},
    hooks: {after_run: 'rmdir ../../working 2>/dev/null; true'},
  });
  const crashing = spawn(
    process.execPath,
    ['--import', 'tsx', CRASHING, project.path, String(point)],
    {env: {...process.env, HOME: project.path}, stdio: 'inherit'},
  );
  const exited = once(crashing, 'exit');
  const isOver = await Promise.race([
    exited.then(() => false),
    cleanedUp(project.path).then(() => true),
  ]);
  if (isOver) {
    crashing.kill('SIGKILL');
    await exited;
  }

  await using supervisor = new SupervisorRig(project.path);
  await supervisor.logged('supervisor.started');
  await reaches(project.path, 'T-1', 'Done');
  await cleanedUp(project.path);
  supervisor.process.kill('SIGTERM');
  assert.equal((await supervisor.exited).code, 0);
  await assert.rejects(readFile(join(project.path, 'twice')), {code: 'ENOENT'});
  const left = findProcesses({roots: [], markers: [`HOME=${project.path}`], except: [process.pid]});
  assert.deepEqual(left, [], 'a process of a former life is alive');
  return !isOver;
}

/** The issue is over and its workspace is gone. */
async function cleanedUp(folder: string): Promise<void> {
  await reaches(folder, 'T-1', 'Done');
  const gone = await until(async () => {
    const names = await readdir(join(folder, 'workspaces')).catch(() => ['?']);
    return names.includes('T-1') || names.includes('?') ? null : true;
  });
  assert.ok(gone, 'the workspace was never removed');
}
