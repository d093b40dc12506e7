import assert from 'node:assert/strict';
import {once} from 'node:events';
import {readdir} from 'node:fs/promises';
import {createInterface} from 'node:readline';
import {text} from 'node:stream/consumers';
import {test} from 'node:test';
import {findProcesses} from '@symphony-supervisor/protocol/processes';
import {ending} from '../rig/ending.ts';
import {aFolder} from '../rig/fixtures/folder.ts';
import {startSupervisorCommand, supervisorCommand} from '../rig/supervisor-command.ts';

test('the demo: six issues go from Todo to Done with real commits, and nothing is left behind', async () => {
  await using folder = await aFolder();
  const env = {TMPDIR: folder.path, HOME: folder.path};
  const {code, stdout, stderr} = await supervisorCommand(['demo'], {cwd: folder.path, env});
  assert.equal(code, 0, stderr);
  for (const number of [1, 2, 3, 4, 5, 6]) {
    const id = `DEMO-${number}`;
    assert.match(stdout, new RegExp(`^${id} {2}Todo → In Progress`, 'm'));
    assert.match(stdout, new RegExp(`^${id} +[\\d–] +Done .*[0-9a-f]{7,} ${id}: `, 'm'));
  }
  const line = (text: RegExp) => stdout.split('\n').findIndex((found) => text.test(found));
  assert.ok(
    line(/^DEMO-3 {2}Todo →/) > line(/^DEMO-2 .*→ Done/),
    'a blocked issue was begun too soon',
  );
  assert.match(stdout, /^DEMO-4 {2}failed, will be retried \(attempt 1\)/m);
  assert.match(stdout, /^DEMO-5 {2}held, needs input: Which colour/m);
  assert.deepEqual(await readdir(folder.path), []);
  const markers = [`HOME=${folder.path}`];
  assert.deepEqual(findProcesses({roots: [], markers, except: [process.pid]}), []);
});

test('demo --agent codex without a Codex: one clear message, exit 1, nothing is made', async () => {
  await using folder = await aFolder();
  const env = {TMPDIR: folder.path, HOME: folder.path, PATH: '/usr/bin:/bin'};
  const {code, stdout, stderr} = await supervisorCommand(['demo', '--agent', 'codex'], {
    cwd: folder.path,
    env,
  });
  assert.equal(code, 1);
  assert.equal(stdout, '');
  assert.match(stderr, /^symphony-supervisor: the real Codex cannot be used: agent_not_found/);
  assert.match(stderr, /npm install -g @openai\/codex/);
  assert.deepEqual(await readdir(folder.path), []);
});

test('a demo that is ended before its time says so, exit 1, nothing is left behind', async () => {
  await using folder = await aFolder();
  const env = {TMPDIR: folder.path, HOME: folder.path};
  const demo = startSupervisorCommand(['demo'], {cwd: folder.path, env});
  await using _end = ending(demo);
  const begun = async () => {
    // To its end: a pipe that nobody reads would hold it up.
    let isTold = false;
    for await (const line of createInterface({input: demo.stdout})) {
      // Once: a second signal would end it by force, without a word.
      if (!isTold && line.includes('Todo → In Progress')) isTold = demo.kill('SIGTERM');
    }
  };
  const [stderr, [code]] = await Promise.all([text(demo.stderr), once(demo, 'exit'), begun()]);
  assert.equal(code, 1);
  assert.match(stderr, /the demo ended before its issues were done/);
  assert.deepEqual(await readdir(folder.path), []);
});
