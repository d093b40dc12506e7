import assert from 'node:assert/strict';
import {existsSync} from 'node:fs';
import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {aMachine, patient} from './reader/machine.ts';
import {readPage} from './reader/markdown.ts';

// The commands of docs/quick-start.md as they stand there, on a machine where `codex` is the scripted agent.

const page = readPage('docs/quick-start.md');

function commandsUnder(heading: string): string[] {
  const block = page.blocks.find(({kind, under}) => kind === 'sh' && under === heading);
  assert.ok(block !== undefined, `there are no commands under "${heading}"`);
  return block.text.trim().split('\n');
}

test('with a folder of files: from nothing to an issue that is done', async () => {
  await using machine = await aMachine();
  const lines = commandsUnder('With a folder of files');
  const last = lines.pop() ?? '';
  assert.equal(last, 'symphony-supervisor --port 4000');
  const at = lines.findIndex((line) => line.includes(' init '));
  await machine.sh(lines.slice(0, at + 1).join('\n'));
  const file = join(machine.path, 'hello/WORKFLOW.md');
  await writeFile(file, patient(await readFile(file, 'utf8')));
  const said = await machine.sh(['cd hello', ...lines.slice(at + 1)].join('\n'));
  assert.match(said, /HELLO-1/, 'what would be dispatched is not said');

  // The last one stays; here it is to end when the work is done.
  await machine.sh('cd hello && symphony-supervisor --once');
  const issue = await readFile(join(machine.path, 'hello/issues/HELLO-1.md'), 'utf8');
  assert.match(issue, /^state: Done$/m);
  // What the agent made is there, and the page says where.
  const log = await machine.sh('git -C ~/symphony-workspaces/hello/HELLO-1 log --format=%s');
  assert.equal(log, 'Say hello\n');
  const doctor = await machine.sh('cd hello && symphony-supervisor doctor');
  assert.match(doctor, /HELLO-1 \(.*HELLO-1: 1 commit not pushed\)/);
});

test('with a repository: what the agent committed is in the workspace, and the product says so', async () => {
  await using machine = await aMachine();
  await machine.sh(`git init -q --bare -b main origin.git && git init -q -b main seed && cd seed &&
    echo one > one && git add one && git commit -qm one && git push -q ../origin.git main`);
  const repository = join(machine.path, 'origin.git');
  await machine.sh(
    `mkdir hello && cd hello &&
     symphony-supervisor init --tracker file --repository '${repository}'`,
  );
  const file = join(machine.path, 'hello/WORKFLOW.md');
  await writeFile(file, patient(await readFile(file, 'utf8')));
  await machine.sh('cd hello && symphony-supervisor --once');
  const log = await machine.sh('git -C ~/symphony-workspaces/hello/HELLO-1 log --format=%s');
  assert.equal(log, 'Say hello\none\n');
  const doctor = await machine.sh('cd hello && symphony-supervisor doctor');
  assert.match(doctor, /HELLO-1 \(.*HELLO-1: 1 commit not pushed\)/);
});

for (const heading of ['With Linear', 'With GitHub']) {
  test(`${heading.toLowerCase()}: what init writes is valid`, async () => {
    await using machine = await aMachine();
    const [secret = '', init = ''] = commandsUnder(heading);
    assert.match(init, /^symphony-supervisor init /);
    const said = await machine.sh(`${secret}\n${init}\nsymphony-supervisor validate`);
    assert.match(said, /valid \(0 errors, 0 warnings\)/);
    assert.ok(existsSync(join(machine.path, 'WORKFLOW.md')));
  });
}
