import assert from 'node:assert/strict';
import {test} from 'node:test';
import {FAILURES, type FailureCode, type RunnerReport} from '@symphony-supervisor/protocol';
import {type Claim, claimKey} from '../../../src/core/claim.ts';
import {resumed} from '../../../src/core/life/resume.ts';
import {emptyState} from '../../../src/core/state.ts';
import {anIssue, aResult, aWorkflow, started, Table} from '../builders.ts';

// What an operator says reaches the agent once: it is queued until a turn has begun with it.

const key = claimKey('p', '1');
const ANSWER = 'The blue one.';
/** All but the one that is about the store, and the one of a run that had turns and ended well. */
const CODES = (Object.keys(FAILURES) as FailureCode[]).filter(
  (code) => code !== 'claim_unreadable' && code !== 'delivery_failed',
);

/** The agent has asked, and the operator has answered: the run that carries the answer is reserved. */
function answered(table = new Table()): Table {
  table.project({}, [anIssue()]);
  table.starts(anIssue());
  reports(table, {type: 'turn_started', turn: 1, session_id: 's', message_ids: []});
  const failure = {code: 'turn_input_required', message: 'Which?'} as const;
  table.ends(aResult({outcome: 'input_required', failure, question: 'Which?'}));
  table.reads(anIssue());
  order(table, ANSWER);
  assert.equal(table.claim()?.is, 'running');
  return table;
}

function order(table: Table, message: string | null): void {
  const command = {command: 'retry', key, message} as const;
  table.happens({type: 'operator.commanded', by: 'me', command});
}

function reports(table: Table, report: RunnerReport): void {
  table.happens({type: 'runner.reported', key, runId: table.runId(), report});
}

function textsOf(claim: Claim | undefined): string[] {
  return claim?.messages.map(({text}) => text) ?? [];
}

/** Whatever the issue waits for comes to pass, until its next run starts; what that run is given. */
function nextStart(table: Table): string[] {
  if (table.claim()?.is === 'held') order(table, null);
  const result = {version: '1', logged_in: true, failure: null};
  for (let hours = 0; hours < 3; hours++) {
    table.later(3_600_000);
    table.happens({type: 'timer.fired', timer: 'probe p'});
    table.happens({type: 'agent.probed', project: 'p', result});
    table.happens({type: 'timer.fired', timer: `retry ${key}`});
    if (table.claim()?.is === 'running') break;
  }
  assert.deepEqual(started(table.reads(anIssue())), [key], 'the next run did not start');
  return textsOf(table.claim());
}

/** A turn begins with all that the run was given, the run ends well, and the next one is given nothing. */
function isGivenOnce(table: Table): void {
  const ids = table.claim()?.messages.map(({id}) => id) ?? [];
  reports(table, {type: 'turn_started', turn: 1, session_id: 's', message_ids: ids});
  assert.deepEqual(textsOf(table.claim()), []);
  table.ends(aResult());
  table.reads(anIssue());
  assert.deepEqual(nextStart(table), []);
}

for (const code of CODES) {
  test(`a start that fails by ${code} before its first turn keeps the answer for the next`, () => {
    const table = answered();
    table.starts(anIssue());
    const failure = {code, message: 'no'};
    table.ends(aResult({outcome: 'failed', failure, turns: 0, thread: null}));
    table.reads(anIssue());
    assert.deepEqual(textsOf(table.claim()), [ANSWER]);
    assert.deepEqual(nextStart(table), [ANSWER]);
    isGivenOnce(table);
  });
}

test('failures in a row, up to the hold by their limit, keep the answer', () => {
  const table = answered();
  for (let failures = 0; failures < 5; failures++) {
    if (failures === 0) table.reads(anIssue());
    else assert.deepEqual(nextStart(table), [ANSWER]);
    const failure = {code: 'hook_failed', message: 'no'} as const;
    table.ends(aResult({outcome: 'failed', failure, turns: 0, thread: null}));
    table.reads(anIssue());
  }
  const claim = table.claim();
  assert.ok(claim?.is === 'held' && claim.because.code === 'limit_failures');
  assert.deepEqual(nextStart(table), [ANSWER]);
  isGivenOnce(table);
});

