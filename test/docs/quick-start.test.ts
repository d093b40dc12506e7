import assert from 'node:assert/strict';
import {execFile} from 'node:child_process';
import {existsSync} from 'node:fs';
import {chmod, mkdir, readFile, symlink, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {promisify} from 'node:util';
import {aFolder} from '../rig/folder.ts';
import {ROOT, readPage} from './markdown.ts';

// The commands of docs/quick-start.md as they stand there, on a machine where `codex` is the scripted agent.

const run = promisify(execFile);
const page = readPage('docs/quick-start.md');

const WORK = [
  {run: 'echo hello > hello.txt && git add hello.txt && git commit -qm "Say hello"'},
  {tool: 'update_issue', arguments: {state: 'Done'}},
];

/** A home folder with a profile that finds our command and the agent, and a folder to work in. */
async function aMachine() {
  const folder = await aFolder();
  const bin = join(folder.path, 'bin');
  await mkdir(bin);
  await symlink(
    join(ROOT, 'node_modules/.bin/symphony-supervisor'),
    join(bin, 'symphony-supervisor'),
  );
  const agent = join(ROOT, 'scripts/dist/scripted-agent.js');
  const script = `#!/bin/sh\nexec '${process.execPath}' '${agent}' --script-json '${JSON.stringify(WORK)}'\n`;
  await writeFile(join(bin, 'codex'), script);
  await chmod(join(bin, 'codex'), 0o755);
  // The shells of agents and hooks are login shells, and some systems give those a PATH of their own.
  await writeFile(join(folder.path, '.profile'), `PATH='${bin}':"$PATH"\n`);
  const env = {
    ...{HOME: folder.path, PATH: `${bin}:${process.env.PATH}`},
    ...{GIT_AUTHOR_NAME: 'Ada', GIT_AUTHOR_EMAIL: 'ada@example.test'},
    ...{GIT_COMMITTER_NAME: 'Ada', GIT_COMMITTER_EMAIL: 'ada@example.test'},
  };
  return {
    path: folder.path,
    async sh(script: string) {
      const options = {cwd: folder.path, env: {...process.env, ...env}};
      return (await run('sh', ['-ec', script], options)).stdout;
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

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
  const said = await machine.sh(lines.join('\n'));
  assert.match(said, /HELLO-1/, 'what would be dispatched is not said');

  // The last one stays; here it is to end when the work is done.
  await machine.sh('cd hello && symphony-supervisor --once');
  const issue = await readFile(join(machine.path, 'hello/issues/HELLO-1.md'), 'utf8');
  assert.match(issue, /^state: Done$/m);
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
