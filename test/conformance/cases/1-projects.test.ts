import assert from 'node:assert/strict';
import {join} from 'node:path';
import {supervisorCommand} from '../../rig/supervisor-command.ts';
import {shows} from '../case.ts';
import {Project} from '../rig/project.ts';
import {Scene} from '../rig/scene.ts';
import {send} from '../rig/supervisor.ts';

shows(
  [
    ...['1.path.several', '1.name.duplicate', '1.root.shared', '1.server.first', '2.key'],
    ...['3.slots.supervisor', '9.api.ambiguous'],
  ],
  'several files are several projects, with names and roots of their own, under one limit',
  async () => {
    await using scene = await Scene.set({settings: {server: {port: 0}}});
    const command = {command: scene.puppet.command};
    await using other = await Project.make({name: 'q', codex: command, server: {port: 1}});
    for (const project of [scene.project, other]) {
      await project.issue('T-1', {priority: 1});
      await project.issue('T-2', {priority: 2});
    }
    const files = ['WORKFLOW.md', join(other.path, 'WORKFLOW.md')];
    const cwd = scene.project.path;
    await other.writeWorkflow({name: 'p'});
    const sameName = await supervisorCommand(['validate', ...files], {cwd});
    assert.equal(sameName.code, 3);
    assert.match(sameName.stdout + sameName.stderr, /name/);
    await other.writeWorkflow({workspace: {root: join(cwd, 'workspaces')}});
    const sameRoot = await supervisorCommand(files, {cwd});
    assert.equal(sameRoot.code, 3);
    assert.match(sameRoot.stdout + sameRoot.stderr, /workspace|root/);
    await other.writeWorkflow();

    const supervisor = scene.start(['--max-agents', '2', ...files]);
    await supervisor.seen(
      'two runs, and two that wait',
      ({counts, waiting}) => counts.running === 2 && waiting.length === 2,
    );
    for (const project of [scene.project, other]) await project.issue('T-2', {state: 'Backlog'});
    await supervisor.seen('T-1 of both', ({running}) => {
      const runs = running.map(({project, issue_identifier}) => `${project} ${issue_identifier}`);
      return runs.sort().join() === 'p T-1,q T-1';
    });
    const {dashboard_url} = await supervisor.pointer();
    assert.equal((await send('GET', new URL('/livez', dashboard_url ?? ''))).status, 200);
    const ambiguous = await supervisor.ask('GET', '/api/v1/T-1');
    assert.equal(ambiguous.status, 409);
    const named = await supervisor.ask<{project: string}>('GET', '/api/v1/T-1?project=q');
    assert.equal(named.body.project, 'q');
  },
);
