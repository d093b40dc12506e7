import assert from 'node:assert/strict';
import {test} from 'node:test';
import {cutOff} from '../../../src/core/life/resume.ts';
import {snapshotOf} from '../../../src/core/view/snapshot.ts';
import {anIssue, aResult, aWorkflow, type Knobs, started, Table, timers} from '../builders.ts';

const DOCS = anIssue({labels: ['docs']});
const KNOBS: Knobs = {
  roles: [
    {name: 'docs', when: {labels: ['docs']}, agent: {model: 'small', stallTimeoutMs: 1000}},
    {name: 'asks', when: {labels: ['asks']}, agent: {onInput: 'fail'}},
  ],
};

/** The role of the run that the issue has. */
function roleOf(table: Table, id = '1'): string | null {
  const claim = table.claim(id);
  return claim !== undefined && 'run' in claim ? (claim.run?.role ?? null) : null;
}

function roles(effects: Table['effects']): string[] {
  return effects.flatMap((effect) => (effect.do === 'record-run' ? [effect.record.role] : []));
}

function warned(effects: Table['effects']): (string | undefined)[] {
  return effects.flatMap((effect) =>
    effect.do === 'log' && effect.event === 'role.missing' ? [effect.reason] : [],
  );
}

test('the role is chosen when the issue is reserved, and shown wherever it stands', () => {
  const table = new Table();
  table.project(KNOBS, [DOCS, anIssue({id: '2'})]);
  table.starts(DOCS);
  table.starts(anIssue({id: '2'}));
  assert.deepEqual([roleOf(table), roleOf(table, '2')], ['docs', 'worker']);
  const here = {version: '1', pid: 1, started_at: ''};
  const shown = () => snapshotOf(table.state, table.now, here);
  assert.deepEqual(
    shown().running.map(({role}) => role),
    ['docs', 'worker'],
  );
  assert.deepEqual(roles(table.ends(aResult())), ['docs']);
  assert.equal(shown().stopping[0]?.role, 'docs');
  table.reads(DOCS);
  assert.equal(shown().retrying[0]?.role, 'docs');
  table.happens({
    ...{type: 'operator.commanded', by: 'me'},
    command: {command: 'stop', key: table.key()},
  });
  assert.equal(shown().held[0]?.role, 'docs');
  const dismiss = {command: 'dismiss', key: table.key(), orderedAt: table.asked} as const;
  table.happens({type: 'operator.commanded', by: 'me', command: dismiss});
  assert.equal(shown().dismissed[0]?.role, 'docs');
});

test('an issue that waits shows the role that would take it, and a workspace that is cleaned its last', () => {
  const table = new Table();
  table.project({...KNOBS, agent: {maxConcurrentAgents: 1}}, [DOCS, anIssue({id: '2'})]);
  table.starts(DOCS);
  const here = {version: '1', pid: 1, started_at: ''};
  assert.equal(snapshotOf(table.state, table.now, here).waiting[0]?.role, 'worker');
  table.ends(aResult());
  table.reads(anIssue({labels: ['docs'], state: 'Done'}));
  const [row] = snapshotOf(table.state, table.now, here).stopping;
  assert.deepEqual([row?.step, row?.role], ['cleaning', 'docs']);
});

test('the role stays with the claim: continuation, failure, changed labels, changed rules, restart', () => {
  const table = new Table();
  table.project(KNOBS, [DOCS]);
  table.starts(DOCS);
  const other = anIssue({labels: ['asks']});
  table.ends(aResult());
  table.reads(other);
  table.later(1000);
  table.happens({type: 'timer.fired', timer: 'retry p/1'});
  assert.equal(roleOf(table), 'docs');
  table.starts(other);
  table.ends(aResult({outcome: 'failed', failure: {code: 'turn_failed', message: 'no'}}));
  table.reads(other);
  const rules = [{name: 'docs', when: {labels: ['text']}}];
  table.happens({type: 'project.loaded', workflow: aWorkflow({roles: rules})});
  table.later(60_000);
  table.happens({type: 'timer.fired', timer: 'retry p/1'});
  assert.equal(roleOf(table), 'docs');
  table.starts(other);
  table.restart({...table.state, projects: new Map()}, table.state.claims);
  table.happens({type: 'project.loaded', workflow: aWorkflow({roles: rules})});
  table.happens({type: 'supervisor.started'});
  table.happens({
    ...{type: 'agent.probed', project: 'p'},
    result: {version: '1', logged_in: true, failure: null},
  });
  assert.equal(table.claim()?.is, 'running');
  assert.equal(roleOf(table), 'docs');
});

