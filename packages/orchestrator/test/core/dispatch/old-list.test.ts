import assert from 'node:assert/strict';
import {test} from 'node:test';
import {anIssue, aResult, reserved, Table} from '../builders.ts';

const [FIRST, SECOND] = [anIssue(), anIssue({id: '2', identifier: 'ABC-2'})];

/** A run under way, and a tick that has read its issue as one to be worked on. */
function running(knobs: Parameters<Table['project']>[0] = {}): Table {
  const table = new Table();
  table.project({agent: {maxConcurrentAgents: 1}, ...knobs}, [FIRST]);
  table.starts(FIRST);
  table.happens({type: 'timer.fired', timer: 'poll p'});
  const read = {project: 'p', scope: 0, answer: {ok: true, value: [FIRST, SECOND]}} as const;
  table.happens({type: 'claimed.read', ...read, ids: ['1']});
  table.happens({type: 'candidates.read', ...read});
  assert.equal(table.state.projects.get('p')?.candidates.length, 2);
  return table;
}

test('an issue that was read as over after its run is not taken again from an older list', () => {
  for (const after of [anIssue({state: 'Review'}), anIssue({state: 'Done'}), null]) {
    const table = running();
    table.ends(aResult());
    assert.deepEqual(reserved(table.reads(after, '1')), ['2'], String(after?.state));
    const path = '/workspaces/ABC-1';
    table.happens({type: 'workspace.cleaned', key: 'p/1', path, outcome: {is: 'removed'}});
    assert.equal(table.claim('1'), undefined);
    // The slot is free again, and nothing else waits.
    table.ends(aResult(), '2');
    assert.deepEqual(reserved(table.reads(null, '2')), []);
  }
});

test('nor is one that was handed off', () => {
  const table = running({tracker: {handoffState: 'Review'}});
  table.ends(aResult());
  table.reads(FIRST);
  const written = {key: 'p/1', runId: table.runId(), answer: 'written'} as const;
  assert.deepEqual(reserved(table.happens({type: 'state.written', ...written})), ['2']);
  table.starts(SECOND);
  table.ends(aResult(), '2');
  assert.deepEqual(reserved(table.reads(null, '2')), []);
});
