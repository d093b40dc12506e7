import assert from 'node:assert/strict';
import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {AgentPuppet} from '@symphony-supervisor/scripts/puppet';
import {aProject, reaches, SupervisorRig} from '../rig/supervisor.ts';
import {supervisorCommand} from '../rig/supervisor-command.ts';

function aPuppet(protocol: string): Promise<AgentPuppet> {
  return AgentPuppet.listen({args: ['--protocol', protocol]});
}

test('agents of three kinds work at the same time, each for its role, with tools of their own', async () => {
  await using claude = await aPuppet('claude');
  await using codex = await aPuppet('codex');
  await using acp = await aPuppet('acp');
  const puppets = {'T-1': claude, 'T-2': codex, 'T-3': acp};
  await using folder = await aProject(`exec ${codex.command}`, [], {
    agent: {kind: 'claude', command: `exec ${claude.command}`},
    claude: {sandbox: 'off'},
    acp: {command: `exec ${acp.command}`},
    roles: {
      second: {when: {labels: ['second']}, agent: 'codex'},
      third: {when: {labels: ['third']}, agent: 'acp'},
    },
  });
  for (const [id, label] of [
    ['T-1', 'first'],
    ['T-2', 'second'],
    ['T-3', 'third'],
  ]) {
    const text = `---\nstate: Todo\nlabels: [${label}]\n---\n# ${id}\n`;
    await writeFile(join(folder.path, 'issues', `${id}.md`), text);
  }
  await using supervisor = new SupervisorRig(folder.path);
  const turns = await Promise.all(Object.values(puppets).map((puppet) => puppet.nextTurn()));
  assert.deepEqual(
    turns.map(({input}) => input),
    ['Work on T-1.', 'Work on T-2.', 'Work on T-3.'],
  );
  const {running} = await supervisor.shows('three runs', (shown) => shown.running.length === 3);
  const shown = running.map(({issue_identifier: id, role, agent}) => [id, role, agent].join(' '));
  assert.deepEqual(shown.toSorted(), ['T-1 worker claude', 'T-2 second codex', 'T-3 third acp']);

  for (const turn of turns) {
    await turn.callsTool('update_issue', {state: 'Done'});
    await turn.completes();
  }
  for (const id of Object.keys(puppets)) {
    await reaches(folder.path, id, 'Done');
    await supervisor.logged('claim.released', `p/${id}`);
  }
  const {stdout} = await supervisorCommand(['history', '--json'], {cwd: folder.path});
  const runs: {issue_identifier: string; agent: string; usage: string}[] = JSON.parse(stdout);
  const measured = runs.map(({issue_identifier: id, agent, usage}) => [id, agent, usage].join(' '));
  assert.deepEqual(measured.toSorted(), [
    'T-1 claude measured',
    'T-2 codex measured',
    'T-3 acp unmeasured',
  ]);
});
