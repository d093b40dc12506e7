import assert from 'node:assert/strict';
import {test} from 'node:test';
import {checkProjects, formatComplaint} from '../../src/workflow/index.ts';
import {read, workflowIn} from './fixture.ts';

const project = (path: string, lines: string) =>
  workflowIn(read(`tracker: {kind: folder}\n${lines}`, {path, severalProjects: true}));

test('projects with names and roots of their own are fine', () => {
  assert.deepEqual(checkProjects([]), []);
  assert.deepEqual(
    checkProjects([project('/a/WORKFLOW.md', ''), project('/b/WORKFLOW.md', '')]),
    [],
  );
});

test('two projects may share neither name nor workspace root', () => {
  const complaints = checkProjects([
    project('/one/web/WORKFLOW.md', 'workspace: {root: /w}'),
    project('/two/web/WORKFLOW.md', ''),
    project('/api/WORKFLOW.md', 'workspace: {root: /x/../w/}'),
  ]);
  assert.deepEqual(complaints.map(formatComplaint), [
    '/two/web/WORKFLOW.md:1:1: name is "web", as in /one/web/WORKFLOW.md; give each project a different "name"',
    '/api/WORKFLOW.md:1:1: workspace.root is "/w", as in /one/web/WORKFLOW.md; give each project a different "workspace.root"',
  ]);
  assert.deepEqual(
    complaints.map(({code}) => code),
    ['duplicate_project_name', 'duplicate_workspace_root'],
  );
});
