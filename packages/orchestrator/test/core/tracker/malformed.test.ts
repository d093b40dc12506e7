import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {MalformedRecords} from '@symphony-supervisor/protocol';
import type {Effect} from '../../../src/core/effect.ts';
import {snapshotOf} from '../../../src/core/view/snapshot.ts';
import {aWorkflow, Table} from '../builders.ts';

const HERE = {version: '1.2.3', pid: 7, started_at: '2026-01-01T00:00:00.000Z'};
const ONE: MalformedRecords = {count: 1, examples: ['/issues/A-1.md:1: state is missing']};
const TWO: MalformedRecords = {count: 2, examples: [...ONE.examples, '/issues/B-1.md:1: no title']};

function logged(effects: readonly Effect[]) {
  return effects.flatMap((effect) =>
    effect.do === 'log' ? [[effect.level, effect.event, effect.project, effect.reason]] : [],
  );
}

/** Two projects whose first lists were whole; each tick reads another list. */
class TwoLists {
  readonly table = new Table();

  constructor() {
    for (const name of ['p', 'q']) this.table.project({name}, []);
  }

  reads(project: string, malformed?: MalformedRecords) {
    this.table.later(30_000);
    this.table.happens({type: 'timer.fired', timer: `poll ${project}`});
    const answer = {ok: true, value: [], ...(malformed === undefined ? {} : {malformed})} as const;
    return logged(this.table.happens({type: 'candidates.read', project, scope: 0, answer}));
  }

  shown() {
    const {projects} = snapshotOf(this.table.state, this.table.now, HERE);
    return projects.map(({tracker}) => tracker.malformed);
  }
}

test('what a list leaves out is logged when it changes, and shown until it is corrected', () => {
  const lists = new TwoLists();
  const first = '1 left out: /issues/A-1.md:1: state is missing';
  assert.deepEqual(lists.reads('p', ONE), [['warn', 'tracker.malformed_records', 'p', first]]);
  assert.deepEqual(lists.shown(), [ONE, null]);
  assert.deepEqual(lists.reads('p', ONE), []);
  assert.deepEqual(lists.reads('p', TWO), [
    ['warn', 'tracker.malformed_records', 'p', `2${first.slice(1)}; /issues/B-1.md:1: no title`],
  ]);
  assert.deepEqual(lists.reads('p'), [['info', 'tracker.all_readable', 'p', undefined]]);
  assert.deepEqual(lists.shown(), [null, null]);
});

test('what two projects leave out is logged once each, however often both are read', () => {
  const lists = new TwoLists();
  assert.equal(lists.reads('p', ONE).length + lists.reads('q', TWO).length, 2);
  assert.equal(lists.reads('p', ONE).length + lists.reads('q', TWO).length, 0);
  assert.deepEqual(lists.shown(), [ONE, TWO]);
});

test('another tracker has left out nothing yet', () => {
  const lists = new TwoLists();
  lists.reads('p', ONE);
  const workflow = aWorkflow({tracker: {provider: {project_slug: 'another'}}});
  lists.table.happens({type: 'project.loaded', workflow});
  assert.deepEqual(lists.shown(), [null, null]);
});
