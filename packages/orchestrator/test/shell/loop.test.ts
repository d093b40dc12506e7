import assert from 'node:assert/strict';
import {test} from 'node:test';
import {NO_COUNTERS} from '../../src/core/claim.ts';
import type {Effect} from '../../src/core/effect.ts';
import {emptyState} from '../../src/core/state.ts';
import {type Happening, Loop} from '../../src/shell/loop.ts';
import type {StoreChange} from '../../src/store/index.ts';
import {anIssue, aResult, aWorkflow} from '../core/builders.ts';
import {FakeClock} from './fake-clock.ts';

const PROBED = {version: '1', logged_in: true, failure: null};

/** A loop whose orders are only noted: whoever is asked for something answers when the test says so. */
function aLoop(now?: () => number) {
  const saved: StoreChange[] = [];
  const orders: Effect[] = [];
  const trouble = {isFull: false};
  const clock = new FakeClock();
  const happened: string[] = [];
  const loop = new Loop({
    state: emptyState('life'),
    clock,
    ...(now === undefined ? {} : {now}),
    store: {
      save: (change) => {
        if (trouble.isFull) throw new Error('the disk is full');
        saved.push(change);
        happened.push('saved');
      },
    },
    log: () => {},
    perform: (effect) => {
      orders.push(effect);
      happened.push(effect.do);
    },
  });
  const ordered = (name: Effect['do']) => orders.filter((effect) => effect.do === name);
  return {loop, saved, orders, ordered, trouble, clock, happened};
}

/** Up to a run that has been ordered; its issue is `1` of project `p`. */
function running() {
  const scene = aLoop();
  const {loop} = scene;
  loop.post({type: 'project.loaded', workflow: aWorkflow()});
  loop.post({type: 'agent.probed', project: 'p', result: PROBED});
  const answer = {ok: true, value: [anIssue()]} as const;
  loop.post({type: 'candidates.read', project: 'p', scope: 0, askedAt: 0, answer});
  const read = {
    type: 'issue.read',
    key: 'p/1',
    runId: 'life-1',
    askedAt: 0,
    counters: NO_COUNTERS,
    answer: {ok: true, value: anIssue()},
  };
  loop.post(read as Happening);
  return scene;
}

test('what is decided is written before it is acted upon', () => {
  const {happened} = running();
  const start = happened.indexOf('start-run');
  assert.ok(start > 0);
  assert.equal(happened.slice(0, start).at(-1), 'saved');
});

test('the loop never waits: with a tracker that does not answer, everything else goes on', () => {
  const {loop, ordered} = running();
  const exits = {type: 'runner.exited', key: 'p/1', runId: 'life-1', how: 'exit code 0'} as const;
  loop.post({
    type: 'runner.started',
    key: 'p/1',
    runId: 'life-1',
    process: {pid: 1, startedAt: 'then'},
  });
  loop.post({type: 'timer.fired', timer: 'poll p'});
  assert.equal(ordered('read-claimed').length, 1, 'the tracker was not asked');
  // Nobody answers. A snapshot, a stop, a stall check and an exit come through all the same.
  assert.equal(loop.state.claims.get('p/1')?.is, 'running');
  loop.post({type: 'timer.fired', timer: 'stall p/1'});
  loop.post({type: 'operator.commanded', by: 'me', command: {command: 'stop', key: 'p/1'}});
  assert.equal(ordered('stop-run').length, 1);
  const report = {type: 'result', result: aResult({outcome: 'stopped_by_operator'})} as const;
  loop.post({type: 'runner.reported', key: 'p/1', runId: 'life-1', report});
  loop.post(exits);
  assert.equal(ordered('record-run').length, 1);
});

test('an event that is posted while another is decided comes after it', () => {
  const clock = new FakeClock();
  const seen: string[] = [];
  const loop: Loop = new Loop({
    state: emptyState('life'),
    clock,
    store: {save: () => {}},
    log: () => {},
    perform: (effect) => {
      if (effect.do === 'probe-agent') {
        loop.post({type: 'agent.probed', project: 'p', result: PROBED});
        seen.push('posted');
      }
      seen.push(effect.do);
    },
  });
  loop.post({type: 'project.loaded', workflow: aWorkflow()});
  const posted = seen.indexOf('posted');
  assert.deepEqual(seen.slice(posted, posted + 2), ['posted', 'probe-agent']);
  assert.equal(loop.state.projects.get('p')?.agent.is, 'ready');
});

