import assert from 'node:assert/strict';
import {mkdir, readdir, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {AgentPuppet} from '@symphony-supervisor/scripts/puppet';
import {aFolder} from '../rig/fixtures/folder.ts';
import {anAttempt} from '../rig/fixtures/job.ts';
import {RunnerRig} from '../rig/runner.ts';

const SECRET = 'tracker-secret-4711';

test('a secret of the tracker reaches no child, no report and no transcript, whoever exports it', async () => {
  await using folder = await aFolder();
  await using puppet = await AgentPuppet.listen();
  const home = join(folder.path, 'home');
  await mkdir(home);
  for (const profile of ['.profile', '.bash_profile']) {
    await writeFile(
      join(home, profile),
      `export LINEAR_API_KEY=${SECRET}\nexport FROM_PROFILE=1\n`,
    );
  }
  const dump = (name: string) => `env > '${folder.path}/${name}'`;
  const job = anAttempt(folder.path, {
    agent: {command: `${dump('agent')}; exec ${puppet.command}`},
    hooks: {
      after_create: dump('after_create'),
      before_run: dump('before_run'),
      after_run: dump('after_run'),
    },
    secret_names: ['LINEAR_API_KEY'],
    agent_env: ['*'],
    shell: 'login',
  });
  await using runner = new RunnerRig(job, {}, {HOME: home, LINEAR_API_KEY: SECRET});
  const turn = await puppet.nextTurn();
  const environ = await readFile(`/proc/${turn.agent.pid}/environ`, 'utf8');
  const shell = await turn.runs('env');
  await turn.completes();
  assert.equal((await runner.result()).outcome, 'succeeded');

  const dumps = ['agent', 'after_create', 'before_run', 'after_run'];
  for (const name of dumps) {
    const seen = await readFile(join(folder.path, name), 'utf8');
    assert.match(seen, /^FROM_PROFILE=1$/m, `${name} did not read the profile`);
    assert.doesNotMatch(seen, new RegExp(SECRET), name);
  }
  assert.doesNotMatch(environ, new RegExp(SECRET));
  assert.doesNotMatch(shell.output, new RegExp(SECRET));
  assert.doesNotMatch(await readFile(job.transcript_path, 'utf8'), new RegExp(SECRET));
  assert.doesNotMatch(JSON.stringify(runner.reports), new RegExp(SECRET));
});

test('what looks like a token is masked in reports and transcript, however it comes', async () => {
  await using folder = await aFolder();
  await using puppet = await AgentPuppet.listen();
  const token = `ghp_${'aB3'.repeat(12)}`;
  const named = 'value-of-a-named-variable';
  const job = anAttempt(folder.path, {
    agent: {command: puppet.command},
    hooks: {before_run: `echo ${token}; echo $SOME_TOKEN`, after_run: `echo ${token} >&2; exit 1`},
  });
  await using runner = new RunnerRig(job, {}, {SOME_TOKEN: named});
  const turn = await puppet.nextTurn();
  const {threadId, id: turnId} = turn;
  for (const delta of ['the token is ', token.slice(0, 9), token.slice(9), ' and more']) {
    const params = {threadId, turnId, itemId: 'm1', delta};
    await turn.notifies('item/agentMessage/delta', params);
    await turn.notifies('thread/status/changed', {threadId, status: {type: 'active'}});
  }
  await turn.says(`again ${token}, and ${named}`);
  await turn.performs({stderr: `${token}\n`});
  await turn.fails(`it broke with ${token}`);
  const result = await runner.result();

  const transcript = await readFile(job.transcript_path, 'utf8');
  for (const secret of [token, token.slice(9), named]) {
    assert.ok(!transcript.includes(secret), `the transcript holds ${secret}`);
    assert.ok(!JSON.stringify(runner.reports).includes(secret), `a report holds ${secret}`);
  }
  assert.match(transcript, /"delta":"ghp_\*\*\* and/);
  assert.match(result.failure?.message ?? '', /it broke with ghp_\*\*\*/);
  for (const line of transcript.trim().split('\n')) JSON.parse(line);
});

test('the agent gets what is on the list and a TMPDIR of its own, and nothing else', async () => {
  await using folder = await aFolder();
  await using puppet = await AgentPuppet.listen();
  const job = anAttempt(folder.path, {
    agent: {command: `ASKED=$IN_COMMAND ${puppet.command}`},
    agent_env: ['ASKED_FOR'],
  });
  await using runner = new RunnerRig(
    job,
    {},
    {
      ...{ASKED_FOR: '1', IN_COMMAND: '2', NOT_ASKED_FOR: '3', GIT_DIR: '/nowhere'},
      ...{OPENAI_BASE_URL: '4', CODEX_SOMETHING: '5', LC_MESSAGES: 'C', GIT_AUTHOR_NAME: '6'},
    },
  );
  const turn = await puppet.nextTurn();
  const environ = await readFile(`/proc/${turn.agent.pid}/environ`, 'utf8');
  const seen = Object.fromEntries(
    environ.split('\0').map((entry) => entry.split('=', 2) as [string, string]),
  );
  assert.equal(seen.ASKED_FOR, '1');
  assert.equal(seen.ASKED, '2');
  assert.equal(seen.OPENAI_BASE_URL, '4');
  assert.equal(seen.CODEX_SOMETHING, '5');
  assert.equal(seen.GIT_AUTHOR_NAME, '6');
  assert.equal(seen.SYMPHONY_RUN_ID, job.run_id);
  assert.equal(seen.NOT_ASKED_FOR, undefined);
  assert.equal(seen.GIT_DIR, undefined);
  assert.equal(seen.TMPDIR, join(job.workspace_root, '.symphony/tmp', job.run_id));
  await turn.runs('touch "$TMPDIR/here"');
  await turn.completes();
  assert.equal((await runner.result()).outcome, 'succeeded');
  assert.deepEqual(await readdir(join(job.workspace_root, '.symphony/tmp')), []);
});
