import assert from 'node:assert/strict';
import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {AgentPuppet} from '@symphony-supervisor/scripts/puppet';
import {aFolder} from '../rig/fixtures/folder.ts';
import {aProbe} from '../rig/fixtures/job.ts';
import {RunnerRig} from '../rig/runner.ts';

async function probe(args: string[], fields: Parameters<typeof aProbe>[1] = {}) {
  await using folder = await aFolder();
  await using puppet = await AgentPuppet.listen({args});
  await using runner = new RunnerRig(
    aProbe(folder.path, {agent: {command: puppet.command, ...fields.agent}}),
  );
  const {result} = await runner.heard('probed');
  await runner.exited;
  return result;
}

test('a probe tells the version and that the agent is logged in', async () => {
  assert.deepEqual(await probe([]), {version: '0.166.0', logged_in: true, failure: null});
});

test('an agent that is not logged in is a failure of the host', async () => {
  const {logged_in, failure} = await probe(['--not-logged-in']);
  assert.equal(logged_in, false);
  assert.equal(failure?.code, 'unauthorized');
  assert.match(failure?.message ?? '', /codex login/);
});

test('an agent that is missing, mute or broken is told apart', async () => {
  const missing = await probe([], {agent: {command: 'no-such-agent-here'}});
  assert.equal(missing.failure?.code, 'agent_not_found');
  assert.match(missing.failure?.message ?? '', /no-such-agent-here/);
  const mute = await probe(['--silent'], {agent: {read_timeout_ms: 2000}});
  assert.equal(mute.failure?.code, 'response_timeout');
  const broken = await probe(['--fail-initialize']);
  assert.equal(broken.failure?.code, 'agent_incompatible');
});

test('with login shells, a profile that takes the time is named instead of the agent', async () => {
  await using folder = await aFolder();
  const fails = async (profile: string) => {
    await writeFile(join(folder.path, '.profile'), profile);
    const job = aProbe(folder.path, {
      shell: 'login',
      agent: {command: 'sleep 600', read_timeout_ms: 2500},
    });
    await using runner = new RunnerRig(job, {}, {HOME: folder.path});
    const {failure} = (await runner.heard('probed')).result;
    assert.equal(failure?.code, 'response_timeout');
    return failure?.message ?? '';
  };
  assert.match(await fails('sleep 600'), /not started: the login profile had not ended after 2500/);
  assert.match(
    await fails(''),
    /initialize within 2500 ms, of which the login profile took \d+ ms/,
  );
});
