import assert from 'node:assert/strict';
import {existsSync, readFileSync} from 'node:fs';
import {readdir, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {findProcesses} from '@symphony-supervisor/protocol/processes';
import {runMarker, Scene} from './scene.ts';
import {say, shell, tool} from './stub/stub-step.ts';

const UNRECORDED = {recorded: false};
/** Nothing that a mask would recognize: what leaks must show. */
const SECRET = 'correct horse battery staple';

test('a variable reaches the agent only if it is on the list or asked for', async (t) => {
  await using scene = await Scene.open(t, UNRECORDED);
  scene.stub.answers([shell('env'), say('done')]);
  const job = scene.attempt({agent_env: ['ASKED_FOR']});
  const env = {ASKED_FOR: 'is here', NOT_ASKED_FOR: 'is not', GIT_AUTHOR_NAME: 'is listed'};
  await using runner = scene.start(job, {}, env);

  assert.equal((await runner.result()).outcome, 'succeeded');

  const said = scene.stub.requests[1]?.toolOutputs[0] ?? '';
  assert.match(said, /^ASKED_FOR=is here$/m);
  assert.match(said, /^GIT_AUTHOR_NAME=is listed$/m);
  assert.match(said, new RegExp(`^${runMarker(job)}$`, 'm'));
  assert.match(said, /^SYMPHONY_ISSUE_IDENTIFIER=ABC-1$/m);
  assert.doesNotMatch(said, /NOT_ASKED_FOR/);
});

test('an agent has a temporary folder of its own, for as long as the run lasts', async (t) => {
  await using scene = await Scene.open(t, UNRECORDED);
  let made = '';
  scene.stub.answers([
    shell('echo "made: $(mktemp)"'),
    ({toolOutputs}) => {
      made = /made: (\S+)/.exec(toolOutputs[0] ?? '')?.[1] ?? '';
      return say(existsSync(made) ? 'it is there' : 'it is not');
    },
  ]);
  const job = scene.attempt();
  await using runner = scene.start(job);

  assert.equal((await runner.result()).outcome, 'succeeded');

  assert.ok(made.startsWith(join(scene.folder, 'ws', '.symphony', 'tmp', job.run_id)), made);
  assert.match(await scene.transcriptOf(job), /it is there/);
  assert.equal(existsSync(made), false);
  assert.deepEqual(await readdir(join(scene.folder, 'ws', '.symphony', 'tmp')), []);
});

test('a secret that a login profile exports reaches neither agent nor hooks', async (t) => {
  await using scene = await Scene.open(t, UNRECORDED);
  await profileThatExports('LINEAR_API_KEY', scene);
  await assertUnseen(scene, {});
});

test('a secret in the runner’s own environment reaches neither agent nor hooks', async (t) => {
  await using scene = await Scene.open(t, UNRECORDED);
  await assertUnseen(scene, {LINEAR_API_KEY: SECRET});
});

/** Looks wherever a secret could be: processes, commands, hooks, and all that is written down. */
async function assertUnseen(scene: Scene, env: Record<string, string>): Promise<void> {
  const job = scene.attempt({
    secret_names: ['LINEAR_API_KEY'],
    agent_env: ['*'],
    hooks: {
      after_create: lookAround(scene, 'after-create'),
      before_run: lookAround(scene, 'before-run'),
      after_run: lookAround(scene, 'after-run'),
    },
  });
  await using runner = scene.start(job, {}, env);
  let environments = '';
  scene.stub.answers([
    async () => {
      const {pid} = await runner.heard('agent_started');
      environments = environmentsOf(runMarker(job), runner.pid);
      assert.ok(environments.includes('CODEX_HOME='), `process ${pid} was not found`);
      return shell('env; cat /proc/$PPID/environ');
    },
    tool('exec_command', {cmd: 'env', login: true}),
    tool('exec_command', {cmd: 'bash -c env'}),
    say('done'),
  ]);

  const {outcome, failure} = await runner.result();

  assert.equal(outcome, 'succeeded', failure?.message);
  const said = scene.stub.requests.flatMap(({toolOutputs}) => toolOutputs).join('\n');
  assert.ok(said.includes(runMarker(job)), said);
  assert.deepEqual(
    {
      processes: environments.includes(SECRET),
      commands: said.includes(SECRET),
      transcript: (await scene.transcriptOf(job)).includes(SECRET),
      hooks: await filesWith(SECRET, scene.folder),
      codexHome: await filesWith(SECRET, scene.home.path),
    },
    {processes: false, commands: false, transcript: false, hooks: [], codexHome: []},
  );
  const hooks = await Promise.all(
    ['after-create', 'before-run', 'after-run'].map((name) =>
      readFile(join(scene.folder, name), 'utf8'),
    ),
  );
  assert.ok(hooks.every((text) => text.includes(runMarker(job))));
}

/** A hook's variables, and those that its shell was started with. */
function lookAround({folder}: Scene, name: string): string {
  return `(env; cat /proc/$$/environ) > '${join(folder, name)}'`;
}

async function profileThatExports(name: string, {env}: Scene): Promise<void> {
  for (const profile of ['.profile', '.bash_profile', '.bashrc', '.zprofile']) {
    // Put together when it is read, so that the files themselves do not hold it.
    const [first, ...rest] = SECRET.split(' ');
    await writeFile(join(env.HOME, profile), `export ${name}="${first}"' ${rest.join(' ')}'\n`);
  }
}

function environmentsOf(marker: string, except: number): string {
  const found = findProcesses({roots: [], markers: [marker], except: [except, process.pid]});
  return found.map(({pid}) => readFileSync(`/proc/${pid}/environ`, 'utf8')).join('\n');
}

async function filesWith(text: string, folder: string): Promise<string[]> {
  const entries = await readdir(folder, {withFileTypes: true, recursive: true});
  const files = entries.filter((entry) => entry.isFile());
  const paths = files.map((entry) => join(entry.parentPath, entry.name));
  return paths.filter((path) => readFileSync(path).includes(text));
}
