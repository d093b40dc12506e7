import assert from 'node:assert/strict';
import {execFile} from 'node:child_process';
import {chmod, mkdir, readdir} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {promisify} from 'node:util';
import {AgentPuppet} from '@symphony-supervisor/scripts/puppet';
import {aProject, SupervisorRig} from '../rig/supervisor.ts';

const run = promisify(execFile);

/** On every Linux and macOS, whatever its name. */
const NOBODY = 65_534;
const skip = process.getuid?.() === 0 ? false : 'only root can act as another user';

/** Tries to list, read, write and connect to every path given; prints those where anything works. */
const INTRUDER = `
  const {closeSync, openSync, readdirSync} = require('node:fs');
  const {connect} = require('node:net');
  const works = (attempt) => { try { attempt(); return true; } catch { return false; } };
  const open = (path, flags) => works(() => closeSync(openSync(path, flags)));
  const reaches = (path) => new Promise((resolve) => {
    const socket = connect(path, () => { socket.destroy(); resolve(true); });
    socket.on('error', () => resolve(false));
  });
  (async () => {
    const got = [];
    for (const path of JSON.parse(process.argv[1])) {
      const [isListed, isRead, isWritten] = [works(() => readdirSync(path)), open(path, 'r'), open(path, 'r+')];
      if (isListed || isRead || isWritten || (await reaches(path))) got.push(path);
    }
    console.log(JSON.stringify(got));
  })();`;

/** What of these paths another user of the machine gets at. */
async function exposed(paths: readonly string[]): Promise<string[]> {
  const args = ['-e', INTRUDER, JSON.stringify(paths)];
  const who = {uid: NOBODY, gid: NOBODY, cwd: '/'};
  const {stdout} = await run(process.execPath, args, who);
  return JSON.parse(stdout);
}

async function allBelow(folder: string): Promise<string[]> {
  const names = await readdir(folder, {recursive: true});
  return names.map((name) => join(folder, name));
}

/** Looks while a run has a transcript, and the supervisor has the most generous umask. */
async function duringARun(
  makeStateDir: (path: string) => Promise<unknown>,
  look: (folder: string, state: string) => Promise<void>,
): Promise<void> {
  await using puppet = await AgentPuppet.listen();
  await using folder = await aProject(puppet.command, ['T-1']);
  await chmod(folder.path, 0o777);
  const state = join(folder.path, '.symphony');
  await makeStateDir(state);
  const umask = process.umask(0);
  await using supervisor = new SupervisorRig(folder.path, ['--port', '0']);
  process.umask(umask);
  const turn = await puppet.nextTurn();
  await turn.says('a secret of the project');
  await supervisor.shows('the message', ({running}) => running[0]?.last_message != null);
  await look(folder.path, state);
}

const PRECIOUS = [
  ...['symphony.db', 'symphony.db-wal', 'control-token', 'read-token', 'control.sock'],
  ...['logs', 'logs/supervisor.log'],
];

test('another user gets at nothing of the state folder, nor of what is beside the workspaces', {
  skip,
}, async () => {
  const none = async () => {};
  await duringARun(none, async (folder, state) => {
    const paths = await allBelow(state);
    for (const name of PRECIOUS) assert.ok(paths.includes(join(state, name)), `no ${name}`);
    assert.ok(paths.some((path) => path.endsWith('.jsonl')));
    const beside = join(folder, 'workspaces/.symphony');
    const workflow = join(folder, 'WORKFLOW.md');
    const all = [workflow, state, ...paths, beside, ...(await allBelow(beside))];
    assert.deepEqual(await exposed(all), [workflow], 'the workflow file is for everybody');
  });
});

test('in a state folder that everybody may enter, files are for their owner', {skip}, async () => {
  const openToAll = async (path: string) => {
    await mkdir(path);
    await chmod(path, 0o755);
  };
  await duringARun(openToAll, async (_folder, state) => {
    const paths = await allBelow(state);
    assert.deepEqual(await exposed([state, ...paths]), [state, join(state, '.gitignore')]);
  });
});
