import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import {allTestFiles, filesOf, ROOT, SUITES, scriptsOfCi} from '../testing/suites.ts';

const {scripts} = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

test('every test file of the repository belongs to npm test or to one suite', () => {
  const args = [
    'ls-files',
    '--cached',
    '--others',
    '--exclude-standard',
    '*.test.ts',
    '*.test.mjs',
  ];
  const known = execFileSync('git', args, {cwd: ROOT, encoding: 'utf8'}).trimEnd().split('\n');
  assert.deepEqual(allTestFiles().sort(), known.sort());
  const listed = [null, ...SUITES.map(({name}) => name)].flatMap(filesOf);
  assert.deepEqual(listed.sort(), known.sort());
});

test('.ci/run comes to npm test and to the command of every suite', () => {
  const reached = scriptsOfCi();
  assert.ok(reached.has('test'));
  for (const {name, command} of SUITES) {
    assert.ok(filesOf(name).length > 0, `${name} has no files`);
    assert.ok(reached.has(command.replace('npm run ', '')), `.ci/run leaves out ${command}`);
  }
});

test('the command of a suite runs all its files', () => {
  // These list the files of their folder themselves, after an install or for a report.
  const elsewhere = new Map([
    ['real', 'test/real-codex/run.mjs'],
    ['real-claude', 'test/real-claude/run.mjs'],
    ['real-opencode', 'test/real-opencode/run.mjs'],
    ['pm2', 'test/pm2/run.mjs'],
    ['conformance', 'test/conformance/report.ts'],
  ]);
  for (const {name, command} of SUITES) {
    const script = scripts[command.replace('npm run ', '')];
    assert.ok(script.includes(elsewhere.get(name) ?? `test.mjs --suite=${name}`), script);
  }
});
