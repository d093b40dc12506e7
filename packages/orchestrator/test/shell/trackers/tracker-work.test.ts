import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {Issue} from '@symphony-supervisor/protocol';
import {NO_COUNTERS} from '../../../src/core/claim.ts';
import type {Loop} from '../../../src/shell/loop.ts';
import type {Trackers} from '../../../src/shell/outside.ts';
import {TrackerWork} from '../../../src/shell/trackers/tracker-work.ts';
import {anIssue, aResult, type Knobs, Table} from '../../core/builders.ts';
import {FakeClock} from '../fake-clock.ts';

const [FIRST, SECOND] = [anIssue(), anIssue({id: '2'})];

/** The first issue has the only slot, the second waits; and what is asked of their tracker. */
class Scene {
  readonly clock = new FakeClock();
  readonly table = new Table();
  /** As the tracker has them by now. */
  readonly issues = new Map([FIRST, SECOND].map((issue) => [issue.id, issue]));
  readonly asked: string[] = [];
  readonly #work: TrackerWork;

  constructor(knobs: Knobs = {}) {
    const {table} = this;
    table.project({agent: {maxConcurrentAgents: 1}, ...knobs}, [FIRST, SECOND]);
    table.starts(FIRST);
    const trackers: Pick<Trackers, 'issuesByIds'> = {
      issuesByIds: async (_tracker, ids) => {
        this.asked.push(...ids);
        return {ok: true, value: ids.flatMap((id) => this.issues.get(id) ?? []), warnings: []};
      },
    };
    const loop: Pick<Loop, 'state' | 'post'> = {
      get state() {
        return table.state;
      },
      post: (event) => void table.happens(event),
    };
    const outside = {clock: this.clock, host: {name: 'local', workspacesIn: () => assert.fail()}};
    this.#work = new TrackerWork(
      trackers as Trackers,
      () => loop as Loop,
      outside,
      {countersOf: () => NO_COUNTERS},
      () => {},
    );
  }

  moves(state: string): void {
    this.issues.set('1', {...FIRST, state});
  }

  /** The runner of the first issue asks whether to go on. */
  async turnEnds(): Promise<boolean> {
    const runId = this.table.runId();
    const answer = await this.#work.answer(this.table.key(), runId, {ask: 'issue', id: 1});
    assert.equal(answer.answer, 'issue');
    return answer.answer === 'issue' && answer.value.go_on;
  }

  /** What is asked of the tracker for the read of this issue, after its run or before it. */
  async reads(issue: Issue): Promise<readonly string[]> {
    const [key, runId] = [this.table.key(issue.id), this.table.runId(issue.id)];
    const before = this.asked.length;
    await this.#work.readIssue({do: 'read-issue', key, runId, issue});
    return this.asked.slice(before);
  }

  async ends(): Promise<readonly string[]> {
    this.table.ends(aResult());
    return this.reads(FIRST);
  }
}

test('a run that its issue ends takes one request; the next in its slot is read by itself', async () => {
  const scene = new Scene();
  scene.moves('Done');
  assert.equal(await scene.turnEnds(), false);
  assert.deepEqual(scene.asked, ['1']);
  assert.deepEqual(await scene.ends(), []);
  assert.equal(scene.table.claim()?.is, 'stopping', 'it was read as done, and is cleaned');
  assert.deepEqual(await scene.reads(FIRST), ['1'], 'an answer is used once');
  assert.equal(scene.table.claim('2')?.is, 'running');
  assert.deepEqual(await scene.reads(SECOND), ['2']);
});

test('what was read is good for a moment', async () => {
  const scene = new Scene();
  scene.moves('Done');
  await scene.turnEnds();
  scene.clock.pass(1_001);
  assert.deepEqual(await scene.ends(), ['1']);
});

test('a run that ends otherwise is followed by a read of its own', async () => {
  const going = new Scene();
  assert.equal(await going.turnEnds(), true);
  assert.deepEqual(await going.ends(), ['1']);
  // Its last hook may have changed the issue.
  const hooked = new Scene({hooks: {afterRun: 'true'}});
  hooked.moves('Done');
  assert.equal(await hooked.turnEnds(), false);
  assert.deepEqual(await hooked.ends(), ['1']);
});
