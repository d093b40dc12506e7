import assert from 'node:assert/strict';
import {mkdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {aFolder} from '../../../../../../test/rig/fixtures/folder.ts';
import {aFinishing} from '../../../../../../test/rig/fixtures/job.ts';
import {Listening} from './listening.ts';

test('certificates are for what a runner starts, and cost its own start nothing', async () => {
  await using folder = await aFolder();
  await mkdir(join(folder.path, 'ws', 'ABC-1'), {recursive: true});
  const hooks = {after_run: `env > '${folder.path}/seen'`};
  const environment = {NODE_EXTRA_CA_CERTS: '/etc/certificates.pem'};
  await using finishing = new Listening(aFinishing(folder.path, {hooks}), {environment});
  const {pid} = await finishing.heard('hello');
  const own = await readFile(`/proc/${pid}/environ`, 'latin1');
  assert.doesNotMatch(own, /(^|\0)NODE_EXTRA_CA_CERTS=/);
  assert.equal((await finishing.runner.exited).how, 'exit code 0');
  const seen = (await readFile(join(folder.path, 'seen'), 'utf8')).split('\n');
  const named = seen.filter((line) => line.includes('EXTRA_CA_CERTS'));
  assert.deepEqual(named, ['NODE_EXTRA_CA_CERTS=/etc/certificates.pem']);
});

test('out of memory, a machine ends what runs before what supervises', {
  skip: process.platform === 'linux' ? false : 'only Linux has a score for it',
}, async () => {
  await using folder = await aFolder();
  await mkdir(join(folder.path, 'ws', 'ABC-1'), {recursive: true});
  const hooks = {after_run: `cat /proc/self/oom_score_adj > '${folder.path}/seen'`};
  await using finishing = new Listening(aFinishing(folder.path, {hooks}), {environment: {}});
  assert.equal((await finishing.runner.exited).how, 'exit code 0');
  const seen = Number(await readFile(join(folder.path, 'seen'), 'utf8'));
  const ours = Number(await readFile('/proc/self/oom_score_adj', 'utf8'));
  assert.ok(seen > ours && seen >= 500, `${seen} and ${ours}`);
});
