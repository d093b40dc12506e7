import assert from 'node:assert/strict';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, test} from 'node:test';
import {TrackerProblem} from '../src/answer.ts';
import {secretResolver} from '../src/thread/secrets.ts';

const folder = mkdtempSync(join(tmpdir(), 'secrets-'));
after(() => rmSync(folder, {recursive: true}));
const resolve = secretResolver({SET: 'from env', EMPTY: ''});

function file(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

test('a secret comes from a variable, a file or the workflow file', async () => {
  assert.equal(await resolve({from: 'env', name: 'SET'}), 'from env');
  assert.equal(await resolve({from: 'value', value: 'plain'}), 'plain');
  for (const content of ['key', 'key\n', 'key\r\n']) {
    assert.equal(await resolve({from: 'file', path: file('key', content)}), 'key');
  }
});

test('a missing secret is told by the name of its variable or file', async () => {
  const absent = join(folder, 'absent');
  const empty = file('empty', '\n');
  const rows = [
    [{from: 'env', name: 'UNSET'}, 'UNSET'],
    [{from: 'env', name: 'EMPTY'}, 'EMPTY'],
    [{from: 'file', path: absent}, absent],
    [{from: 'file', path: empty}, empty],
  ] as const;
  for (const [ref, name] of rows) {
    await assert.rejects(resolve(ref), (error) => {
      assert.ok(error instanceof TrackerProblem);
      assert.equal(error.failure.code, 'missing_tracker_secret');
      return error.failure.message.includes(name);
    });
  }
});
