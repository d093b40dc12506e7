import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {FailureCode} from '@symphony-supervisor/protocol';
import type {Effect} from '../../../src/core/effect.ts';
import {anIssue, aResult, aWorkflow, reserved, Table} from '../builders.ts';

const WELL = {version: '1', logged_in: true, failure: null};

function running(): Table {
  const table = new Table();
  table.project({}, [anIssue()]);
  table.starts(anIssue());
  return table;
}

function agentOf(table: Table) {
  return table.state.projects.get('p')?.agent;
}

function probes(effects: readonly Effect[]): number {
  return effects.filter((effect) => effect.do === 'probe-agent').length;
}

function failing(code: FailureCode) {
  return aResult({outcome: 'failed', failure: {code, message: 'no'}});
}

/** The run fails by the host, a check passes, and the issue runs again. */
function failsByHost(table: Table): number {
  table.ends(failing('unauthorized'));
  table.reads(anIssue());
  const agent = agentOf(table);
  assert.ok(agent?.is === 'blocked');
  const waitedMs = agent.until - table.now;
  table.now = agent.until;
  assert.equal(probes(table.happens({type: 'timer.fired', timer: 'probe p'})), 1);
  table.happens({type: 'agent.probed', project: 'p', result: WELL});
  table.starts(anIssue());
  return waitedMs;
}

test('an agent that only seems well is tried ever later, until a run of it goes well', () => {
  const table = running();
  assert.deepEqual([failsByHost(table), failsByHost(table)], [10_000, 20_000]);
  table.ends(failing('turn_failed'));
  table.reads(anIssue());
  assert.equal(table.state.projects.get('p')?.hostFailures, 0, 'that was not the host');
  table.later(10_000);
  table.happens({type: 'timer.fired', timer: 'retry p/1'});
  table.starts(anIssue());
  assert.equal(failsByHost(table), 10_000);
});

test('a check that is not due yet is not made', () => {
  const table = running();
  table.ends(failing('unauthorized'));
  table.later(9_999);
  assert.equal(probes(table.happens({type: 'timer.fired', timer: 'probe p'})), 0);
});

test('an agent that was missing is asked again with the tick of a good reload', () => {
  const table = running();
  table.ends(failing('agent_not_found'));
  table.reads(anIssue());
  table.later(1_000);
  table.happens({type: 'project.loaded', workflow: aWorkflow()});
  const answer = {ok: true, value: [anIssue()]} as const;
  const effects = table.happens({type: 'claimed.read', project: 'p', scope: 0, ids: ['1'], answer});
  assert.equal(probes(effects), 1);
  const after = table.happens({type: 'agent.probed', project: 'p', result: WELL});
  assert.deepEqual(reserved(after), ['1']);
});

test('a tick asks for the agent once, also when there is no other work yet', () => {
  const table = running();
  table.later(1_000);
  table.happens({
    type: 'project.loaded',
    workflow: aWorkflow({agent: {command: 'another-agent'}}),
  });
  const answer = {ok: true, value: [anIssue()]} as const;
  const effects = table.happens({type: 'claimed.read', project: 'p', scope: 0, ids: ['1'], answer});
  assert.deepEqual(
    effects.map((effect) => effect.do).filter((order) => order !== 'set-timer'),
    ['probe-agent', 'read-candidates'],
  );
});

test('another agent named during a tick is asked before the next dispatch', () => {
  const table = new Table();
  table.project({agent: {maxConcurrentAgents: 1}}, [anIssue(), anIssue({id: '2'})]);
  table.starts(anIssue());
  table.happens({type: 'timer.fired', timer: 'poll p'});
  const workflow = aWorkflow({agent: {command: 'another-agent'}});
  assert.equal(probes(table.happens({type: 'project.loaded', workflow})), 0);
  table.ends(aResult());
  const freed = table.reads(anIssue({state: 'Review'}));
  assert.deepEqual([probes(freed), reserved(freed)], [1, []]);
  const after = table.happens({type: 'agent.probed', project: 'p', result: WELL});
  assert.deepEqual(reserved(after), ['2']);
});

test('what a check says about the former agent does not count for another one', () => {
  const table = new Table();
  table.happens({type: 'project.loaded', workflow: aWorkflow()});
  const workflow = aWorkflow({agent: {command: 'another-agent'}});
  table.happens({type: 'project.loaded', workflow});
  const answer = {ok: true, value: [anIssue()]} as const;
  table.happens({type: 'candidates.read', project: 'p', scope: 0, answer});
  const former = table.happens({type: 'agent.probed', project: 'p', result: WELL});
  assert.deepEqual([probes(former), reserved(former)], [1, []]);
  const failure = {code: 'agent_not_found', message: 'no such command'} as const;
  table.happens({type: 'agent.probed', project: 'p', result: {...WELL, failure}});
  assert.equal(agentOf(table)?.is, 'blocked');
  assert.equal(table.claim(), undefined);
});

test('runs are runs: the last one that is allowed holds its issue, though only the host failed', () => {
  const table = new Table();
  table.project({agent: {maxRuns: 1}}, [anIssue()]);
  table.starts(anIssue());
  table.ends(failing('usage_limit'));
  table.reads(anIssue());
  const claim = table.claim();
  assert.ok(claim?.is === 'held');
  assert.equal(claim.because.code, 'limit_runs');
});
