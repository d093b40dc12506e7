import assert from 'node:assert/strict';
import {test} from 'node:test';
import {
  type Issue,
  isActive,
  isRoutable,
  isTerminal,
  isWorkable,
  type TrackerSettings,
} from '../src/index.ts';

const tracker: TrackerSettings = {
  kind: 'memory',
  provider: {},
  secrets: {},
  secretNames: [],
  activeStates: ['Todo', ' In Progress '],
  terminalStates: ['Done'],
  unstartedStates: ['Todo'],
  requiredLabels: ['agent'],
  excludedLabels: ['manual'],
  inProgressState: null,
  handoffState: null,
};

function anIssue(fields: Partial<Issue>): Issue {
  return {dispatchable: true, labels: ['agent'], state: 'Todo', ...fields} as Issue;
}

test('states are compared without regard to case and outer blanks', () => {
  assert.equal(isActive('  todo ', tracker), true);
  assert.equal(isActive('IN PROGRESS', tracker), true);
  assert.equal(isTerminal(' DONE', tracker), true);
  assert.equal(isActive('Review', tracker), false);
});

test('a state that is both active and terminal is terminal', () => {
  const both = {...tracker, activeStates: ['Done']};
  assert.equal(isActive('Done', both), false);
  assert.equal(isTerminal('Done', both), true);
});

test('routable: the adapter agrees, every required label, no excluded one', () => {
  assert.equal(isRoutable(anIssue({}), tracker), true);
  assert.equal(isRoutable(anIssue({dispatchable: false}), tracker), false);
  assert.equal(isRoutable(anIssue({labels: []}), tracker), false);
  assert.equal(isRoutable(anIssue({labels: ['agent', 'manual']}), tracker), false);
});

test('a blank required label matches nothing', () => {
  assert.equal(isRoutable(anIssue({}), {...tracker, requiredLabels: ['agent', '']}), false);
});

test('a run goes on while its issue is active and routable', () => {
  assert.equal(isWorkable(anIssue({}), tracker), true);
  assert.equal(isWorkable(anIssue({state: 'Done'}), tracker), false);
  assert.equal(isWorkable(anIssue({labels: []}), tracker), false);
});
