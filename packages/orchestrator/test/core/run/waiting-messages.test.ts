import assert from 'node:assert/strict';
import {test} from 'node:test';
import {conflictOf} from '../../../src/core/life/operator.ts';
import {anIssue, aResult, Table} from '../builders.ts';

const key = 'p/1';

test('only so many messages wait for an agent', () => {
  const table = new Table();
  table.project({}, [anIssue()]);
  table.starts(anIssue());
  table.happens({type: 'operator.commanded', by: 'x', command: {command: 'stop', key}});
  table.happens({type: 'runner.exited', key, runId: table.runId(), how: 'exit code 0'});
  table.happens({type: 'run.finished', key, runId: table.runId()});
  table.reads(anIssue());
  table.happens({type: 'operator.commanded', by: 'x', command: {command: 'pause', project: null}});
  for (let given = 0; given < 25; given++) {
    const command = {command: 'retry', key, message: `word ${given}`} as const;
    table.happens({type: 'operator.commanded', by: 'x', command});
  }
  const claim = table.claim();
  assert.equal(claim?.messages.length, 20);
  assert.match(conflictOf(claim, {command: 'retry', message: 'more'}) ?? '', /20 messages/);
  assert.equal(conflictOf(claim, {command: 'retry', message: null}), null);
});

test('a hold that a moved issue ends keeps the messages that its agent has not had', () => {
  const table = new Table();
  table.project({agent: {maxConsecutiveFailures: 1}}, [anIssue()]);
  table.starts(anIssue());
  const failure = {code: 'hook_failed', message: 'no'} as const;
  const fails = () => {
    table.ends(aResult({outcome: 'failed', failure}));
    table.reads(anIssue());
    assert.equal(table.claim()?.is, 'held');
  };
  fails();
  const command = {command: 'retry', key, message: 'Use tabs.'} as const;
  table.happens({type: 'operator.commanded', by: 'x', command});
  table.starts(anIssue());
  fails();
  table.later(30_000);
  table.happens({type: 'timer.fired', timer: 'poll p'});
  const answer = {ok: true, value: [anIssue({state: 'In Progress'})]} as const;
  table.happens({type: 'claimed.read', project: 'p', scope: 0, ids: ['1'], answer});
  const claim = table.claim();
  assert.ok(claim !== undefined, 'released, and the message with it');
  assert.deepEqual(
    claim.messages.map(({text}) => text),
    ['Use tabs.'],
  );
});
