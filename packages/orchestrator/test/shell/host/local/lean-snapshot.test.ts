import assert from 'node:assert/strict';
import {execFile} from 'node:child_process';
import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {promisify} from 'node:util';
import {aFolder} from '../../../../../../test/rig/fixtures/folder.ts';
import {leanSnapshot} from '../../../../src/shell/host/local/lean-snapshot.ts';

const HEAP = Buffer.from('what comes before');

function length(of: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(of));
  return bytes;
}

/** As Node writes it: so many modules, with a count that may be another. */
function aSnapshot(modules: number, count = modules): Buffer {
  const parts = Array.from({length: modules}, (_, index) => {
    const [name, code] = [Buffer.from(`module-${index}`), Buffer.alloc(index, 1)];
    return Buffer.concat([length(name.length), name, length(code.length), code]);
  });
  return Buffer.concat([HEAP, length(count), ...parts]);
}

test('what Node has compiled of its own modules goes, and nothing else', () => {
  assert.deepEqual(leanSnapshot(aSnapshot(300)), aSnapshot(0));
});

test('code that happens to end like a list of one module is no list', () => {
  const code = Buffer.concat([length(1), length(3), Buffer.from('abc'), length(0)]);
  const module = Buffer.concat([length(4), Buffer.from('last'), length(code.length), code]);
  const whole = aSnapshot(300, 301);
  assert.deepEqual(leanSnapshot(Buffer.concat([whole, module])), aSnapshot(0));
});

test('a file that does not end like that stays as it is', () => {
  const whole = aSnapshot(300);
  const cut = whole.subarray(0, -1);
  for (const other of [aSnapshot(300, 299), cut, Buffer.concat([whole, HEAP]), HEAP, length(1)]) {
    assert.equal(leanSnapshot(other), other);
  }
});

test('Node starts from what is left, with what its heap had', async () => {
  await using folder = await aFolder();
  const [script, whole, lean] = ['script.cjs', 'whole', 'lean'].map((name) =>
    join(folder.path, name),
  ) as [string, string, string];
  const text = `const said = 'still ' + 'here';
    require('node:v8').startupSnapshot.setDeserializeMainFunction(() => console.log(said));`;
  await writeFile(script, text);
  const node = (args: string[]) => promisify(execFile)(process.execPath, args);
  await node(['--snapshot-blob', whole, '--build-snapshot', script]);
  const bytes = await readFile(whole);
  const left = leanSnapshot(bytes);
  assert.ok(left.length < bytes.length * 0.7, `${left.length} of ${bytes.length} bytes are left`);
  await writeFile(lean, left);
  assert.equal((await node(['--snapshot-blob', lean])).stdout, 'still here\n');
});
