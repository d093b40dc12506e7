import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {ProcessIdentity, ProcessQuery} from '@symphony-supervisor/protocol/processes';
import {identify} from '@symphony-supervisor/protocol/processes';
import {aFolder} from '../../../../../../test/rig/fixtures/folder.ts';
import {LocalHost} from '../../../../src/shell/host/local/local-host.ts';
import {REAL_CLOCK} from '../../../../src/shell/timers.ts';
import {RUNNER} from './listening.ts';

/** A host whose processes outlive everything; and what it was to end. */
function scene(stateDir: string, unending: readonly ProcessIdentity[] = []) {
  const asked: ProcessQuery[] = [];
  const host = new LocalHost({
    ...{stateDir, logsRoot: stateDir, environment: {}, runnerPath: RUNNER, clock: REAL_CLOCK},
    log: () => {},
    endProcesses: async (query) => {
      asked.push(query);
      return unending;
    },
  });
  return {host, asked};
}

test('what a former life left is looked for by run, by process and by the name of that life', async () => {
  await using folder = await aFolder();
  const {host, asked} = scene(folder.path);
  const processes = [{pid: 7, startedAt: 'boot:1'}];
  await host.endEarlierRuns({runIds: ['former-1', 'older-9'], processes, life: 'former'});
  assert.deepEqual(asked, [
    {
      roots: processes,
      markers: ['SYMPHONY_RUN_ID=former-1', 'SYMPHONY_RUN_ID=older-9'],
      prefixes: ['SYMPHONY_RUN_ID=former-'],
      except: [process.pid],
    },
  ]);
});

test('without a former life no process is looked for', async () => {
  await using folder = await aFolder();
  const {host, asked} = scene(folder.path);
  await host.endEarlierRuns({runIds: [], processes: [], life: null});
  assert.deepEqual(asked, []);
});

test('what cannot be ended is among the processes that are left', async () => {
  await using folder = await aFolder();
  const own = identify(process.pid);
  assert.ok(own !== null);
  const {host} = scene(folder.path, [own]);
  await host.endEarlierRuns({runIds: ['former-1'], processes: [], life: null});
  assert.deepEqual(
    host.leftProcesses.map(({pid}) => pid),
    [process.pid],
  );
});
