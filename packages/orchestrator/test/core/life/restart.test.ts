import assert from 'node:assert/strict';
import {test} from 'node:test';
import {ofProjects, resumed} from '../../../src/core/life/resume.ts';
import {emptyState, type State} from '../../../src/core/state.ts';
import {anIssue, aResult, aWorkflow, type Knobs, reserved, Table, timers} from '../builders.ts';

/** Killed in this moment and started again, with nothing but what the store holds. */
function restarted(
  former: Table,
  knobs: Knobs = {},
  workspaces: State['workspaces'] = new Map(),
): Table {
  const table = new Table();
  table.state = resumed({...emptyState('next'), workspaces}, former.state.claims, table.now);
  table.happens({type: 'project.loaded', workflow: aWorkflow(knobs)});
  table.happens({type: 'supervisor.started'});
  return table;
}

function running(knobs: Knobs = {}): Table {
  const table = new Table();
  table.project(knobs, [anIssue()]);
  table.starts(anIssue());
  return table;
}

const FAILED = {outcome: 'failed', failure: {code: 'turn_failed', message: 'no'}} as const;

test('died after a failed run was on record: it counts, and its backoff is kept to', () => {
  const former = running();
  former.ends(aResult(FAILED));
  const table = restarted(former);
  table.reads(anIssue());
  const claim = table.claim();
  assert.ok(claim?.is === 'retrying');
  assert.deepEqual([claim.kind, claim.attempt, claim.failures], ['failure', 1, 1]);
  assert.equal(claim.dueAt, table.now + 10_000);
  assert.equal(claim.thread?.id, 'thread-1');
});

test('died after a clean run was on record: it is continued, not run again', () => {
  const former = running();
  former.ends(aResult());
  const table = restarted(former);
  table.reads(anIssue());
  const claim = table.claim();
  assert.ok(claim?.is === 'retrying');
  assert.deepEqual([claim.kind, claim.attempt], ['continuation', 1]);
});

test('tracker write in doubt: re-read, written only if still needed', () => {
  const knobs = {tracker: {handoffState: 'Review'}};
  const inDoubt = () => {
    const former = running(knobs);
    former.ends(aResult());
    former.reads(anIssue());
    const claim = former.claim();
    assert.ok(claim?.is === 'stopping' && claim.step === 'handing-off');
    return restarted(former, knobs);
  };
  const written = inDoubt();
  written.reads(anIssue({state: 'Review'}));
  assert.equal(written.claim(), undefined);
  const lost = inDoubt().reads(anIssue());
  assert.deepEqual(
    lost.flatMap((effect) => (effect.do === 'write-state' ? [effect.state] : [])),
    ['Review'],
  );
});

test('died before the last hook of a dead runner had run: it is run after the restart', () => {
  const former = running();
  const [key, runId] = [former.key(), former.runId()];
  former.happens({type: 'runner.exited', key, runId, how: 'signal SIGKILL'});
  const table = restarted(former);
  assert.deepEqual(
    table.effects.filter((effect) => effect.do === 'finish-run'),
    [{do: 'finish-run', key, runId, outcome: 'failed'}],
  );
  table.happens({type: 'run.finished', key, runId});
  table.reads(anIssue());
  const claim = table.claim();
  assert.ok(claim?.is === 'retrying');
  assert.equal(claim.attempt, 1);
});

test('died while a stalled run was being ended: it has failed all the same', () => {
  const former = running();
  former.later(400_000);
  former.happens({type: 'timer.fired', timer: 'stall p/1'});
  const table = restarted(former);
  table.reads(anIssue());
  const claim = table.claim();
  assert.ok(claim?.is === 'retrying');
  assert.deepEqual([claim.kind, claim.attempt], ['failure', 1]);
});

test('died while a workspace was cleaned: it is cleaned again, if its issue is still over', () => {
  const former = running();
  former.ends(aResult());
  former.reads(anIssue({state: 'Done'}));
  const {workspaces} = former.state;
  const table = restarted(former, {}, workspaces);
  assert.ok(!table.all.some((effect) => effect.do === 'clean-workspace'));
  assert.deepEqual(
    table.confirms(anIssue({state: 'Done'})).filter((effect) => effect.do === 'clean-workspace'),
    [
      {
        ...{do: 'clean-workspace', key: 'p/1', keepWork: true},
        ...{host: 'local', path: '/workspaces/ABC-1'},
      },
    ],
  );
  const reopened = restarted(former, {}, workspaces);
  const effects = reopened.confirms(anIssue());
  assert.ok(!effects.some((effect) => effect.do === 'clean-workspace'));
  assert.equal(reopened.claim(), undefined);
});

test('a clock that was set back while nobody looked makes no retry wait beyond the longest delay', () => {
  const former = running();
  former.ends(aResult(FAILED));
  former.reads(anIssue());
  former.later(-24 * 60 * 60_000);
  const table = new Table();
  table.now = former.now;
  table.state = resumed(emptyState('next'), former.state.claims, table.now);
  table.happens({
    type: 'project.loaded',
    workflow: aWorkflow({agent: {maxRetryBackoffMs: 60_000}}),
  });
  const effects = table.happens({type: 'supervisor.started'});
  assert.equal(timers(effects)['retry p/1'], table.now + 60_000);
  const claim = table.claim();
  assert.ok(claim?.is === 'retrying');
  assert.equal(claim.dueAt, table.now + 60_000);
});

test('a resumed run whose issue cannot be read is put back as it was', () => {
  const table = restarted(running());
  const result = {version: '1', logged_in: true, failure: null};
  table.happens({type: 'agent.probed', project: 'p', result});
  const answer = {ok: false, message: 'down', notBefore: null} as const;
  table.happens({type: 'issue.read', key: 'p/1', runId: table.runId(), answer});
  const claim = table.claim();
  assert.ok(claim?.is === 'retrying');
  assert.deepEqual([claim.kind, claim.attempt, claim.waitsFor], ['resume', null, 'down']);
});

test('what is due of a project that is still to be loaded waits for it, without a word', () => {
  const table = new Table();
  table.state = resumed(emptyState('next'), running().state.claims, table.now);
  table.project({name: 'first'}, []);
  const waiting = table.claim();
  assert.ok(waiting?.is === 'retrying');
  assert.equal(waiting.waitsFor, null);
  table.happens({type: 'project.loaded', workflow: aWorkflow()});
  table.happens({type: 'supervisor.started'});
  const result = {version: '1', logged_in: true, failure: null};
  const effects = table.happens({type: 'agent.probed', project: 'p', result});
  assert.deepEqual(reserved(effects), ['1']);
});

test('claims of a project that is not given stay in the store: nothing is decided about them', () => {
  const former = running();
  former.project({name: 'other'}, [anIssue()]);
  former.starts(anIssue(), 'other');
  assert.deepEqual([...ofProjects(former.state.claims, ['p']).keys()], ['p/1']);
  assert.deepEqual([...ofProjects(former.state.claims, []).keys()], []);
});
