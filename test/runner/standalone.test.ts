import assert from 'node:assert/strict';
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdir, readdir, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {RunnerReport} from '@symphony-supervisor/protocol';
import {AgentPuppet} from '@symphony-supervisor/scripts/puppet';
import {binOf, command} from '../rig/command.ts';
import {ending} from '../rig/ending.ts';
import {aFolder} from '../rig/fixtures/folder.ts';

const ISSUE = `---
state: Todo
---
# Add a greeting

Make hello.txt say hello.
`;

/** A folder with a workflow file, a file tracker and one issue, `T-1`. */
async function aProject(codexCommand: string, more = '') {
  const folder = await aFolder();
  await mkdir(join(folder.path, 'issues'));
  await writeFile(join(folder.path, 'issues/T-1.md'), ISSUE);
  await writeFile(
    join(folder.path, 'WORKFLOW.md'),
    [
      '---',
      'tracker: {kind: file}',
      'workspace: {root: ./workspaces}',
      `codex: ${JSON.stringify({command: codexCommand})}`,
      more,
      '---',
      'Work on {{issue.identifier}}: {{issue.title}}',
    ].join('\n'),
  );
  return folder;
}

test('by hand: one attempt with readable progress, and exit 0', async () => {
  const script = [
    [{run: 'echo hello > hello.txt'}, {tool: 'update_issue', arguments: {state: 'Done'}}],
  ];
  await using puppet = await AgentPuppet.listen({args: ['--script-json', JSON.stringify(script)]});
  await using folder = await aProject(puppet.command);
  const {code, stdout, stderr} = await command('symphony-runner', ['T-1'], {cwd: folder.path});
  assert.equal(code, 0, stdout + stderr);
  assert.match(stdout, /^T-1 {2}Add a greeting {2}\[Todo\]\n/);
  assert.match(stdout, /workspace .*workspaces\/T-1 \(new\)/);
  assert.match(stdout, /turn 1 of 20, session /);
  assert.match(stdout, /T-1 succeeded after 1 turn, \d+ tokens/);
  assert.equal(await readFile(join(folder.path, 'workspaces/T-1/hello.txt'), 'utf8'), 'hello\n');
  assert.match(await readFile(join(folder.path, 'issues/T-1.md'), 'utf8'), /^state: Done$/m);
  assert.equal(await readFile(join(folder.path, '.symphony/.gitignore'), 'utf8'), '*\n');
  const [transcript = ''] = await readdir(join(folder.path, '.symphony/logs/runs'));
  assert.ok(stdout.includes(transcript), 'the transcript is not named');
});

test('by hand: the tracker is not touched unless the agent does', async () => {
  await using puppet = await AgentPuppet.listen({args: ['--script-json', '[[{"say":"ok"}]]']});
  await using folder = await aProject(puppet.command, 'agent: {max_turns: 5}');
  const args = ['T-1', '--max-turns', '2', '--json'];
  const {code, stdout} = await command('symphony-runner', args, {cwd: folder.path});
  assert.equal(code, 0);
  const reports = stdout
    .trim()
    .split('\n')
    .map((line) => RunnerReport.parse(JSON.parse(line)));
  const last = reports.at(-1);
  assert.ok(last?.type === 'result');
  assert.equal(last.result.turns, 2);
  assert.equal(await readFile(join(folder.path, 'issues/T-1.md'), 'utf8'), ISSUE);
});

test('by hand: a failed run ends with exit 1 and says why', async () => {
  await using puppet = await AgentPuppet.listen({
    args: ['--script-json', '[[{"fail":"no luck"}]]'],
  });
  await using folder = await aProject(puppet.command);
  const {code, stdout} = await command('symphony-runner', ['T-1'], {cwd: folder.path});
  assert.equal(code, 1);
  assert.match(stdout, /T-1 failed after 1 turn.*\n {2}turn_failed: no luck/);
});

