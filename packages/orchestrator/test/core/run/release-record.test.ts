import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {Effect} from '../../../src/core/effect.ts';
import {anIssue, aResult, aWorkflow, type Knobs, Table} from '../builders.ts';

function ended(knobs: Knobs = {}): Table {
  const table = new Table();
  table.project(knobs, [anIssue()]);
  table.starts(anIssue());
  table.ends(aResult());
  return table;
}

function recorded(effects: readonly Effect[]) {
  return effects.flatMap((effect) =>
    effect.do === 'record-release' ? [[effect.status, effect.state]] : [],
  );
}

test('how an issue stood when it was let go is on record: done, parked or gone', () => {
  const done = ended();
  done.reads(anIssue({state: 'Done'}));
  const outcome = {is: 'removed'} as const;
  const path = '/workspaces/ABC-1';
  const cleaned = done.happens({type: 'workspace.cleaned', key: 'p/1', path, outcome});
  assert.deepEqual(recorded(cleaned), [['done', 'Done']]);
  assert.deepEqual(recorded(ended().reads(anIssue({state: 'Backlog'}))), [['parked', 'Backlog']]);
  assert.deepEqual(recorded(ended().reads(null, '1')), [['gone', null]]);
});

test('after a handoff it is parked in the handoff state', () => {
  const table = ended({tracker: {handoffState: 'Review'}});
  const runId = table.runId();
  table.reads(anIssue());
  const effects = table.happens({type: 'state.written', key: 'p/1', runId, answer: 'written'});
  assert.deepEqual(recorded(effects), [['parked', 'Review']]);
});

test('a handoff state that the file no longer names is not known any more', () => {
  const table = ended({tracker: {handoffState: 'Review'}});
  const runId = table.runId();
  table.reads(anIssue());
  table.happens({type: 'project.loaded', workflow: aWorkflow()});
  const effects = table.happens({type: 'state.written', key: 'p/1', runId, answer: 'written'});
  assert.deepEqual(recorded(effects), [['waiting', 'Todo']]);
});

test('one that waits for its retry and is gone, or is released by an operator', () => {
  const gone = ended();
  gone.reads(anIssue());
  const answer = {ok: true, value: []} as const;
  const read = {type: 'claimed.read', project: 'p', scope: 0, ids: ['1'], answer} as const;
  assert.deepEqual(recorded(gone.happens(read)), [['gone', null]]);
  const released = ended();
  released.reads(anIssue());
  const command = {command: 'restart', key: 'p/1'} as const;
  const effects = released.happens({type: 'operator.commanded', by: 'me', command});
  assert.deepEqual(recorded(effects), [['waiting', 'Todo']]);
});

test('a run is on record with its issue, its workspace, its model, and what came of it', () => {
  const table = new Table();
  table.project({agent: {model: 'm-1'}}, [anIssue()]);
  table.starts(anIssue());
  const made = {
    ...{branch: 'b', head: 'abc', commits: 2, files: 3, lines_added: 4, lines_removed: 5},
  };
  const links = [{name: 'pr', url: 'https://example.test/1'}];
  const effects = table.ends(aResult({made, links}));
  const record = effects.find((effect) => effect.do === 'record-run');
  assert.ok(record?.do === 'record-run');
  const {title, url, state} = anIssue();
  assert.deepEqual(record.record.results, {
    ...{title, url, state, workspacePath: '/workspaces/ABC-1', model: 'm-1', made, links},
    ...{agent: 'codex', isMeasured: true, isPartial: false},
  });
});

test('where the workflow leaves the choice to the agent, the record has the model that it named', () => {
  const table = new Table();
  table.project({}, [anIssue()]);
  table.starts(anIssue());
  const small = {...aResult().usage, total_tokens: 1};
  const large = {...small, total_tokens: 2};
  const models = [
    {model: null, usage: {...small, total_tokens: 3}},
    {model: 'for titles', usage: small},
    {model: 'm-2', usage: large},
  ];
  const effects = table.ends(aResult({is_measured: false, models}));
  const record = effects.find((effect) => effect.do === 'record-run');
  assert.ok(record?.do === 'record-run');
  const {model, isMeasured} = record.record.results;
  assert.deepEqual([model, isMeasured], ['m-2', false]);
});
