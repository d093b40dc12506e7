import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdir, symlink, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import type {RunFailure} from '@symphony-supervisor/protocol';
import {aFolder} from '../../../../../test/rig/fixtures/folder.ts';
import {refuseForeignCode} from '../../../src/agent/acp/repository.ts';
import {type AcpJob, acpJob} from './player.ts';

const OPENCODE: AcpJob = {...acpJob(), preset: 'opencode'};

async function verdict(job: AcpJob, workspace: string): Promise<string | null> {
  return refuseForeignCode(job, workspace).then(
    () => null,
    (error: RunFailure) => `${error.failure.code}: ${error.message}`,
  );
}

async function aWorkspace() {
  const folder = await aFolder();
  const path = join(folder.path, 'A-1');
  await mkdir(path);
  return {...folder, root: folder.path, path};
}

test('a repository without configuration of the agent is taken', async () => {
  await using workspace = await aWorkspace();
  await writeFile(join(workspace.path, 'AGENTS.md'), 'Be kind.');
  await mkdir(join(workspace.path, 'opencode'));
  assert.equal(await verdict(OPENCODE, workspace.path), null);
});

test('whatever stands under the name of such configuration is refused, without being opened', async () => {
  const make: Readonly<Record<string, (path: string) => unknown>> = {
    'opencode.json': (path) => writeFile(path, '{}'),
    'OpenCode.JSONC': (path) => writeFile(path, 'not even JSON'),
    '.opencode': (path) => mkdir(path),
    '.OPENCODE': (path) => symlink('/nowhere', path),
    // Opened, it would block for ever.
    'opencode.jsonc': (path) => execFileSync('mkfifo', [path]),
  };
  for (const [name, put] of Object.entries(make)) {
    await using workspace = await aWorkspace();
    await put(join(workspace.path, name));
    const said = await verdict(OPENCODE, workspace.path);
    assert.match(said ?? '', /^untrusted_repository: /);
    assert.ok(said?.includes(join(workspace.path, name)), name);
    assert.equal(await verdict({...OPENCODE, trust_repository: true}, workspace.path), null);
    assert.equal(await verdict(acpJob(), workspace.path), null, 'nothing is known of other agents');
    const other: AcpJob = {...acpJob(), preset: 'claude-agent-acp'};
    assert.equal(await verdict(other, workspace.path), null, 'this one has a switch');
  }
});

test('configuration beside the workspace counts, too: other agents can write there', async () => {
  await using workspace = await aWorkspace();
  await mkdir(join(workspace.root, '.opencode'));
  assert.match((await verdict(OPENCODE, workspace.path)) ?? '', /untrusted_repository/);
});
