import assert from 'node:assert/strict';
import {test} from 'node:test';
import {Issue} from '@symphony-supervisor/protocol';
import type {TrackerAdapter} from '../../src/adapter.ts';
import {soon, unwrap} from '../file/folder-of-issues.ts';

/** An adapter of a profile that `canWrite`. */
type WritingAdapter = TrackerAdapter & Required<Pick<TrackerAdapter, 'transition' | 'comment'>>;

/** One tracker, filled for a test, and the hands of a person in it. */
export interface ContractRig extends AsyncDisposable {
  readonly tracker: WritingAdapter;
  /** Of the issues, in the order of the states that they were asked for in. */
  readonly ids: readonly string[];
  /** A person moves the issue to another state, past the adapter. */
  readonly move: (id: string, state: string) => unknown;
  /** A person deletes the issue; absent where issues cannot go. */
  readonly remove?: (id: string) => unknown;
  /** The tracker's next answers hold a record of this issue that cannot be read. */
  readonly spoil: (id: string) => unknown;
}

/** Fills a tracker with one issue for each state: `Todo`, `In Progress` or `Done`. */
export type StartRig = (states: readonly string[]) => Promise<ContractRig>;

/** What the supervisor relies on, whatever the provider. Each test starts a tracker of its own. */
export function testContract(kind: string, start: StartRig): void {
  test(`${kind}: issues come by state, whole, each once, whatever the case of the state`, async () => {
    await using rig = await start(['Todo', 'Done', 'In Progress']);
    const [todo, , begun] = rig.ids;
    const found = unwrap(await rig.tracker.issuesByStates(['todo', 'Todo', 'In Progress'], soon()));
    assert.deepEqual(found.map(({id}) => id).sort(), [todo, begun].sort());
    for (const issue of found) assert.deepEqual(Issue.parse(issue), issue);
  });

  test(`${kind}: issues come by id, each once, and one that is missing is left out`, async () => {
    await using rig = await start(['Todo', 'Done']);
    const asked = [...rig.ids, ...rig.ids, '999999'];
    const found = unwrap(await rig.tracker.issuesByIds(asked, soon()));
    assert.deepEqual(found.map(({id}) => id).sort(), [...rig.ids].sort());
    assert.deepEqual(found.map(({state}) => state).sort(), ['Done', 'Todo']);
  });

  test(`${kind}: a question about nothing is answered with nothing`, async () => {
    await using rig = await start(['Todo']);
    assert.deepEqual(unwrap(await rig.tracker.issuesByStates([], soon())), []);
    assert.deepEqual(unwrap(await rig.tracker.issuesByIds([], soon())), []);
  });

  test(`${kind}: a malformed record is left out by state and fails the call by id`, async () => {
    await using rig = await start(['Todo', 'Todo']);
    const [bad = '', good] = rig.ids;
    await rig.spoil(bad);
    const listed = await rig.tracker.issuesByStates(['Todo'], soon());
    assert.ok(listed.ok);
    assert.deepEqual(
      listed.value.map(({id}) => id),
      [good],
    );
    assert.equal(listed.warnings[0]?.count, 1);
    const read = await rig.tracker.issuesByIds(rig.ids, soon());
    assert.equal(read.ok ? 'ok' : read.failure.code, 'tracker_response');
  });

  test(`${kind}: a call whose signal is aborted is a failure, not an exception`, async () => {
    await using rig = await start(['Todo']);
    const read = await rig.tracker.issuesByIds(rig.ids, AbortSignal.abort());
    assert.equal(read.ok ? 'ok' : read.failure.code, 'tracker_request');
  });

  test(`${kind}: a transition is written once, and read back`, async () => {
    await using rig = await start(['Todo']);
    const issue = await first(rig);
    const moved = unwrap(await rig.tracker.transition(issue, 'In Progress', soon()));
    assert.ok(moved.outcome === 'written');
    assert.deepEqual(moved.changed, ['state']);
    assert.deepEqual([moved.issue.state, (await first(rig)).state], ['In Progress', 'In Progress']);
    const again = unwrap(await rig.tracker.transition(moved.issue, 'in progress', soon()));
    assert.equal(again.outcome, 'unchanged');
  });

  test(`${kind}: a transition yields to a person who was faster`, async () => {
    await using rig = await start(['Todo']);
    const known = await first(rig);
    await rig.move(known.id, 'Done');
    const yielded = unwrap(await rig.tracker.transition(known, 'In Progress', soon()));
    assert.ok(yielded.outcome === 'conflict');
    assert.equal(yielded.found?.state, 'Done');
    assert.equal((await first(rig)).state, 'Done');
  });

  test(`${kind}: an issue that is gone is a conflict, and neither moved nor commented`, async () => {
    await using rig = await start(['Todo']);
    if (rig.remove === undefined) return;
    const known = await first(rig);
    await rig.remove(known.id);
    const gone = {outcome: 'conflict', found: null};
    assert.deepEqual(unwrap(await rig.tracker.transition(known, 'Done', soon())), gone);
    assert.deepEqual(unwrap(await rig.tracker.comment(known, 'Hello', soon())), gone);
  });

  test(`${kind}: a comment leaves state and labels as they are`, async () => {
    await using rig = await start(['Todo']);
    const issue = await first(rig);
    const said = unwrap(await rig.tracker.comment(issue, 'Hello', soon()));
    assert.ok(said.outcome === 'written');
    assert.deepEqual(said.changed, ['comment']);
    const {state, labels} = await first(rig);
    assert.deepEqual({state, labels}, {state: issue.state, labels: issue.labels});
  });

  test(`${kind}: tools reach the run's own issue, and a bad call is a result`, async () => {
    await using rig = await start(['Todo', 'Todo']);
    const [issue, other] = unwrap(await rig.tracker.issuesByIds(rig.ids, soon()));
    assert.ok(issue !== undefined && other !== undefined);
    const [tool] = rig.tracker.tools(issue);
    assert.ok(tool !== undefined);
    const call = (name: string, args: unknown) => rig.tracker.callTool(issue, name, args, soon());
    const done = await call(tool.name, {state: 'Done'});
    assert.ok(done.success && done.wrote, JSON.stringify(done.content));
    for (const args of [null, 'text', {state: 7}, {}, {id: other.id, state: 'Done'}]) {
      assert.equal((await call(tool.name, args)).success, false, JSON.stringify(args));
    }
    assert.equal((await call('no_such_tool', {})).success, false);
    const states = unwrap(await rig.tracker.issuesByIds([issue.id, other.id], soon()));
    assert.deepEqual(states.map(({state}) => state).sort(), ['Done', 'Todo']);
  });
}

async function first({tracker, ids}: ContractRig): Promise<Issue> {
  const [issue] = unwrap(await tracker.issuesByIds(ids.slice(0, 1), soon()));
  assert.ok(issue !== undefined);
  return issue;
}
