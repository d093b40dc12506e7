import assert from 'node:assert/strict';
import {test} from 'node:test';
import {codeOf, identifiers, known, LIVE} from './open-linear.ts';
import {type Edit, edited, threePages} from './pages.ts';

test('one malformed issue is left out of the candidates, with a warning', async () => {
  const breaks: Edit[] = [
    ({data}) => void delete data.issues.nodes[3]?.title,
    ({data}) => void delete data.issues.nodes[3]?.state,
    ({data}) => void delete data.issues.nodes[3]?.inverseRelations,
    ({data}) => void data.issues.nodes.splice(3, 1, {identifier: 'ENG-4'}),
    ({data}) => void data.issues.nodes.splice(3, 1, null as never),
  ];
  for (const edit of breaks) {
    await using linear = await threePages();
    linear.proxy.next(edited(edit));
    const answer = await linear.read();
    assert.deepEqual(identifiers(answer), linear.names.toSpliced(3, 1));
    assert.ok(answer.ok && answer.warnings[0]?.count === 1);
  }
});

test('asked for by id, a malformed issue fails the call: it is not gone', async () => {
  const breaks: Edit[] = [
    ({data}) => void data.issues.nodes.splice(0, 1, {id: data.issues.nodes[0]?.id}),
    ({data}) => void delete data.issues.nodes[0]?.id,
  ];
  for (const edit of breaks) {
    await using linear = await threePages();
    const ids = linear.issues.slice(0, 3).map(({id}) => id);
    linear.proxy.next(edited(edit));
    assert.equal(codeOf(await linear.tracker.issuesByIds(ids, LIVE)), 'tracker_response');
  }
});

test('an issue that nobody asked for is not taken', async () => {
  await using linear = await threePages();
  const [first, second] = linear.issues;
  assert.ok(first !== undefined && second !== undefined);
  const stranger = edited(({data}) => {
    data.issues.nodes.push({...data.issues.nodes[0], id: 'stranger', state: {name: 'Done'}});
  });
  linear.proxy.next(stranger);
  assert.deepEqual(identifiers(await linear.tracker.issuesByIds([first.id], LIVE)), ['ENG-1']);
  linear.proxy.next(stranger);
  assert.deepEqual(identifiers(await linear.read()), linear.names);
});

test('optional values that cannot be used are none, and a relation that cannot be read blocks', async () => {
  await using linear = await threePages();
  const [issue] = linear.issues;
  assert.ok(issue !== undefined);
  const nonsense = {description: '  ', priority: 'high', url: 7, createdAt: 'once'};
  linear.proxy.next(
    edited(({data}) => {
      Object.assign(data.issues.nodes[0] ?? {}, nonsense, {
        branchName: null,
        assignee: null,
        inverseRelations: {nodes: [{type: 'blocks', issue: null}]},
      });
    }),
  );
  const found = await known(linear.tracker, issue);
  const {description, priority, created_at, branch_name, assignee_id} = found;
  assert.deepEqual(
    [description, priority, created_at, branch_name, assignee_id],
    [null, null, null, null, null],
  );
  assert.deepEqual(found.blocked_by, [{id: null, identifier: null, state: null}]);
});
