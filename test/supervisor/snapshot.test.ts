import assert from 'node:assert/strict';
import {existsSync} from 'node:fs';
import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {fileURLToPath} from 'node:url';
import {AgentPuppet} from '@symphony-supervisor/scripts/puppet';
import {RunnerSnapshot} from '../../packages/orchestrator/src/shell/host/local/runner-snapshot.ts';
import {aProject, SupervisorRig} from '../rig/supervisor.ts';
import {until} from '../rig/survivors.ts';

const RUNNER = fileURLToPath(
  new URL('../../packages/orchestrator/dist/runner.cjs', import.meta.url),
);

/** One that the next supervisor in this state dir finds. */
async function aSnapshot(stateDir: string): Promise<string> {
  const snapshot = new RunnerSnapshot({
    ...{runnerPath: RUNNER, folder: join(stateDir, 'snapshot'), environment: process.env},
    log: (_level, fields) => assert.fail(JSON.stringify(fields)),
  });
  for (let start = 0; start < 11; start++) snapshot.forNextRunner();
  const file = await until(async () => snapshot.forNextRunner());
  assert.ok(file !== null);
  return file;
}

test('a snapshot of another version of Node: runners start without it, and the log says so', async () => {
  await using puppet = await AgentPuppet.listen();
  await using folder = await aProject(puppet.command, ['T-1']);
  const file = await aSnapshot(join(folder.path, '.symphony'));
  const bytes = await readFile(file);
  // Node writes its version to the head of the file, and compares it.
  const versionAt = bytes.subarray(0, 100).indexOf(process.versions.node);
  assert.ok(versionAt >= 0);
  bytes.write('19', versionAt);
  await writeFile(file, bytes);

  await using supervisor = new SupervisorRig(folder.path);
  const turn = await puppet.nextTurn();
  await turn.callsTool('update_issue', {state: 'Done'});
  await turn.completes();
  await supervisor.logged('claim.released', 'p/T-1');
  const told = supervisor.log.filter(({event}) => event === 'runner_snapshot.failed');
  assert.equal(told.length, 1);
  assert.match(told[0]?.reason ?? '', /Failed to load the startup snapshot.*19\./s);
  assert.equal(existsSync(file), false, 'the next life makes another');
  assert.deepEqual(
    supervisor.log.filter(({event}) => event === 'run.failed'),
    [],
  );
});
