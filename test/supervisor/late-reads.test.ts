import assert from 'node:assert/strict';
import {access, mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {fileURLToPath} from 'node:url';
import {AgentPuppet} from '@symphony-supervisor/scripts/puppet';
import {aProject, SupervisorRig, THREADED, writeIssue} from '../rig/supervisor.ts';
import {until} from '../rig/survivors.ts';

// A read that saw the issue closed is answered only after a person has reopened it, and after a newer
// read has said so: nothing is stopped, and nothing is deleted.

const LATE_THREAD = fileURLToPath(new URL('./late-thread.mjs', import.meta.url));

test('a late sweep: the run of the reopened issue goes on in its workspace', async () => {
  await using at = await scene();
  await mkdir(at.workspace, {recursive: true});
  await writeIssue(at.folder, 'T-1', 'Done');
  await at.delay('issuesByIdentifiers');
  await at.file('look');
  await using supervisor = at.start();
  await at.seen('late-known');

  await writeIssue(at.folder, 'T-1', 'Todo');
  const turn = await at.puppet.nextTurn();
  await at.answer();
  await at.isUntouched();
  assert.deepEqual(turn.agent.received('turn/interrupt'), []);
  await turn.callsTool('update_issue', {state: 'Done'});
  await turn.completes();
  await supervisor.logged('claim.released', 'p/T-1');
  await at.seen('removed');
});

test('a late read of claimed issues: the run that has begun since goes on', async () => {
  await using at = await scene({agent: {max_turns: 1}});
  await writeIssue(at.folder, 'T-1', 'Todo');
  await using _supervisor = at.start();
  const first = await at.puppet.nextTurn();
  await first.runs('echo hello > hello');
  await at.delay('issuesByIds');
  await at.seen('late-asked');
  await writeIssue(at.folder, 'T-1', 'Done');
  await at.file('look');
  await at.seen('late-known');

  await writeIssue(at.folder, 'T-1', 'Todo');
  await first.completes();
  const second = await at.puppet.nextTurn();
  await at.answer();
  await at.isUntouched();
  assert.deepEqual(second.agent.received('turn/interrupt'), []);
  assert.equal((await second.runs('cat hello')).output, 'hello\n');
});

test('a late read before the launch: the issue is read again, and its workspace is kept', async () => {
  await using at = await scene({agent: {max_turns: 1}});
  await writeIssue(at.folder, 'T-1', 'Todo');
  await using _supervisor = at.start();
  const first = await at.puppet.nextTurn();
  await first.runs('echo hello > hello');
  // Moved away, so that its next reservation is that of a candidate, with a workspace on record.
  await writeIssue(at.folder, 'T-1', 'Backlog');
  await first.agent.gone;
  await at.released();
  await at.delay('issuesByIds');
  await writeIssue(at.folder, 'T-1', 'Todo');
  await at.seen('late-asked');
  await writeIssue(at.folder, 'T-1', 'Done');
  await at.file('look');
  await at.seen('late-known');

  await writeIssue(at.folder, 'T-1', 'Todo');
  await at.hasTicked();
  await at.answer();
  const second = await at.puppet.nextTurn();
  assert.equal(second.input, 'Work on T-1.');
  await at.isUntouched();
  assert.equal((await second.runs('cat hello')).output, 'hello\n');
});

async function scene(settings: Record<string, unknown> = {}) {
  const puppet = await AgentPuppet.listen();
  const hooks = {before_remove: 'echo "$SYMPHONY_ISSUE_IDENTIFIER" >> ../../removed'};
  const project = await aProject(puppet.command, [], {hooks, ...settings});
  const folder = project.path;
  let supervisor: SupervisorRig | null = null;
  let others = 1;
  const file = (name: string, text = '') => writeFile(join(folder, name), text);
  return {
    ...{puppet, folder, file, workspace: join(folder, 'workspaces/T-1')},

    start(): SupervisorRig {
      supervisor = new SupervisorRig(folder, [folder, LATE_THREAD], THREADED);
      return supervisor;
    },

    /** The next such read of T-1 is late. */
    delay: (call: string) => file('late', JSON.stringify({call, issue: 'T-1'})),

    async seen(name: string): Promise<void> {
      const there = await until(() =>
        access(join(folder, name)).then(
          () => true,
          () => null,
        ),
      );
      assert.ok(there, `${name} was never seen`);
    },

    async released(): Promise<void> {
      await supervisor?.logged('claim.released', 'p/T-1');
    },

    /**
     * A whole tick has passed: it has read what is claimed, and then found another issue, whose agent
     * asks for its first turn. Answers of the thread come in order, so all that it said before is known.
     */
    async hasTicked(): Promise<void> {
      others++;
      await writeIssue(folder, `T-${others}`, 'Todo');
      const turn = await puppet.nextTurn();
      assert.equal(turn.input, `Work on T-${others}.`);
    },

    async answer(): Promise<void> {
      await file('answer');
      await this.seen('late-answered');
    },

    async isUntouched(): Promise<void> {
      await this.hasTicked();
      await access(this.workspace);
      await assert.rejects(access(join(folder, 'removed')), 'a workspace was removed');
    },

    async [Symbol.asyncDispose](): Promise<void> {
      await puppet[Symbol.asyncDispose]();
      await project[Symbol.asyncDispose]();
    },
  };
}
