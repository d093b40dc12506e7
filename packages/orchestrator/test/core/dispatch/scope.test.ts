import assert from 'node:assert/strict';
import {test} from 'node:test';
import {anIssue, aResult, aWorkflow, Table} from '../builders.ts';

function elsewhere(knobs = {}) {
  return aWorkflow({...knobs, tracker: {provider: {path: 'elsewhere'}}});
}

test('a changed scope leaves claims with the tracker they came from until they are released', () => {
  const table = new Table();
  table.project({}, [anIssue()]);
  table.starts(anIssue());
  const effects = table.happens({type: 'project.loaded', workflow: elsewhere()});
  assert.deepEqual(
    effects.filter(({do: order}) =>
      ['open-tracker', 'read-claimed', 'read-candidates'].includes(order),
    ),
    [
      {do: 'open-tracker', project: 'p', scope: 1},
      {do: 'read-claimed', project: 'p', scope: 0, ids: ['1']},
      {do: 'read-candidates', project: 'p', scope: 1},
    ],
  );
  const claim = table.claim();
  assert.deepEqual([claim?.is, claim?.scope], ['running', 0]);

  // A tick later it is gone from there: released, and the old tracker is closed with the next tick.
  table.happens({
    type: 'claimed.read',
    project: 'p',
    scope: 0,
    ids: ['1'],
    answer: {ok: true, value: []},
  });
  table.ends(aResult({outcome: 'canceled_by_reconciliation'}));
  table.reads(null, '1');
  assert.equal(table.claim(), undefined);
  table.happens({type: 'candidates.read', project: 'p', scope: 1, answer: {ok: true, value: []}});
  const next = table.happens({type: 'timer.fired', timer: 'poll p'});
  assert.ok(next.some((effect) => effect.do === 'close-tracker' && effect.scope === 0));
});

test('what the former tracker still answers does not count for the new one', () => {
  const table = new Table();
  table.project({}, []);
  table.happens({type: 'timer.fired', timer: 'poll p'});
  table.happens({type: 'project.loaded', workflow: elsewhere()});
  table.happens({
    type: 'candidates.read',
    project: 'p',
    scope: 0,
    answer: {ok: true, value: [anIssue({id: 'old'})]},
  });
  assert.equal(table.claim('old'), undefined);
  table.happens({
    type: 'candidates.read',
    project: 'p',
    scope: 1,
    answer: {ok: true, value: [anIssue({id: 'new'})]},
  });
  assert.equal(table.claim('new')?.scope, 1);
});

test('other states, labels or limits are no other scope', () => {
  const table = new Table();
  table.project({}, []);
  table.happens({
    type: 'project.loaded',
    workflow: aWorkflow({tracker: {requiredLabels: ['agent']}, agent: {maxConcurrentAgents: 1}}),
  });
  assert.equal(table.state.projects.get('p')?.scope, 0);
});

test('a changed server section needs a restart, and that is said', () => {
  const table = new Table();
  table.project({}, []);
  const workflow = aWorkflow();
  const server = {...workflow.settings.server, port: 4321};
  const effects = table.happens({
    type: 'project.loaded',
    workflow: {...workflow, settings: {...workflow.settings, server}},
  });
  const told = effects.filter((effect) => effect.do === 'log' && effect.level === 'warn');
  assert.match(JSON.stringify(told), /needs a restart/);
});

test('a bad change is reported once, and a good one of one project leaves the others alone', () => {
  const table = new Table();
  table.project({}, []);
  const broken = {type: 'project.broken', project: 'p', problem: 'line 3'} as const;
  assert.ok(
    table.happens(broken).some((effect) => effect.do === 'log' && effect.level === 'error'),
  );
  assert.deepEqual(table.happens(broken), []);

  table.project({name: 'other'}, [anIssue()]);
  table.starts(anIssue(), 'other');
  const failure = {code: 'template_parse_error', message: 'line 1'} as const;
  table.ends(aResult({outcome: 'failed', failure}), '1', 'other');
  table.reads(anIssue(), '1', 'other');
  table.happens({type: 'project.loaded', workflow: aWorkflow()});
  assert.equal(table.claim('1', 'other')?.is, 'held');
});
