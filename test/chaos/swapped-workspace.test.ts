import assert from 'node:assert/strict';
import {mkdir, readdir, rename, symlink, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {readStore} from '../rig/fixtures/store-file.ts';
import {writeIssue} from '../rig/supervisor.ts';
import {Storm} from './weather/storm.ts';

/** The workspace becomes a link to a folder that is none of our business. */
async function swap(folder: string): Promise<string> {
  const workspace = join(folder, 'workspaces/T-1');
  const elsewhere = join(folder, 'elsewhere');
  await mkdir(elsewhere);
  await writeFile(join(elsewhere, 'precious'), 'keep');
  await rename(workspace, join(folder, 'moved-away'));
  await symlink(elsewhere, workspace);
  return elsewhere;
}

test('swapped for a link during a run: no hook, no agent and no cleaning ever follows it', async () => {
  const hooks = {before_run: 'touch ran', after_run: 'touch ran', before_remove: 'touch ran'};
  await using storm = await Storm.brews(['T-1'], {hooks});
  await using supervisor = storm.start();
  const turn = await storm.puppet.nextTurn();
  const elsewhere = await swap(storm.folder);
  await storm.completes(turn, 'T-1');
  await turn.agent.gone;
  await supervisor.logged('claim.released', 'p/T-1');
  assert.deepEqual(await readdir(elsewhere), ['precious']);
  await storm.isOver(supervisor);
});

test('swapped for a link, and the issue goes on: no agent works behind it, a person is asked', async () => {
  const settings = {
    hooks: {before_run: 'touch ran', after_run: 'touch ran'},
    agent: {max_turns: 1},
  };
  await using storm = await Storm.brews(['T-1'], settings);
  await using supervisor = storm.start();
  const turn = await storm.puppet.nextTurn();
  const elsewhere = await swap(storm.folder);
  await turn.completes();
  await supervisor.logged('claim.held', 'p/T-1');
  const held = readStore(storm.folder).claims.get('p/T-1');
  assert.ok(held?.is === 'held');
  assert.equal(held.because.code, 'invalid_workspace_cwd');
  await writeIssue(storm.folder, 'T-1', 'Done');
  await storm.isOver(supervisor);
  assert.deepEqual(await readdir(elsewhere), ['precious']);
});