test('by hand: a question ends with exit 1 and is shown, without the bytes of a terminal', async () => {
  const script = JSON.stringify([[{question: 'Which \u001b[31mcolour?', options: ['red']}]]);
  await using puppet = await AgentPuppet.listen({args: ['--script-json', script]});
  await using folder = await aProject(puppet.command);
  const {code, stdout} = await command('symphony-runner', ['T-1'], {cwd: folder.path});
  assert.equal(code, 1);
  assert.match(stdout, /T-1 input_required/);
  assert.match(stdout, /The agent asks: Which \[31mcolour\?/);
  assert.ok(!stdout.includes('\u001b'));
});

test('by hand: an issue from a file needs no tracker', async () => {
  await using folder = await aProject('false');
  await writeFile(
    join(folder.path, 'issue.json'),
    JSON.stringify({identifier: 'X-9', title: 'From a file', state: 'Todo'}),
  );
  const args = ['--issue-file', 'issue.json', '--print-prompt'];
  const {code, stdout, stderr} = await command('symphony-runner', args, {cwd: folder.path});
  assert.equal(code, 0, stderr);
  assert.equal(stdout, 'Work on X-9: From a file\n');
  assert.deepEqual((await readdir(folder.path)).toSorted(), [
    'WORKFLOW.md',
    'issue.json',
    'issues',
  ]);
});

test('by hand: it says its version, which is that of its package', async () => {
  const manifest = new URL('../../packages/orchestrator/package.json', import.meta.url);
  const {version} = JSON.parse(await readFile(manifest, 'utf8'));
  const {code, stdout} = await command('symphony-runner', ['--version'], {cwd: '/'});
  assert.equal(code, 0);
  assert.equal(stdout, `${version}\n`);
});

test('by hand: every way to get it wrong has one message and its exit code', async (t) => {
  const table: [string, number, string[], RegExp, string?][] = [
    ['no issue', 2, [], /which issue\?/],
    ['two issues', 2, ['T-1', 'T-2'], /give one issue/],
    ['an unknown option', 2, ['T-1', '--maxturns', '2'], /--maxturns/],
    ['no number', 2, ['T-1', '--max-turns', '0'], /--max-turns is 0; give a whole number/],
    ['an unknown issue', 2, ['T-2'], /there is no issue T-2 in the file tracker/],
    ['a missing issue file', 2, ['--issue-file', 'nope.json'], /nope\.json cannot be read/],
    ['a missing workflow', 3, ['T-1', '--workflow', 'nope.md'], /nope\.md:1:1: .*no such file/],
    [
      'a bad setting',
      3,
      ['T-1'],
      /WORKFLOW\.md:5:\d+: agent\.max_turns is 0/,
      'agent: {max_turns: 0}',
    ],
    ['a missing folder', 4, ['T-1'], /tracker_request: .*gone/, 'GONE'],
  ];
  for (const [what, exitCode, args, message, more = ''] of table) {
    await t.test(what, async () => {
      await using folder = await aProject('false', more === 'GONE' ? '' : more);
      if (more === 'GONE') {
        const path = join(folder.path, 'WORKFLOW.md');
        const workflow = await readFile(path, 'utf8');
        await writeFile(path, workflow.replace('kind: file', 'kind: file, provider: {path: gone}'));
      }
      const {code, stderr} = await command('symphony-runner', args, {cwd: folder.path});
      assert.match(stderr, message);
      assert.equal(code, exitCode);
      assert.doesNotMatch(stderr, /\n {4}at /);
    });
  }
});

test('by hand: a misspelled key is named with the nearest known one, and the run continues', async () => {
  await using folder = await aProject('false', 'agent: {max_turn: 3}');
  const args = ['T-1', '--print-prompt'];
  const {code, stderr} = await command('symphony-runner', args, {cwd: folder.path});
  assert.equal(code, 0);
  assert.match(
    stderr,
    /WORKFLOW\.md:5:\d+: agent\.max_turn is not a known key; did you mean max_turns\?/,
  );
});

test('by hand: Ctrl-C asks the agent to end, and after_run still runs', async () => {
  await using puppet = await AgentPuppet.listen();
  await using folder = await aProject(puppet.command, 'hooks: {after_run: touch ../after}');
  const child = spawn(process.execPath, [binOf('symphony-runner'), 'T-1'], {
    cwd: folder.path,
    env: {...process.env, HOME: folder.path},
    stdio: 'ignore',
  });
  await using _end = ending(child);
  const turn = await puppet.nextTurn();
  child.kill('SIGINT');
  const [code] = await once(child, 'exit');
  assert.equal(code, 1);
  await turn.agent.gone;
  assert.ok((await readdir(join(folder.path, 'workspaces'))).includes('after'));
});

test('by hand: the rules of the file choose the role, unless one is asked for', async () => {
  await using folder = await aProject(
    'codex app-server',
    'roles: {greeter: {when: {title: greeting}, prompt: greet.md}, other: {model: m}}',
  );
  await writeFile(join(folder.path, 'greet.md'), 'Greet as {{role}}.');
  const printed = async (...more: string[]) => {
    const args = ['T-1', '--print-prompt', ...more];
    return command('symphony-runner', args, {cwd: folder.path});
  };
  assert.equal((await printed()).stdout, 'Greet as greeter.\n');
  assert.equal((await printed('--role', 'worker')).stdout, 'Work on T-1: Add a greeting\n');
  assert.equal((await printed('--role', 'other')).stdout, 'Work on T-1: Add a greeting\n');
  const {code, stderr} = await printed('--role', 'gretter');
  assert.equal(code, 2);
  assert.match(stderr, /there is no role gretter; the workflow has worker, greeter, other$/m);
});
