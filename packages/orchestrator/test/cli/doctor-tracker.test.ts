import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {Survey} from '@symphony-supervisor/tracker';
import {compare} from '../../src/cli/doctor/tracker.ts';
import {aWorkflow} from '../core/builders.ts';

const LINEAR: Survey = {
  found: 'project Web',
  others: [],
  states: ['Backlog', 'Todo', 'In Progress', 'In Review', 'Done'],
  counts: [
    {state: 'Backlog', count: 9},
    {state: 'Done', count: 5},
  ],
  isPartial: false,
  missingLabels: [],
};

function lines(settings: object, survey: Partial<Survey> = {}): string[] {
  const {tracker} = aWorkflow({tracker: settings}).settings;
  return compare(tracker, {...LINEAR, ...survey}).map(
    ({name, status, found}) => `${status} ${name}: ${found}`,
  );
}

const PROVIDER = {kind: 'linear', provider: {project_slug: 'web'}};

test('states that the tracker does not have are named, with those that it has', () => {
  const settings = {...PROVIDER, activeStates: ['To Do', 'Doing'], handoffState: 'Review'};
  const [tracker, active, handoff] = lines(settings);
  assert.equal(tracker, 'ok tracker: linear: project Web');
  const there = 'existing states: Backlog, Todo, In Progress, In Review, Done';
  assert.equal(active, `fail states: active_states: no state "To Do", "Doing"; ${there}`);
  assert.equal(handoff, `fail states: handoff_state: no state "Review"; ${there}`);
});

test('one active state of several may be missing, and so may all terminal ones', () => {
  const settings = {...PROVIDER, activeStates: ['todo', 'Doing'], terminalStates: ['Closed']};
  assert.deepEqual(
    lines(settings).flatMap((line) => /^\w+ states: \w+/.exec(line) ?? []),
    ['warn states: active_states', 'warn states: terminal_states'],
  );
});

test('no issue in an active state is a warning that shows where they are', () => {
  assert.equal(
    lines(PROVIDER).at(-1),
    'warn issues: in active states: none; in others: Backlog 9, Done 5',
  );
  const counts = [{state: 'todo', count: 1}];
  const [, , issues] = lines(PROVIDER, {counts, isPartial: true});
  assert.equal(issues, 'ok issues: in active states: todo 1; in others: none (there are more)');
});

test('a project that is not there: what the key can see instead', () => {
  const [only, ...rest] = lines(PROVIDER, {found: null, others: ['a1 (Api)', 'b2 (Web)']});
  const seen = 'the key can see: a1 (Api), b2 (Web)';
  assert.equal(
    only,
    `fail tracker: linear: "web" does not exist or is not visible to this key; ${seen}`,
  );
  assert.deepEqual(rest, []);
  const github = {kind: 'github', provider: {repo: 'a/b'}};
  const {tracker} = aWorkflow({tracker: github}).settings;
  const [check] = compare(tracker, {...LINEAR, found: null});
  assert.match(check?.remedy ?? '', /tracker\.provider\.repo, .*Issues: read and write/);
});

test('labels that are missing', () => {
  const found = lines(PROVIDER, {missingLabels: ['agent', 'status:todo']});
  assert.ok(found.includes('warn labels: the tracker has no label "agent", "status:todo"'));
});

test('issues that cannot be read are named, and the rest is counted', () => {
  const {tracker} = aWorkflow({tracker: PROVIDER}).settings;
  const examples = ['/issues/A-1.md:1: state is missing', '/issues/B-1.md:3: no title'];
  const warning = {code: 'malformed_records', count: 12, examples} as const;
  const check = compare(tracker, LINEAR, [warning]).at(-1);
  assert.equal(check?.status, 'warn');
  assert.equal(check?.found, `12 cannot be read: ${examples.join('; ')}; and 10 more`);
});
