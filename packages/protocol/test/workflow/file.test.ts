import assert from 'node:assert/strict';
import {chmod, mkdir, mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {formatComplaint, parseWorkflow, readWorkflow} from '../../src/workflow/index.ts';
import {context, errors, read, warnings, workflowIn} from './fixture.ts';

let home = '';
before(async () => {
  home = await mkdtemp(join(tmpdir(), 'workflow-'));
});
after(() => rm(home, {recursive: true}));

const FRONT = 'tracker: {kind: folder}\nagent:\n  max_turns: 3';

test('front matter and prompt are told apart, whatever the ends of lines', () => {
  const plain = `---\n${FRONT}\n---\n\nDo\nit.\n`;
  const expected = workflowIn(parseWorkflow(plain, context));
  assert.equal(expected.prompt.template, 'Do\nit.');
  assert.equal(expected.settings.agent.maxTurns, 3);
  for (const same of [
    `\uFEFF${plain}`,
    plain.replaceAll('\n', '\r\n'),
    `\uFEFF${plain.replaceAll('\n', '\r\n')}`,
    plain.replaceAll('---', '--- \t'),
    `---\n${FRONT}\n---\nDo\nit.`,
  ]) {
    assert.deepEqual(workflowIn(parseWorkflow(same, context)), expected, JSON.stringify(same));
  }
});

test('a later line of dashes belongs to the prompt', () => {
  const text = `---\n${FRONT}\n---\nDo\n---\nit.`;
  assert.equal(workflowIn(parseWorkflow(text, context)).prompt.template, 'Do\n---\nit.');
});

test('a file without a tracker says so, with or without front matter', () => {
  const missing = ['1:1: tracker.kind is missing; give desk or folder or mirror'];
  for (const text of ['', 'Do it.', '---\n---\nDo it.', '---\n# nothing\n---', '---\n~\n---']) {
    assert.deepEqual(errors(parseWorkflow(text, context)), missing, JSON.stringify(text));
  }
});

test('broken front matter is told with its place in the file', () => {
  const cases: readonly [string, string, string][] = [
    [
      '---\ntracker:\n',
      'workflow_parse_error',
      '1:1: the front matter is opened by this "---" and never closed; give a second "---" below it',
    ],
    [
      '---\na: 1\nb: [1, 2\nc: 3\n---',
      'workflow_parse_error',
      '4:1: the front matter is not valid YAML: Flow sequence in block collection must be sufficiently indented and end with a ]',
    ],
    [
      '---\r\nagent:\r\n  max_turns: 1\r\n  max_turns: 2\r\n---',
      'workflow_parse_error',
      '4:3: the front matter is not valid YAML: Map keys must be unique',
    ],
    [
      '---\na: *nobody\n---',
      'workflow_parse_error',
      '1:1: the front matter is not valid YAML: Unresolved alias (the anchor must be set before the alias)',
    ],
    [
      '---\n\n- a\n---',
      'workflow_front_matter_not_a_map',
      '3:1: the front matter is not a map; give lines of the form "key: value"',
    ],
    [
      '---\nhello\n---',
      'workflow_front_matter_not_a_map',
      '2:1: the front matter is not a map; give lines of the form "key: value"',
    ],
  ];
  for (const [text, code, expected] of cases) {
    const reading = parseWorkflow(text, context);
    assert.equal(errors(reading)[0], expected);
    assert.equal(!reading.ok && reading.errors[0]?.code, code);
  }
});

test('a YAML error quotes nothing, because that may be a secret', () => {
  for (const key of [
    '"hidden',
    '*hidden',
    '!hidden 5',
    '|hidden',
    '}hidden',
    'a: hidden',
    '@hidden',
  ]) {
    const reading = read(`tracker:\n  kind: desk\n  api_key: ${key}\n  project_slug: [`);
    assert.ok(errors(reading).length > 0, key);
    assert.doesNotMatch([...errors(reading), ...warnings(reading)].join('\n'), /hidden/);
  }
});

test('what follows a token out of place is not called wrong as well', () => {
  assert.deepEqual(errors(read('a: 1\nb: }\nc: 3\nd: 4')), [
    '3:4: the front matter is not valid YAML: Unexpected flow-map-end token in YAML stream',
  ]);
});

test('aliases are followed, but neither in circles nor without end', () => {
  const shared = workflowIn(
    read(
      'tracker: {kind: folder}\nx: &limits {max_turns: 4}\nagent:\n  <<: *limits\n  max_runs: 2',
    ),
  );
  assert.equal(shared.settings.agent.maxTurns, 4);
  assert.equal(shared.settings.agent.maxRuns, 2);

  assert.deepEqual(
    errors(read('tracker: {kind: folder}\nx: &limits {max_turns: 0}\nagent: *limits')),
    ['3:13: agent.max_turns is 0; give a whole number of at least 1'],
  );

  const levels = Array.from(
    {length: 12},
    (_, n) => `l${n + 1}: &l${n + 1} [*l${n}, *l${n}, *l${n}]`,
  );
  const laughs = read(['l0: &l0 [ha, ha, ha]', ...levels].join('\n'));
  assert.match(errors(laughs)[0] ?? '', /Excessive alias count/);
  assert.match(errors(read('a: &a [*a]'))[0] ?? '', /^1:1: the front matter is not valid YAML/);
  assert.match(errors(read(`a: ${'['.repeat(50_000)}`))[0] ?? '', /not valid YAML/);
});

test('what YAML itself finds odd is a warning', () => {
  assert.deepEqual(warnings(read('tracker: {kind: folder}\nname: !odd acme')), [
    '3:7: Unresolved tag',
  ]);
});

test('a file is read from disk', async () => {
  const path = join(home, 'WORKFLOW.md');
  await writeFile(path, `\uFEFF---\n${FRONT}\n---\nDo it.`);
  const workflow = workflowIn(await readWorkflow(path, context));
  assert.equal(workflow.path, path);
  assert.equal(workflow.prompt.template, 'Do it.');
});

test('a file that cannot be read is told by name', async () => {
  const path = join(home, 'nowhere.md');
  const reading = await readWorkflow(path, context);
  assert.ok(!reading.ok);
  assert.deepEqual(reading.errors.map(formatComplaint), [
    `${path}:1:1: the workflow file cannot be read: there is no such file`,
  ]);
  const folder = await readWorkflow(home, context);
  assert.ok(!folder.ok);
  assert.equal(folder.errors[0]?.code, 'missing_workflow_file');
  assert.match(folder.errors[0]?.message ?? '', /it is not a file/);
});

test('a file without read permission is missing too', {
  skip: process.getuid?.() === 0 ? 'root may read everything' : false,
}, async () => {
  const path = join(home, 'closed.md');
  await writeFile(path, 'Do it.');
  await chmod(path, 0o000);
  assert.deepEqual(errors(await readWorkflow(path, context)), [
    '1:1: the workflow file cannot be read: permission denied',
  ]);
});

test('a file that should hold a secret is looked at, and its content is not read', async () => {
  const path = join(home, 'WORKFLOW.md');
  const at = async (file: string) => {
    const text = `---\ntracker:\n  kind: desk\n  provider:\n    api_key_file: ${file}\n    project_slug: acme\n---\n`;
    await writeFile(path, text);
    return errors(await readWorkflow(path, context));
  };
  const told = (file: string, problem: string) => [
    `5:5: tracker.provider.api_key_file: ${join(home, file)} ${problem}`,
  ];
  const missing = 'does not exist; put the secret there, or give another path';
  assert.deepEqual(await at('key'), told('key', missing));
  assert.deepEqual(await at('WORKFLOW.md/key'), told('WORKFLOW.md/key', missing));
  await mkdir(join(home, 'folder'));
  const isFolder = 'is a folder; give the path of the file with the secret';
  assert.deepEqual(await at('folder'), told('folder', isFolder));
  await writeFile(join(home, 'key'), '\r\n');
  assert.deepEqual(await at('key'), told('key', 'is empty; put the secret into it'));
  await writeFile(join(home, 'key'), 'a secret\n');
  assert.deepEqual(await at('key'), []);
});

test('a secret in the place of the file that should hold it is not shown', async () => {
  const path = join(home, 'WORKFLOW.md');
  const token = `lin_api_${'a1B2'.repeat(10)}`;
  await writeFile(
    path,
    `---\ntracker: {kind: desk, project_slug: p, api_key_file: ${token}}\n---\n`,
  );
  const [told = ''] = errors(await readWorkflow(path, context));
  assert.match(told, /api_key_file.*does not exist/);
  assert.ok(!told.includes(token), told);
});

test('what is too large or no text is refused', async () => {
  const path = join(home, 'odd.md');
  const large = ['1:1: the file is larger than 1000000 bytes; give a workflow file'];
  await writeFile(path, 'x'.repeat(1_000_001));
  assert.deepEqual(errors(await readWorkflow(path, context)), large);
  assert.deepEqual(errors(parseWorkflow('ü'.repeat(500_001), context)), large);
  assert.deepEqual(errors(read(`name: ${'x'.repeat(100_000)}`)), [
    '1:1: the front matter is longer than 100000 characters',
  ]);
  await writeFile(path, Buffer.from([0x2d, 0xff, 0xfe]));
  assert.deepEqual(errors(await readWorkflow(path, context)), ['1:1: the file is not UTF-8 text']);
});
