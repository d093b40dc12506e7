import assert from 'node:assert/strict';
import {readFile} from 'node:fs/promises';
import {test} from 'node:test';
import {fileURLToPath} from 'node:url';
import {aFolder} from '../rig/fixtures/folder.ts';
import {supervisorCommand} from '../rig/supervisor-command.ts';

const DOCS = fileURLToPath(new URL('../../docs/cli.md', import.meta.url));

test('docs/cli.md names every command and every option, and none that is not there', async () => {
  await using folder = await aFolder();
  const docs = await readFile(DOCS, 'utf8');
  const help = async (...args: string[]) =>
    (await supervisorCommand([...args, '--help'], {cwd: folder.path})).stdout;
  const commands = [...(await help()).matchAll(/^ {2}([a-z]+) (?=[[<])/gm)].map(
    ([, name]) => name ?? '',
  );
  const options = new Set<string>(['--help', '--version']);
  for (const command of commands) {
    assert.match(
      docs,
      new RegExp(`^## ${command}$|\`${command}[ \`]`, 'm'),
      `${command} is missing`,
    );
    for (const [option] of (await help(command)).matchAll(/--[a-z-]+/g)) options.add(option);
  }
  const told = new Set([...docs.matchAll(/--[a-z][a-z-]+/g)].map(([option]) => option));
  const missing = [...options].filter((option) => !told.has(option) && option !== '--version');
  assert.deepEqual(missing, []);
  assert.deepEqual(
    [...told].filter((option) => !options.has(option)),
    [],
  );
});
