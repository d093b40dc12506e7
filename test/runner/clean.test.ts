import assert from 'node:assert/strict';
import {mkdir, readdir, readFile, symlink, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {aFolder} from '../rig/fixtures/folder.ts';
import {anIssue} from '../rig/fixtures/issue.ts';
import {aCleaning, aWorkspace} from '../rig/fixtures/job.ts';
import {RunnerRig} from '../rig/runner.ts';
import {startAndNote} from '../rig/survivors.ts';

/** A job for several workspaces, which are there. */
async function several(folder: string, names: readonly string[], before_remove: string | null) {
  const workspaces = names.map((identifier) =>
    aWorkspace(folder, anIssue({id: `id of ${identifier}`, identifier})),
  );
  for (const {workspace_path} of workspaces) await mkdir(workspace_path, {recursive: true});
  return aCleaning(folder, {workspaces, hooks: {before_remove}});
}

/** Of each workspace, if it was not removed. */
async function failures(runner: RunnerRig) {
  const {outcomes} = await runner.heard('cleaned');
  return outcomes.map((outcome) => (outcome.is === 'failed' ? outcome.failure : null));
}

function lines(folder: string, name: string): Promise<string[]> {
  return readFile(join(folder, name), 'utf8').then((text) => text.trimEnd().split('\n'));
}

test('one process cleans several workspaces in their order, each hook with its own issue', async () => {
  await using folder = await aFolder();
  const hook = `echo "$SYMPHONY_ISSUE_IDENTIFIER, $SYMPHONY_ISSUE_ID, \${PWD##*/}, \${SYMPHONY_WORKSPACE##*/}" >> ../../told`;
  await using runner = new RunnerRig(await several(folder.path, ['B-2', 'A-1', 'C-3'], hook));
  assert.deepEqual(await failures(runner), [null, null, null]);
  assert.deepEqual(await lines(folder.path, 'told'), [
    'B-2, id of B-2, B-2, B-2',
    'A-1, id of A-1, A-1, A-1',
    'C-3, id of C-3, C-3, C-3',
  ]);
  assert.deepEqual(await readdir(join(folder.path, 'ws')), ['.symphony']);
  assert.equal(runner.all('cleaned').length, 1);
  await runner.exited;
  const transcript = await lines(folder.path, `runs/${runner.job.run_id}.jsonl`);
  const events = transcript.map((line) => JSON.parse(line));
  assert.deepEqual(
    events.flatMap(({ev, issue_identifier}) => (ev === 'cleaning' ? issue_identifier : [])),
    ['B-2', 'A-1', 'C-3'],
    'a reader sees whose hook said what',
  );
});

test('one that cannot be removed does not keep the others', async () => {
  await using folder = await aFolder();
  const job = await several(folder.path, ['A-1', 'C-3'], null);
  const [first, last] = job.workspaces;
  assert.ok(first !== undefined && last !== undefined);
  const precious = join(folder.path, 'precious');
  await mkdir(precious);
  await writeFile(join(precious, 'file'), 'keep me');
  const link = aWorkspace(folder.path, anIssue({identifier: 'B-2'}));
  await symlink(precious, link.workspace_path);
  await using runner = new RunnerRig({...job, workspaces: [first, link, last]});
  const told = await failures(runner);
  assert.deepEqual(
    told.map((failure) => failure?.code ?? null),
    [null, 'invalid_workspace_cwd', null],
  );
  assert.deepEqual((await readdir(join(folder.path, 'ws'))).sort(), ['.symphony', 'B-2']);
  assert.equal(await readFile(join(precious, 'file'), 'utf8'), 'keep me');
});

test('no failure tells a secret, whichever of the workspaces it is about', async () => {
  await using folder = await aFolder();
  const root = join(folder.path, 'hush-hush-hush');
  await mkdir(join(root, 'ws'), {recursive: true});
  const workspaces = ['A-1', 'B-2'].map((identifier) => aWorkspace(root, anIssue({identifier})));
  for (const {workspace_path} of workspaces) await writeFile(workspace_path, 'a file');
  const job = aCleaning(folder.path, {workspaces});
  await using runner = new RunnerRig(job, {}, {SOME_API_KEY: 'hush-hush-hush'});
  const told = await failures(runner);
  for (const [index, name] of ['A-1', 'B-2'].entries()) {
    assert.match(told[index]?.message ?? '', new RegExp(`ws/${name}`));
    assert.doesNotMatch(told[index]?.message ?? '', /hush/);
  }
});

test('what a hook leaves running is ended before the next hook begins', async () => {
  await using folder = await aFolder();
  const pids = join(folder.path, 'pids');
  // A process that has ended and that nobody has asked about yet does not run.
  const look = `for pid in $(cat '${pids}' 2>/dev/null); do
      grep -qs '^State:.[^ZX]' "/proc/$pid/status" && echo "$SYMPHONY_ISSUE_IDENTIFIER sees $pid" >> ../../seen
    done; echo looked >> ../../seen`;
  const hook = `${look}; ${startAndNote('setsid sleep 1001', pids)}`;
  await using runner = new RunnerRig(await several(folder.path, ['A-1', 'B-2', 'C-3'], hook));
  assert.deepEqual(await failures(runner), [null, null, null]);
  assert.equal((await lines(folder.path, 'pids')).length, 3);
  assert.deepEqual(await lines(folder.path, 'seen'), ['looked', 'looked', 'looked']);
});

test('told to stop, it ends what it has begun, and begins no other', async () => {
  await using folder = await aFolder();
  const hook = `echo "$SYMPHONY_ISSUE_IDENTIFIER" >> ../../begun; until test -e ../../go; do sleep 0.05; done`;
  const job = await several(folder.path, ['A-1', 'B-2', 'C-3'], hook);
  await using runner = new RunnerRig(job);
  await runner.heard('hook_started');
  runner.stop('interrupted');
  await writeFile(join(folder.path, 'go'), '');
  const told = await failures(runner);
  const code = 'workspace_error';
  const message = 'the cleaning was stopped before this workspace';
  assert.deepEqual(told, [null, {code, message}, {code, message}]);
  assert.deepEqual(await lines(folder.path, 'begun'), ['A-1']);
  assert.deepEqual((await readdir(join(folder.path, 'ws'))).sort(), ['.symphony', 'B-2', 'C-3']);
  assert.equal((await runner.exited).code, 0);
});

test('a workspace under a name that is no longer given is removed by the path on record', async () => {
  await using folder = await aFolder();
  const job = await several(folder.path, ['.git', 'node_modules'], 'pwd >> ../../told');
  await using runner = new RunnerRig(job);
  assert.deepEqual(await failures(runner), [null, null]);
  assert.deepEqual(await readdir(join(folder.path, 'ws')), ['.symphony']);
  const paths = job.workspaces.map(({workspace_path}) => workspace_path);
  assert.deepEqual(await lines(folder.path, 'told'), paths);
});

test('a link that a hook puts in the place of the trash is refused', async () => {
  await using folder = await aFolder();
  const victim = join(folder.path, 'victim');
  await mkdir(join(victim, 'precious'), {recursive: true});
  const swap = `rmdir ../.symphony/trash && ln -s '${victim}' ../.symphony/trash`;
  await using runner = new RunnerRig(await several(folder.path, ['A-1'], swap));
  const [told] = await failures(runner);
  assert.equal(told?.code, 'invalid_workspace_cwd');
  assert.match(told?.message ?? '', /\.symphony\/trash is a symbolic link; remove it/);
  assert.deepEqual(await readdir(victim), ['precious']);
});
