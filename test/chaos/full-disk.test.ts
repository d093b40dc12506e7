import assert from 'node:assert/strict';
import {closeSync, mkdirSync, openSync, symlinkSync, writeSync} from 'node:fs';
import {rm} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {readStore} from '../rig/fixtures/store-file.ts';
import {Mount, mountProblem} from '../rig/mount.ts';
import {Storm} from './weather/storm.ts';

test('a full disk: what runs goes on, nothing is started, and with room again nothing was lost', {
  skip: mountProblem(),
}, async () => {
  await using storm = await Storm.brews(['T-1'], {agent: {max_concurrent_agents: 3}});
  // Only store and logs lie on it: where a run would have no room either, none would begin at all.
  const disk = join(storm.folder, 'disk');
  for (const folder of [disk, join(storm.folder, '.symphony')]) mkdirSync(folder);
  symlinkSync(join(disk, 'symphony.db'), join(storm.folder, '.symphony/symphony.db'));
  using _disk = Mount.small(disk, 1024);
  await using supervisor = storm.start(['--logs-root', join(disk, 'logs')]);
  const running = await storm.puppet.nextTurn();
  await storm.isOnRecord(running.threadId);

  const filler = join(disk, 'filler');
  fill(filler);
  await storm.cannotWrite(supervisor, running);
  await storm.startsNothing(supervisor, ['T-2', 'T-3'], 'the store cannot be written');
  const answer = await running.callsTool('update_issue', {state: 'Done'});
  assert.ok('result' in answer);
  await running.completes();
  await running.agent.gone;

  await rm(filler);
  await storm.completesAll(['T-2', 'T-3']);
  await storm.isOver(supervisor);
  const runs = readStore(storm.folder).runs.map(({key}) => key);
  // The two that waited start together, and either may be on record first.
  assert.deepEqual(runs.toSorted(), ['p/AFTER', 'p/T-1', 'p/T-2', 'p/T-3']);
});

/** Until there is no room for another byte. */
function fill(path: string): void {
  const file = openSync(path, 'w');
  try {
    for (const size of [65_536, 4096, 1]) {
      try {
        for (;;) writeSync(file, Buffer.alloc(size));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      }
    }
  } finally {
    closeSync(file);
  }
}
