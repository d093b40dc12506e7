import assert from 'node:assert/strict';
import {access, mkdir, readdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {DatabaseSync} from '@photostructure/sqlite';
import {AgentPuppet} from '@symphony-supervisor/scripts/puppet';
import {withStore} from '../../packages/orchestrator/test/store/a-store.ts';
import {
  RECORDED,
  restoreStore,
  restoreThreads,
} from '../../packages/orchestrator/test/store/recorded/restore.ts';
import {aFolder} from '../rig/fixtures/folder.ts';
import {readStore} from '../rig/fixtures/store-file.ts';
import {SupervisorRig} from '../rig/supervisor.ts';
import {supervisorCommand} from '../rig/supervisor-command.ts';

const ISSUES = {
  p: ['T-running', 'T-failed', 'T-asked', 'T-limit', 'T-stopped', 'T-finishing', 'T-cleaning'],
  q: ['T-continued', 'T-message'],
};
const ARGS = ['run', 'p/WORKFLOW.md', 'q/WORKFLOW.md', '--state-dir', '.symphony'];

for (const version of RECORDED) {
  test(`a store of version ${version}: runs are resumed in their threads, holds and pauses stand, the message arrives`, async () => {
    await using puppet = await AgentPuppet.listen();
    await using folder = await aRecordedFolder(version, puppet);
    const threads = threadsOf(folder.path);
    await using supervisor = new SupervisorRig(folder.path, ARGS);

    const turns = new Map<string, string>();
    for (let i = 0; i < 3; i++) {
      const {agent, threadId, input} = await puppet.nextTurn();
      assert.equal(agent.received('thread/resume').length, 1, 'a new thread was begun');
      turns.set(threads.get(threadId) ?? threadId, input);
    }
    assert.deepEqual([...turns.keys()].toSorted(), ['p/T-failed', 'p/T-finishing', 'p/T-running']);
    assert.match(turns.get('p/T-running') ?? '', /cut off/);
    assert.match(turns.get('p/T-failed') ?? '', /attempt 1.*port_exit/s);
    assert.match(turns.get('p/T-finishing') ?? '', /attempt 1.*runner_crashed/s);

    await supervisor.logged('claim.released', 'p/T-cleaning');
    const {held} = await supervisor.shows('three held issues', (shown) => shown.held.length === 3);
    const shown = held
      .map(({issue_identifier, reason}) => `${issue_identifier} ${reason}`)
      .toSorted();
    const holds = [
      'asked turn_input_required',
      'limit limit_tokens',
      'stopped stopped_by_operator',
    ];
    assert.deepEqual(
      shown,
      holds.map((hold) => `T-${hold}`),
    );

    await ordered(folder.path, 'resume', '--project', 'q');
    const messages = new Map<string, boolean>();
    for (let i = 0; i < 2; i++) {
      const {agent, threadId, input} = await puppet.nextTurn();
      assert.equal(agent.received('thread/resume').length, 1, 'a new thread was begun');
      messages.set(threads.get(threadId) ?? threadId, input.includes('Blue, like the sky.'));
    }
    assert.deepEqual(Object.fromEntries(messages), {'q/T-continued': false, 'q/T-message': true});
    await access(join(folder.path, `.symphony/symphony.db.v${version}`));
  });
}

test('a claim that cannot be read holds its issue, with its workspace, until it is restarted', async () => {
  await using puppet = await AgentPuppet.listen();
  await using folder = await aRecordedFolder(1, puppet);
  const workspace = join(folder.path, 'p/workspaces/T-asked');
  await mkdir(workspace, {recursive: true});
  await writeFile(join(workspace, 'work'), 'of days');
  spoil(folder.path, 'p/T-asked');
  for (const issue of ISSUES.p.filter((id) => id !== 'T-asked'))
    await writeIssue(folder.path, 'p', issue, 'Backlog');
  const supervisor = new SupervisorRig(folder.path, ARGS);
  await using _ended = supervisor;

  const isHeld = ({held}: {held: readonly {issue_identifier: string; reason: string}[]}) =>
    held.some((row) => row.issue_identifier === 'T-asked' && row.reason === 'claim_unreadable');
  await supervisor.shows('the unreadable claim', isHeld);
  await supervisor.logged('claim.unreadable', 'p/T-asked');
  const status = await ordered(folder.path, 'status');
  assert.match(status, /T-asked.*claim.unreadable/s);
  assert.match(unreadableText(folder.path, 'p/T-asked'), /"is":"half a cl$/);
  await assert.rejects(ordered(folder.path, 'retry', 'T-asked'), /restart it to start over/);

  await ordered(folder.path, 'restart', 'T-asked');
  const turn = await puppet.nextTurn();
  assert.equal(turn.input, 'Work on T-asked.', 'it started over');
  assert.deepEqual(await readdir(workspace), ['work']);
});

test('an unreadable claim of an issue that is over is let go, and its workspace is kept', async () => {
  await using puppet = await AgentPuppet.listen();
  await using folder = await aRecordedFolder(1, puppet);
  const workspace = join(folder.path, 'p/workspaces/T-asked');
  await mkdir(workspace, {recursive: true});
  spoil(folder.path, 'p/T-asked');
  await writeIssue(folder.path, 'p', 'T-asked', 'Done');
  await using supervisor = new SupervisorRig(folder.path, ARGS);
  await supervisor.logged('claim.released', 'p/T-asked');
  // The sweep of the start has looked at it by then: the claim of the other workspace is its doing.
  await supervisor.logged('claim.released', 'p/T-cleaning');
  await access(workspace);
});

test('a downgrade is refused with the name of the copy that it can use', async () => {
  await using puppet = await AgentPuppet.listen();
  await using folder = await aRecordedFolder(1, puppet);
  const stateDir = join(folder.path, '.symphony');
  await withStore(stateDir, () => {}); // brought up to date
  const known = withDatabase(folder.path, (db) => {
    const {user_version: version} = db.prepare('PRAGMA user_version').get() as {
      user_version: number;
    };
    db.exec(`PRAGMA user_version = ${version + 1}`);
    return version;
  });
  const copy = join(stateDir, `symphony.db.v${known}`);
  await writeFile(copy, '');
  const {code, stderr} = await supervisorCommand(ARGS, {cwd: folder.path});
  assert.equal(code, 1);
  assert.match(stderr, new RegExp(`schema version ${known + 1}.*supports up to ${known}`));
  assert.ok(stderr.includes(copy), stderr);
});

/** The folder in which a release was killed at work. */
async function aRecordedFolder(version: number, puppet: AgentPuppet) {
  const folder = await aFolder();
  for (const project of ['p', 'q'] as const) {
    await mkdir(join(folder.path, project, 'issues'), {recursive: true});
    const settings = {
      ...{name: project, tracker: {kind: 'file'}, polling: {interval_ms: 500}},
      workspace: {root: './workspaces'},
      agent: {max_retry_backoff_ms: 200},
      codex: {command: puppet.command, read_timeout_ms: 30_000},
    };
    const text = `---\n${JSON.stringify(settings)}\n---\nWork on {{issue.identifier}}.\n`;
    await writeFile(join(folder.path, project, 'WORKFLOW.md'), text);
    for (const issue of ISSUES[project]) {
      await writeIssue(folder.path, project, issue, issue === 'T-cleaning' ? 'Done' : 'Todo');
    }
  }
  restoreStore(version, join(folder.path, '.symphony'), folder.path);
  restoreThreads(version, puppet.home, folder.path);
  return folder;
}

function writeIssue(folder: string, project: string, issue: string, state: string): Promise<void> {
  const path = join(folder, project, 'issues', `${issue}.md`);
  return writeFile(path, `---\nstate: ${state}\n---\n# ${issue}\n`);
}

/** Which issue each thread on record belongs to. */
function threadsOf(folder: string): Map<string, string> {
  const {claims} = readStore(folder);
  return new Map([...claims].map(([key, {thread}]) => [thread?.id ?? '', key]));
}

function spoil(folder: string, key: string): void {
  withDatabase(folder, (db) => {
    db.prepare('UPDATE claims SET claim = ? WHERE key = ?').run('{"is":"half a cl', key);
  });
}

function unreadableText(folder: string, key: string): string {
  return withDatabase(folder, (db) => {
    const row = db.prepare('SELECT text FROM unreadable WHERE key = ?').get(key);
    return (row as {text: string}).text;
  });
}

function withDatabase<T>(folder: string, use: (db: InstanceType<typeof DatabaseSync>) => T): T {
  const db = new DatabaseSync(join(folder, '.symphony/symphony.db'), {timeout: 5_000});
  try {
    return use(db);
  } finally {
    db.close();
  }
}

/** An order by the command line; what it said. */
async function ordered(folder: string, ...args: string[]): Promise<string> {
  const where = {cwd: folder};
  const {code, stdout, stderr} = await supervisorCommand(
    [...args, '--state-dir', '.symphony'],
    where,
  );
  if (code !== 0) throw new Error(stderr);
  return stdout;
}
