import assert from 'node:assert/strict';
import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {aMachine} from './reader/machine.ts';
import {readPage} from './reader/markdown.ts';

// The project of the page as it stands there: its workflow file, its prompt, its commands.

const [workflow, prompt, script] = readPage('docs/roles.md').blocks.filter(
  ({under}) => under === 'Give some issues another prompt or model',
);

const ISSUES = {
  'T-1': 'state: Todo\npriority: 1\nlabels: [docs]',
  'T-2': 'state: Todo\nlabels: [Typo]',
  'T-3': 'state: Todo',
};

test('the roles of the page take the issues that it says', async () => {
  assert.deepEqual([workflow?.kind, prompt?.kind, script?.kind], ['markdown', 'mustache', 'sh']);
  await using machine = await aMachine();
  const put = async (path: string, text = '') => writeFile(join(machine.path, path), text);
  await mkdir(join(machine.path, 'prompts'));
  await mkdir(join(machine.path, 'issues'));
  await put('WORKFLOW.md', workflow?.text);
  await put('prompts/docs.md', prompt?.text);
  for (const [id, fields] of Object.entries(ISSUES)) {
    await put(`issues/${id}.md`, `---\n${fields}\n---\n# Title of ${id}\n\nText.\n`);
  }
  const said: string[] = [];
  for (const line of script?.text.trim().split('\n') ?? []) said.push(await machine.sh(line));
  const [validated, planned, asDocs, asWorker] = said;
  assert.match(validated ?? '', /valid \(0 errors, 0 warnings\)/);
  const rows = [...(planned ?? '').matchAll(/^(T-\d) +\S+ +Todo +(urgent|docs)? +fresh/gm)];
  assert.deepEqual(
    rows.map(([, id, role]) => [id, role]),
    [
      ['T-1', 'urgent'],
      ['T-2', 'docs'],
      ['T-3', undefined],
    ],
  );
  assert.match(asDocs ?? '', /^You are the docs role\. .*\n\nT-2: Title of T-2\n/);
  assert.match(asWorker ?? '', /^Work on T-2: Title of T-2\n/);
});
