import assert from 'node:assert/strict';
import {execFile} from 'node:child_process';
import {join} from 'node:path';
import {test} from 'node:test';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import {findProcesses, identify, isAlive} from '@symphony-supervisor/protocol/processes';
import {AgentPuppet} from '@symphony-supervisor/scripts/puppet';
import {aFolder} from '../rig/fixtures/folder.ts';
import {aProject, reaches} from '../rig/supervisor.ts';
import {until} from '../rig/survivors.ts';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PM2 = join(ROOT, 'test/pm2/node_modules/pm2/bin/pm2');

/** A pm2 of its own, gone with the test. */
async function aPm2(project: string) {
  const home = await aFolder();
  const env = {...process.env, HOME: project, PM2_HOME: home.path, PM2_DISCRETE_MODE: 'true'};
  const pm2 = (...args: string[]) => run(process.execPath, [PM2, ...args], {cwd: project, env});
  const status = async (): Promise<{status: string; restarts: number}> => {
    const [app] = JSON.parse((await pm2('jlist')).stdout.replace(/^[^[]*/, ''));
    return {status: app.pm2_env.status, restarts: app.pm2_env.restart_time};
  };
  return {
    pm2,
    status,
    async [Symbol.asyncDispose]() {
      await pm2('kill').catch(() => {});
      await home[Symbol.asyncDispose]();
    },
  };
}

function left(project: string): unknown[] {
  return findProcesses({roots: [], markers: [`HOME=${project}`], except: [process.pid]}).filter(
    (found) => isRunnerOrAgent(found),
  );
}

function isRunnerOrAgent({pid}: {pid: number}): boolean {
  const found = identify(pid);
  return found !== null && isAlive(found);
}

test('pm2 starts, reloads and stops it with a run in flight, and nothing is lost', async () => {
  await using puppet = await AgentPuppet.listen();
  await using project = await aProject(puppet.command, ['T-1']);
  await using pm2 = await aPm2(project.path);

  await pm2.pm2('start', join(ROOT, 'ecosystem.config.cjs'));
  assert.deepEqual(await pm2.status(), {status: 'online', restarts: 0});
  const first = await puppet.nextTurn();
  await first.runs('echo one > one.txt');

  await pm2.pm2('reload', 'symphony-supervisor');
  assert.equal(
    first.agent.received('turn/interrupt').length,
    1,
    'it was not asked to end its turn',
  );
  const second = await puppet.nextTurn();
  assert.equal(second.threadId, first.threadId);
  assert.equal((await pm2.status()).status, 'online');

  await pm2.pm2('stop', 'symphony-supervisor');
  assert.equal((await pm2.status()).status, 'stopped');
  await second.agent.gone;

  await pm2.pm2('start', 'symphony-supervisor');
  const third = await puppet.nextTurn();
  assert.equal(third.threadId, first.threadId);
  assert.equal((await third.runs('cat one.txt')).output.trim(), 'one');
  await third.callsTool('update_issue', {state: 'Done'});
  await third.completes();
  await reaches(project.path, 'T-1', 'Done');

  await pm2.pm2('delete', 'symphony-supervisor');
  await pm2.pm2('kill');
  const gone = await until(async () => (left(project.path).length === 0 ? true : null));
  assert.ok(gone, `still alive: ${JSON.stringify(left(project.path))}`);
});

test('what a restart cannot mend is not tried again', async () => {
  await using project = await aProject('false', [], {agent: {max_turns: 0}});
  await using pm2 = await aPm2(project.path);
  await pm2.pm2('start', join(ROOT, 'ecosystem.config.cjs')).catch(() => {});
  const stopped = await until(async () => {
    const {status, restarts} = await pm2.status();
    return status === 'stopped' ? {restarts} : null;
  });
  assert.deepEqual(stopped, {restarts: 0});
});
