import {MemoryTracker} from '../../src/memory/adapter.ts';
import {FolderOfIssues, soon, unwrap} from '../file/folder-of-issues.ts';
import {BOARD, GithubRig, STATE_LABELS} from '../github/rig.ts';
import {aLinear} from '../linear/open-linear.ts';
import {testContract} from './contract.ts';

testContract('file', async (states) => {
  const ids = states.map((_, index) => `T-${index + 1}`);
  const text = (state: string) => `---\ntitle: A title\nstate: ${state}\n---\n`;
  const folder = new FolderOfIssues();
  const move = (id: string, state: string) => folder.write(`${id}.md`, text(state));
  for (const [index, state] of states.entries()) move(ids[index] ?? '', state);
  return {
    tracker: folder.tracker,
    ids,
    move,
    remove: (id) => folder.remove(`${id}.md`),
    spoil: (id) => folder.write(`${id}.md`, '---\nstate: Todo\ntitle: [\n---\n'),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
});

testContract('memory', async (states) => {
  const ids = states.map((_, index) => `M-${index + 1}`);
  const entries = states.map((state, index) => ({identifier: ids[index], title: 'A title', state}));
  let tracker = new MemoryTracker(entries);
  return {
    get tracker() {
      return tracker;
    },
    ids,
    async move(id, state) {
      const [issue] = unwrap(await tracker.issuesByIds([id], soon()));
      if (issue !== undefined) unwrap(await tracker.transition(issue, state, soon()));
    },
    spoil(id) {
      const spoilt = entries.map((entry) =>
        entry.identifier === id ? {...entry, title: ''} : entry,
      );
      tracker = new MemoryTracker(spoilt);
    },
    [Symbol.asyncDispose]: () => tracker[Symbol.asyncDispose](),
  };
});

testContract('linear', async (states) => {
  const linear = await aLinear();
  const {world, team, proxy} = linear;
  const issues = states.map((state) => world.addIssue(team, state));
  const found = (id: string) => issues.findIndex((issue) => issue.id === id);
  return {
    tracker: linear.tracker,
    ids: issues.map(({id}) => id),
    move: (id, state) => issues[found(id)] && world.move(issues[found(id)] as never, state),
    remove: (id) =>
      world.issues.splice(
        world.issues.findIndex((issue) => issue.id === id),
        1,
      ),
    spoil: (id) =>
      proxy.always({
        is: 'change',
        change: (body) => body.replace(`"title":"${issues[found(id)]?.title}"`, '"title":null'),
      }),
    [Symbol.asyncDispose]: () => linear[Symbol.asyncDispose](),
  };
});

testContract('github', async (states) => {
  const labelsOf = (state: string) => [STATE_LABELS[state as keyof typeof STATE_LABELS]];
  const rig = await GithubRig.start((world) => {
    for (const [index, state] of states.entries()) world.add(index + 1, {labels: labelsOf(state)});
  });
  const {world, proxy} = rig;
  return {
    tracker: rig.tracker({state_labels: STATE_LABELS}, BOARD),
    ids: states.map((_, index) => String(index + 1)),
    move(id, state) {
      const issue = world.issue(Number(id));
      issue.labels = labelsOf(state);
      world.touch(issue, 'a person');
    },
    remove: (id) => world.issues.delete(Number(id)),
    spoil: (id) =>
      proxy.always({
        is: 'change',
        change: (body) => body.replace(`"title":"Issue ${id}"`, '"title":null'),
      }),
    [Symbol.asyncDispose]: () => rig[Symbol.asyncDispose](),
  };
});