test('an issue that was released gets the role whose rule fits at its next reservation', () => {
  const table = new Table();
  table.project(KNOBS, [DOCS]);
  assert.equal(roleOf(table), 'docs');
  table.reads(anIssue({labels: ['docs'], state: 'Review'}));
  assert.equal(table.claim(), undefined);
  const candidates = {ok: true, value: [anIssue({labels: ['asks']})]} as const;
  table.later(30_000);
  table.happens({type: 'timer.fired', timer: 'poll p'});
  table.happens({type: 'candidates.read', project: 'p', scope: 0, answer: candidates});
  assert.equal(roleOf(table), 'asks');
});

test('while the file does not have the role the file itself goes on, and says so', () => {
  const table = new Table();
  table.project(KNOBS, [DOCS]);
  table.starts(DOCS);
  table.ends(aResult());
  table.reads(DOCS);
  table.happens({type: 'project.loaded', workflow: aWorkflow()});
  table.later(1000);
  const effects = table.happens({type: 'timer.fired', timer: 'retry p/1'});
  assert.deepEqual(warned(effects), ['the workflow file has no role docs; worker goes on']);
  assert.equal(roleOf(table), 'worker');
  table.starts(DOCS);
  table.ends(aResult());
  table.reads(DOCS);
  assert.equal(table.claim()?.authorRole, 'docs', 'it is only missing');
  table.happens({type: 'project.loaded', workflow: aWorkflow(KNOBS)});
  table.later(1000);
  assert.deepEqual(warned(table.happens({type: 'timer.fired', timer: 'retry p/1'})), []);
  assert.equal(roleOf(table), 'docs');
});

test('an issue that was dismissed before it was reserved has the role that it would have had', () => {
  const table = new Table();
  table.project({...KNOBS, agent: {maxConcurrentAgents: 1}}, [anIssue({id: '2'}), DOCS]);
  const id = table.claim('1') === undefined ? '1' : '2';
  const dismiss = {command: 'dismiss', key: table.key(id), orderedAt: table.asked} as const;
  table.happens({type: 'operator.commanded', by: 'me', command: dismiss});
  assert.equal(table.claim(id)?.authorRole, id === '1' ? 'docs' : 'worker');
});

test('the stall clock, the model and the answer to a question are those of the role', () => {
  const table = new Table();
  table.project(KNOBS, [DOCS, anIssue({id: '2', labels: ['asks']})]);
  table.starts(DOCS);
  assert.equal(timers(table.all)['stall p/1'], table.now + 1000);
  const effects = table.ends(aResult());
  const [record] = effects.flatMap((one) => (one.do === 'record-run' ? [one.record] : []));
  assert.equal(record?.results.model, 'small');
  const asks = anIssue({id: '2', labels: ['asks']});
  table.starts(asks);
  assert.equal(timers(table.all)['stall p/2'], table.now + 300_000);
  const failure = {code: 'turn_input_required', message: 'it asks'} as const;
  table.ends(aResult({outcome: 'input_required', failure, question: 'Why?'}), '2');
  table.reads(asks);
  assert.equal(table.claim('2')?.is, 'retrying');
});

test('a run that could not start is on record with its role', () => {
  const table = new Table();
  table.project(KNOBS, [DOCS]);
  assert.deepEqual(started(table.reads(DOCS)), ['p/1']);
  const run = {key: table.key(), runId: table.runId()};
  assert.deepEqual(roles(table.happens({type: 'run.not_started', ...run, why: 'no'})), ['docs']);
});

test('a run that was cut off keeps the role that it began with', () => {
  const open = [
    {key: 'p/1', runId: 'r', host: 'local', role: 'judge', attempt: null, startedAt: 1},
  ];
  const [run] = cutOff(open, new Map(), 2);
  assert.equal(run?.role, 'judge');
});
