import assert from 'node:assert/strict';
import {test} from 'node:test';
import {profileNamed, profileOf} from '../../../src/core/dispatch/profile.ts';
import {cutOff} from '../../../src/core/life/resume.ts';
import {snapshotOf} from '../../../src/core/view/snapshot.ts';
import {anIssue, aResult, aWorkflow, Table} from '../builders.ts';

test('an issue is run by the workflow file itself, under the name worker', () => {
  const workflow = aWorkflow();
  assert.deepEqual(profileOf(workflow, anIssue()), {role: 'worker', workflow});
  assert.deepEqual(profileNamed(workflow, 'a role that the file had'), {role: 'worker', workflow});
});

test('the role of a run is shown while it runs, and on record when it has ended', () => {
  const table = new Table();
  table.project({}, [anIssue()]);
  table.starts(anIssue());
  const here = {version: '1', pid: 1, started_at: ''};
  const [row] = snapshotOf(table.state, table.now, here).running;
  assert.equal(row?.role, 'worker');
  assert.deepEqual(roles(table.ends(aResult())), ['worker']);
});

test('a run that could not start is on record with its role', () => {
  const table = new Table();
  table.project({}, [anIssue()]);
  table.reads(anIssue());
  const run = {key: table.key(), runId: table.runId()};
  const effects = table.happens({type: 'run.not_started', ...run, why: 'no tools'});
  assert.deepEqual(roles(effects), ['worker']);
});

test('a run that was cut off keeps the role that it began with', () => {
  const open = [
    {key: 'p/1', runId: 'r', host: 'local', role: 'judge', attempt: null, startedAt: 1},
  ];
  const [run] = cutOff(open, new Map(), 2);
  assert.equal(run?.role, 'judge');
});

function roles(effects: Table['effects']): string[] {
  return effects.flatMap((effect) => (effect.do === 'record-run' ? [effect.record.role] : []));
}
