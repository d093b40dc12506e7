import assert from 'node:assert/strict';
import {readdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {aFolder} from '../rig/fixtures/folder.ts';
import {supervisorCommand} from '../rig/supervisor-command.ts';

const FILE = `---
tracker:
  kind: file
  activ_states: [Todo]
agent:
  max_turns: 0
  max_concurrent_agents: many
polling:
  interval_ms: -1
---
Work on {{issue.titel}}.
`;

test('validate tells all mistakes in one go, with line and nearest key; exit 3', async () => {
  await using folder = await aFolder();
  await writeFile(join(folder.path, 'WORKFLOW.md'), FILE);
  const {code, stdout, stderr} = await supervisorCommand(['validate'], {cwd: folder.path});
  assert.equal(code, 3);
  assert.match(stderr, /error: WORKFLOW\.md:6:\d+: agent\.max_turns is 0/);
  assert.match(stderr, /error: WORKFLOW\.md:7:\d+: agent\.max_concurrent_agents/);
  assert.match(stderr, /error: WORKFLOW\.md:9:\d+: polling\.interval_ms is -1/);
  assert.match(stderr, /warning: WORKFLOW\.md:4:\d+: .*activ_states.*active_states/);
  assert.match(stdout, /WORKFLOW\.md: invalid \(3 errors, 1 warning\)/);
  assert.deepEqual(await readdir(folder.path), ['WORKFLOW.md']);
});

test('a mistake in the prompt is a warning, at its line of the file', async () => {
  await using folder = await aFolder();
  const path = join(folder.path, 'WORKFLOW.md');
  await writeFile(
    path,
    '---\r\ntracker: {kind: memory}\r\n---\r\n\r\nWork on\r\n{{issue.titel}}\r\n',
  );
  const {code, stdout, stderr} = await supervisorCommand(['validate'], {cwd: folder.path});
  assert.equal(code, 0);
  assert.match(
    stderr,
    /^warning: .*WORKFLOW\.md:6:\d+: unknown variable "issue\.titel".*issue\.title/,
  );
  assert.match(stdout, /valid \(0 errors, 1 warning\)/);
});

test('--json has the same, for scripts', async () => {
  await using folder = await aFolder();
  await writeFile(join(folder.path, 'WORKFLOW.md'), FILE);
  const {code, stdout} = await supervisorCommand(['validate', '--json'], {cwd: folder.path});
  assert.equal(code, 3);
  const report = JSON.parse(stdout);
  assert.equal(report.valid, false);
  assert.deepEqual(
    report.errors.map(({code, line}: {code: string; line: number}) => `${code} ${line}`),
    ['invalid_setting 6', 'invalid_setting 7', 'invalid_setting 9'],
  );
});

test('a file for the key that is not there: an error at its line, and no start; exit 3', async () => {
  await using folder = await aFolder();
  const tracker =
    'tracker:\n  kind: linear\n  provider:\n    project_slug: p\n    api_key_file: key';
  await writeFile(join(folder.path, 'WORKFLOW.md'), `---\n${tracker}\n---\nWork.\n`);
  for (const args of [['validate'], [], ['--dry-run']]) {
    const {code, stderr} = await supervisorCommand(args, {cwd: folder.path});
    assert.equal(code, 3, args.join(' '));
    const told = `WORKFLOW.md:6:5: tracker.provider.api_key_file: ${join(folder.path, 'key')} does not exist`;
    assert.ok(stderr.includes(told), stderr);
  }
  await writeFile(join(folder.path, 'key'), 'a-key\n');
  assert.equal((await supervisorCommand(['validate'], {cwd: folder.path})).code, 0);
});
