import assert from 'node:assert/strict';
import {mkdir, rename, stat, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {AgentPuppet} from '@symphony-supervisor/scripts/puppet';
import {aProject, reaches, SupervisorRig, writeIssue} from '../rig/supervisor.ts';

const MB = 1024 * 1024;
const INTERVAL_MS = 500;
/** The contract: a file is named this soon after it was read, and a poll reads it. */
const NAMED_MS = 2_000;

/** As many lines as a file may have bytes: what is longer is refused without a parser. */
function oneMegabyte(line: (number: number) => string): string {
  const lines = ['---', 'state: Todo'];
  let bytes = 0;
  for (let number = 0; bytes < MB - 1_000; number++) {
    const text = line(number);
    bytes += text.length + 1;
    lines.push(text);
  }
  return [...lines, '---', '# Hostile', ''].join('\n');
}

/** Without bounds the parser takes minutes for each of them. */
const HOSTILE = {
  KEYS: oneMegabyte((number) => `k${number}: 1`),
  ANCHORS: oneMegabyte((number) => `k${number}: &a${number} 1`),
  ALIASES: oneMegabyte((number) => (number === 0 ? 'k0: &a [1]' : `k${number}: [*a, *a, *a, *a]`)),
};

const HEALTHY = Array.from({length: 10}, (_, nth) => `T-${nth + 1}`);

/** Appears whole, as with every editor and `git pull`. Resolves to when that was. */
async function drop(folder: string, name: string, content: string): Promise<number> {
  const path = join(folder, 'issues', `${name}.md`);
  await writeFile(`${path}.draft`, content);
  await rename(`${path}.draft`, path);
  return (await stat(path)).ctimeMs;
}

test('issue files made against the parser are named at once, and all other work goes on', async () => {
  await using puppet = await AgentPuppet.listen();
  const agent = {max_concurrent_agents: 3};
  const polling = {interval_ms: INTERVAL_MS};
  await using folder = await aProject(puppet.command, HEALTHY, {agent, polling});
  const other = join(folder.path, 'other');
  await mkdir(join(other, 'issues'), {recursive: true});
  const settings = {name: 'q', tracker: {kind: 'file'}, polling, codex: {command: puppet.command}};
  await writeFile(
    join(other, 'WORKFLOW.md'),
    `---\n${JSON.stringify(settings)}\n---\nDo {{issue.identifier}}.\n`,
  );
  await using supervisor = new SupervisorRig(folder.path, ['WORKFLOW.md', 'other/WORKFLOW.md']);
  const finishes = async (): Promise<void> => {
    const turn = await puppet.nextTurn();
    await turn.callsTool('update_issue', {state: 'Done'});
    await turn.completes();
  };

  await finishes();
  for (const [name, content] of Object.entries(HOSTILE)) {
    const droppedAt = await drop(folder.path, name, content);
    await supervisor.shows(`${name} as left out`, ({projects: [p]}) =>
      Boolean(p?.tracker.malformed?.examples.some((one) => one.includes(`/issues/${name}.md:1: `))),
    );
    const line = supervisor.log.find(
      ({event, project, reason}) =>
        event === 'tracker.malformed_records' && project === 'p' && reason?.includes(name),
    );
    const tookMs = Date.parse(line?.time ?? '') - droppedAt;
    assert.ok(tookMs < INTERVAL_MS + NAMED_MS, `${name} was named after ${tookMs} ms`);
    await finishes();
  }
  await writeIssue(other, 'Q-1', 'Todo');
  for (let left = HEALTHY.length - 4 + 1; left > 0; left--) await finishes();
  for (const issue of HEALTHY) await reaches(folder.path, issue, 'Done');
  await reaches(other, 'Q-1', 'Done');
  const {projects} = await supervisor.shows('both projects', () => true);
  assert.deepEqual(
    projects.map(({tracker, last_error: error}) => [tracker.malformed?.count ?? 0, error]),
    [
      [Object.keys(HOSTILE).length, null],
      [0, null],
    ],
  );
});
