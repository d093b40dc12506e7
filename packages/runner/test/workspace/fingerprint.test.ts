import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdir, stat, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {aFolder} from '../../../../test/rig/fixtures/folder.ts';
import {until} from '../../../../test/rig/survivors.ts';
import {fingerprint} from '../../src/workspace/git/fingerprint.ts';

const second = (ms: number) => Math.floor(ms / 1000);

test('a change of equal size in the second of the last commit is seen in a later second', async () => {
  await using folder = await aFolder();
  const scratch = join(folder.path, 'scratch');
  const print = (workspace: string) => {
    const gitDir = join(workspace, '.git');
    const places = {writable: [], gitDir, commonDir: gitDir};
    return fingerprint(workspace, places, scratch, {PATH: process.env.PATH ?? ''});
  };
  // On a busy machine a second may end in between; then it is tried again.
  for (let number = 1; ; number++) {
    const workspace = join(folder.path, `${number}`);
    const file = join(workspace, 'tracked');
    await mkdir(workspace);
    execFileSync('git', ['init', '-q', workspace]);
    await writeFile(file, 'one\n');
    const {ctimeMs} = await stat(file);
    execFileSync('git', ['-C', workspace, 'add', 'tracked']);
    const before = await print(workspace);
    await writeFile(file, 'two\n');
    const changed = await stat(file);
    if (second(changed.ctimeMs) !== second(ctimeMs)) continue;
    await until(async () => (second(Date.now()) > second(changed.ctimeMs) ? true : null));
    assert.ok('digest' in before);
    assert.notDeepEqual(await print(workspace), before);
    return;
  }
});
