import assert from 'node:assert/strict';
import {test} from 'node:test';
import {commandsIn} from '../../src/cli/doctor/shell-words.ts';

function read(script: string): string[] | null {
  const commands = commandsIn(script);
  return (
    commands?.map(({words}) =>
      words.map(({text, isExpanded}) => (isExpanded ? `$<${text}>` : text)).join('|'),
    ) ?? null
  );
}

test('commands end where the shell ends them, and quotes do not', () => {
  assert.deepEqual(read('git clone -- a .\nnpm ci && npm test; true | cat # no more; of this'), [
    'git|clone|--|a|.',
    'npm|ci',
    'npm|test',
    'true',
    'cat',
  ]);
  assert.deepEqual(read(`echo 'a; b' "c && d" e\\ f \\\n  g`), ['echo|a; b|c && d|e f|g']);
  assert.deepEqual(read('(cd x; make)\nif a; then b; fi'), [
    'cd|x',
    'make',
    'if|a',
    'then|b',
    'fi',
  ]);
});

test('what the shell replaces is marked', () => {
  assert.deepEqual(read(`git clone "$URL" \${DIR}/x '$not' ~/y`), [
    `git|clone|$<$URL>|$<\${DIR}/x>|$not|$<~/y>`,
  ]);
});

test('what would have to be guessed is not read', () => {
  assert.equal(read('cat <<END\nrm x\nEND'), null);
  assert.equal(read('case $x in a) b ;; esac'), null);
  assert.equal(read('echo "no end'), null);
});
