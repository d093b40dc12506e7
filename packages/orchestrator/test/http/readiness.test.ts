import assert from 'node:assert/strict';
import {once} from 'node:events';
import {mkdirSync} from 'node:fs';
import {writeFile} from 'node:fs/promises';
import {createServer} from 'node:http';
import {join} from 'node:path';
import {test} from 'node:test';
import {fileURLToPath} from 'node:url';
import {DatabaseSync} from '@photostructure/sqlite';
import {Mount, mountProblem} from '../../../../test/rig/mount.ts';
import {writeIssue} from '../../../../test/rig/supervisor.ts';
import {until} from '../../../../test/rig/survivors.ts';
import {Health} from '../../src/http/index.ts';
import {TrackerThread} from '../../src/shell/trackers/tracker-thread.ts';
import {Served} from './served.ts';

const TROUBLED = fileURLToPath(new URL('../shell/trackers/troubled-thread.mjs', import.meta.url));

async function readiness(served: Served): Promise<Health & {readonly code: number}> {
  const answer = await served.ask('/readyz');
  return {code: answer.status, ...Health.parse(await answer.json())};
}

/** Resolves with the reason as soon as there is one of this code. */
async function hindered(served: Served, code: string): Promise<Health['reasons'][number]> {
  let last: Health | null = null;
  const found = await until(async () => {
    last = await readiness(served);
    return last.reasons.find((reason) => reason.code === code) ?? null;
  });
  if (found === null) throw new Error(`no ${code}: ${JSON.stringify(last)}`);
  const answer = await readiness(served);
  assert.deepEqual([answer.code, answer.status], [503, 'unavailable']);
  return found;
}

async function isReadyAgain(served: Served): Promise<void> {
  const ready = await until(async () => ((await readiness(served)).code === 200 ? true : null));
  assert.ok(ready, JSON.stringify(await readiness(served)));
}

test('a workflow that cannot be used', async () => {
  await using served = await Served.start();
  const path = join(served.folder, 'WORKFLOW.md');
  await writeFile(path, '---\n[]\n---\n');
  const {project, message} = await hindered(served, 'workflow_invalid');
  assert.equal(project, 'p');
  assert.match(message, /WORKFLOW\.md/);
});

test('an agent that cannot be started, also while it is checked again', async () => {
  const settings = {codex: {command: 'no-such-agent'}, agent: {max_retry_backoff_ms: 1000}};
  await using served = await Served.start({settings});
  const {message} = await hindered(served, 'agent_blocked');
  assert.match(message, /^agent_not_found: /);
  await served.until(({projects}) => projects[0]?.agent.status === 'probing');
  const {reasons} = await readiness(served);
  assert.deepEqual(
    reasons.map(({code}) => code),
    ['agent_blocked'],
  );
});

test('a disk without room for a run, until there is room', {skip: mountProblem()}, async () => {
  const mounts: Mount[] = [];
  await using served = await Served.start({
    outside: async (real, stateDir) => {
      const root = join(stateDir, '../workspaces');
      mkdirSync(root);
      mounts.push(Mount.small(root, 1024));
      return real;
    },
  });
  try {
    const {project, message} = await hindered(served, 'disk_full');
    assert.equal(project, 'p');
    assert.match(message, /only 1 MB are free in .*workspaces/);
  } finally {
    for (const mount of mounts) mount[Symbol.dispose]();
  }
  await isReadyAgain(served);
});

test('a tracker thread that ends with every read', async () => {
  const settings = {tracker: {kind: 'file', active_states: ['exit']}};
  await using served = await Served.start({
    settings,
    outside: async (real) => ({
      ...real,
      openTrackers: (onTrouble) =>
        new TrackerThread({filename: TROUBLED, environment: process.env, onTrouble}),
    }),
  });
  const {project, message} = await hindered(served, 'tracker_thread_ended');
  assert.equal(project, null);
  assert.match(message, /ended/);
});

test('a store that another process keeps locked, until it lets go', async () => {
  await using served = await Served.start();
  await isReadyAgain(served);
  const intruder = new DatabaseSync(join(served.stateDir, 'symphony.db'));
  try {
    intruder.exec('PRAGMA busy_timeout = 10000'); // the supervisor may be about to write
    intruder.exec('BEGIN IMMEDIATE');
    await writeIssue(served.folder, 'T-1', 'Todo'); // a claim has to be written
    await hindered(served, 'store_unwritable');
    intruder.exec('ROLLBACK');
  } finally {
    intruder.close();
  }
  await isReadyAgain(served);
});

test('a tracker that takes requests and never answers: no tick ends', async () => {
  await using server = createServer(() => {}).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const endpoint = `http://127.0.0.1:${address.port}/graphql`;
  const provider = {api_key: 'a-key-for-the-test', project_slug: 'web', endpoint};
  await using served = await Served.start({settings: {tracker: {kind: 'linear', provider}}});
  const {project, message} = await hindered(served, 'no_tick');
  server.closeAllConnections();
  assert.equal(project, 'p');
  assert.match(message, /^no tick has read the tracker for 1\d s/);
});
