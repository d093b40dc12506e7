import assert from 'node:assert/strict';
import {test} from 'node:test';
import {hasBegun} from '../../../src/core/tracker/first-tick.ts';
import {anIssue, aWorkflow, Table} from '../builders.ts';

test('it has begun when the first tick is over and its runs have been started', () => {
  const table = new Table();
  const seen: string[] = [];
  const look = (when: string) => void (hasBegun(table.state) && seen.push(when));
  look('with nothing');
  table.happens({type: 'project.loaded', workflow: aWorkflow()});
  table.happens({type: 'supervisor.started'});
  look('the agent is being checked');
  const result = {version: '1', logged_in: true, failure: null};
  table.happens({type: 'agent.probed', project: 'p', result});
  look('the candidates are being read');
  const [one, two] = [anIssue({id: '1'}), anIssue({id: '2'})];
  const answer = {ok: true, value: [one, two]} as const;
  table.happens({type: 'candidates.read', project: 'p', scope: 0, answer});
  look('two are reserved');
  table.starts(one);
  look('one of them has a runner');
  table.starts(two);
  look('both have');
  assert.deepEqual(seen, ['both have']);
});

test('an idle supervisor has begun with its first tick, and one without a project at once', () => {
  const table = new Table();
  table.happens({type: 'supervisor.started'});
  assert.ok(hasBegun(table.state));
  table.project({}, []);
  assert.ok(hasBegun(table.state));
});
