import assert from 'node:assert/strict';
import {randomUUID} from 'node:crypto';
import {once} from 'node:events';
import fs from 'node:fs';
import {syncBuiltinESMExports} from 'node:module';
import {type TestContext, test} from 'node:test';
import {isAlive} from '@symphony-supervisor/protocol/processes';
import {aFolder} from '../../../test/rig/fixtures/folder.ts';
import {noted} from '../../../test/rig/survivors.ts';
import {RunProcesses} from '../src/processes/run-processes.ts';

const onLinux = {skip: process.platform === 'linux' ? false : 'reads /proc'};
const GRACE_MS = 1000;

/** Whose environments are read from now on. */
function lookedAt(t: TestContext): string[] {
  const paths: string[] = [];
  const read = fs.readFileSync;
  t.mock.method(fs, 'readFileSync', (path: string, options: 'utf8') => {
    if (path.endsWith('/environ')) paths.push(path);
    return read(path, options);
  });
  syncBuiltinESMExports();
  t.after(() => {
    t.mock.restoreAll();
    syncBuiltinESMExports();
  });
  return paths;
}

function aRun(cwd: string) {
  const processes = new RunProcesses(randomUUID(), [], 'plain');
  const env = {PATH: process.env.PATH ?? ''};
  const start = async (script: string) => {
    const step = processes.start({shell: 'sh', script, cwd, env});
    step.child.stdout.resume();
    await once(step.child, 'exit');
    return step;
  };
  return {processes, start};
}

/** A process that outlives its shell and holds none of its pipes. */
function leaves(file: string): string {
  return `sleep 1000 </dev/null >/dev/null 2>&1 & echo $! >> '${file}'`;
}

test(
  'what one step has left lives on when another ends, and ends with the run',
  onLinux,
  async () => {
    await using folder = await aFolder();
    const {processes, start} = aRun(folder.path);
    await start(leaves(`${folder.path}/first`));
    const second = await start(leaves(`${folder.path}/second`));
    const first = await noted(`${folder.path}/first`, 1);
    const others = await noted(`${folder.path}/second`, 1);
    await processes.endStep(second, GRACE_MS);
    assert.deepEqual([...first, ...others].map(isAlive), [true, false]);
    assert.deepEqual(await processes.endAll(GRACE_MS), []);
    assert.deepEqual(first.map(isAlive), [false]);
  },
);

test(
  'what bears a mark that was told later, or was started after an end, ends with the run',
  onLinux,
  async () => {
    await using folder = await aFolder();
    const {processes, start} = aRun(folder.path);
    const pids = `${folder.path}/pids`;
    const mark = `THREAD=${randomUUID()}`;
    const stripped = await start(`env -i ${mark} sh -c "${leaves(pids).replace('$!', '\\$!')}"`);
    const [marked] = await noted(pids, 1);
    assert.ok(marked !== undefined);
    await processes.endStep(stripped, GRACE_MS);
    assert.equal(isAlive(marked), true);
    processes.alsoMarkedBy(mark);
    assert.deepEqual(await processes.endAll(GRACE_MS), []);
    assert.equal(isAlive(marked), false);

    await start(leaves(`${pids}2`));
    const later = await noted(`${pids}2`, 1);
    assert.deepEqual(await processes.endAll(GRACE_MS), []);
    assert.deepEqual(later.map(isAlive), [false]);
  },
);

test('a job that started nothing looks at nobody', onLinux, async (t) => {
  const {processes} = aRun('/');
  const paths = lookedAt(t);
  assert.deepEqual(await processes.endAll(GRACE_MS), []);
  assert.deepEqual(paths, []);
});
