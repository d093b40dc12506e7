import assert from 'node:assert/strict';
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import {AgentPuppet} from '@symphony-supervisor/scripts/puppet';
import {aProject, SupervisorRig, writeIssue} from '../rig/supervisor.ts';
import {skip, TerminalRig} from '../rig/terminal.ts';

const COMMIT =
  'git init -q; git config user.email a@example.test; git config user.name A; echo work > work; git add work; git commit -qm work';
const QUESTION = 'Remove it? There is no other copy. [y/N] ';
const CTRL_C = '\u0003';
const CTRL_D = '\u0004';

/** What a person types at the question; nothing of it is a yes. */
const NO = {
  N: 'N\r',
  Enter: '\r',
  'another word': 'yesterday\r',
  'Ctrl-C': CTRL_C,
  'Ctrl-D': CTRL_D,
};

test('clean asks on a terminal: only a yes removes the workspace', {skip}, async (t) => {
  await using puppet = await AgentPuppet.listen();
  await using folder = await aProject(puppet.command, ['T-1'], {
    workspace: {root: './workspaces', keep_unpushed: true},
  });
  const work = join(folder.path, 'workspaces/T-1/work');
  await using supervisor = new SupervisorRig(folder.path);
  const turn = await puppet.nextTurn();
  assert.equal((await turn.runs(COMMIT)).exitCode, 0);
  await writeIssue(folder.path, 'T-1', 'Done');
  await turn.completes();
  // While it is looked at, an order to clean it is a conflict.
  await supervisor.shows(
    'it as kept',
    ({kept, stopping}) => kept.length > 0 && stopping.length === 0,
  );

  for (const [what, typed] of Object.entries(NO)) {
    await t.test(`${what} keeps it`, async () => {
      await using terminal = new TerminalRig(['clean', 'T-1'], {cwd: folder.path});
      await terminal.shows(`T-1: ${join(folder.path, 'workspaces/T-1')}: 1 commit not pushed`);
      await terminal.shows(QUESTION);
      terminal.types(typed);
      assert.equal(await terminal.exitCode, 1);
      assert.match(terminal.shown, /\nnothing was removed\r\n$/);
      assert.ok(existsSync(work));
    });
  }
  assert.equal((await supervisor.shows('it as kept', () => true)).counts.kept, 1);

  await t.test('y removes it', async () => {
    await using terminal = new TerminalRig(['clean', 'T-1'], {cwd: folder.path});
    await terminal.shows(QUESTION);
    terminal.types('y\r');
    assert.equal(await terminal.exitCode, 0);
    await supervisor.shows('nothing kept', ({kept}) => kept.length === 0);
    assert.equal(existsSync(work), false);
  });
});