/** The runner dies, and its last hook is run for it. */
function isKilled(table: Table): void {
  const runId = table.runId();
  table.happens({type: 'runner.exited', key, runId, how: 'SIGKILL'});
  table.happens({type: 'run.finished', key, runId});
}

/** How far a run came before its first turn. */
const WAYS_TO_DIE: Readonly<Record<string, (table: Table) => void>> = {
  'the runner is killed before it has said a word': (table) => {
    table.reads(anIssue());
    isKilled(table);
  },
  'the runner is killed in its workspace': (table) => {
    table.starts(anIssue());
    isKilled(table);
  },
  'the run stalls': (table) => {
    table.starts(anIssue());
    table.later(300_000);
    table.happens({type: 'timer.fired', timer: `stall ${key}`});
    table.ends(aResult({outcome: 'stalled', turns: 0, thread: null}));
  },
  'an operator stops it': (table) => {
    table.starts(anIssue());
    const command = {command: 'stop', key} as const;
    table.happens({type: 'operator.commanded', by: 'me', command});
    table.ends(aResult({outcome: 'stopped_by_operator', turns: 0, thread: null}));
  },
};

for (const [name, dies] of Object.entries(WAYS_TO_DIE)) {
  test(`${name}: the answer is kept for the next run`, () => {
    const table = answered();
    dies(table);
    table.reads(anIssue());
    assert.deepEqual(nextStart(table), [ANSWER]);
    isGivenOnce(table);
  });
}

/** Moments at which the supervisor is killed, and what the run after that is given. */
const MOMENTS: Readonly<Record<string, readonly [(table: Table) => void, string[]]>> = {
  'before the fork': [() => {}, [ANSWER]],
  'after the fork': [(table) => table.reads(anIssue()), [ANSWER]],
  'before the turn': [(table) => table.starts(anIssue()), [ANSWER]],
  'once the turn is on record': [
    (table) => {
      table.starts(anIssue());
      const ids = table.claim()?.messages.map(({id}) => id) ?? [];
      reports(table, {type: 'turn_started', turn: 1, session_id: 's', message_ids: ids});
    },
    [],
  ],
};

for (const [name, [reach, expected]] of Object.entries(MOMENTS)) {
  test(`the supervisor is killed ${name}: the next life gives the agent what it has not had`, () => {
    const former = answered();
    reach(former);
    const table = new Table();
    table.state = resumed(emptyState('next', null), former.state.claims, table.now);
    table.happens({type: 'project.loaded', workflow: aWorkflow()});
    table.happens({type: 'supervisor.started'});
    assert.deepEqual(nextStart(table), expected);
  });
}

test('answers given one after the other come in their order, each with its own id', () => {
  const table = answered();
  table.starts(anIssue());
  const failure = {code: 'hook_failed', message: 'no'} as const;
  table.ends(aResult({outcome: 'failed', failure, turns: 0, thread: null}));
  table.reads(anIssue());
  table.happens({
    ...{type: 'operator.commanded', by: 'me'},
    command: {command: 'pause', project: null},
  });
  order(table, ANSWER);
  order(table, 'And hurry.');
  const messages = table.claim()?.messages ?? [];
  assert.deepEqual(
    messages.map(({text}) => text),
    [ANSWER, ANSWER, 'And hurry.'],
  );
  assert.equal(new Set(messages.map(({id}) => id)).size, 3);
});

test('a turn that begins with some of the messages leaves the others queued', () => {
  const table = answered();
  table.starts(anIssue());
  reports(table, {type: 'turn_started', turn: 1, session_id: 's', message_ids: ['another']});
  assert.deepEqual(textsOf(table.claim()), [ANSWER]);
});