test('while the store cannot be written nothing is started; stops go ahead; later it is made up for', () => {
  const {loop, ordered, trouble, clock} = running();
  loop.post({
    type: 'runner.started',
    key: 'p/1',
    runId: 'life-1',
    process: {pid: 1, startedAt: 'then'},
  });
  trouble.isFull = true;
  loop.post({type: 'timer.fired', timer: 'poll p'});
  const answer = {ok: true, value: [anIssue(), anIssue({id: '2'})]} as const;
  loop.post({type: 'claimed.read', project: 'p', scope: 0, ids: ['1'], askedAt: 0, answer});
  loop.post({type: 'candidates.read', project: 'p', scope: 0, askedAt: 0, answer});
  loop.post({type: 'operator.commanded', by: 'me', command: {command: 'stop', key: 'p/1'}});
  assert.equal(ordered('stop-run').length, 1);
  assert.equal(loop.state.storeIsWritable, false);
  assert.equal(ordered('start-run').length, 1, 'started without being on record');
  trouble.isFull = false;
  clock.pass(1000);
  assert.equal(loop.state.storeIsWritable, true);
});

test("an agent's progress is written at most once a second", () => {
  const {loop, saved, clock} = running();
  loop.post({
    type: 'runner.started',
    key: 'p/1',
    runId: 'life-1',
    process: {pid: 1, startedAt: 'then'},
  });
  const before = saved.length;
  const {usage} = aResult();
  for (let messages = 1; messages <= 50; messages++) {
    const progress = {
      ...{
        event: null,
        message: null,
        messages,
        signs_of_life: messages,
        rate_limits: null,
        is_measured: true,
        models: [],
      },
      ...{usage, thread_usage: usage},
    };
    loop.post({
      type: 'runner.reported',
      key: 'p/1',
      runId: 'life-1',
      report: {type: 'agent', progress},
    });
  }
  assert.equal(saved.length, before);
  clock.pass(1000);
  assert.equal(saved.length, before + 1);
});

test('an event that cannot be decided is set aside, and the next one is decided', () => {
  const {loop} = running();
  loop.post({type: 'project.loaded', workflow: null} as unknown as Happening);
  loop.post({type: 'operator.commanded', by: 'me', command: {command: 'pause', project: null}});
  assert.equal(loop.state.projects.get('p')?.isPaused, true);
});

test('an event is dated with the time that its loop is given', () => {
  const {loop} = aLoop(() => 42);
  loop.post({type: 'project.loaded', workflow: aWorkflow()});
  const {poll} = loop.state.projects.get('p') ?? assert.fail();
  loop.post({
    type: 'candidates.read',
    project: 'p',
    scope: 0,
    askedAt: 0,
    answer: {ok: true, value: []},
  });
  assert.equal(poll.is, 'reading-candidates');
  assert.deepEqual(loop.state.projects.get('p')?.poll, {is: 'waiting', nextAt: 42 + 30_000});
});

test('a write that had to wait for the store is not made for an issue that was let go meanwhile', () => {
  const {loop, ordered, trouble, clock} = aLoop();
  const tracker = {inProgressState: 'In Progress'};
  loop.post({type: 'project.loaded', workflow: aWorkflow({tracker})});
  loop.post({type: 'agent.probed', project: 'p', result: PROBED});
  const answer = {ok: true, value: [anIssue()]} as const;
  loop.post({type: 'candidates.read', project: 'p', scope: 0, askedAt: 0, answer});
  trouble.isFull = true;
  const read = {ok: true, value: anIssue()} as const;
  loop.post({
    type: 'issue.read',
    key: 'p/1',
    runId: 'life-1',
    askedAt: 0,
    counters: NO_COUNTERS,
    answer: read,
  });
  const command = {command: 'restart', key: 'p/1'} as const;
  loop.post({type: 'operator.commanded', by: 'me', command});
  trouble.isFull = false;
  clock.pass(10_000);
  assert.equal(loop.state.storeIsWritable, true);
  assert.deepEqual(ordered('write-state'), []);
});
