import assert from 'node:assert/strict';
import {test} from 'node:test';
import {Storm} from './weather/storm.ts';

const TOGETHER = 4;

test('supervisors started at once on one state dir: one works, the others exit 5 and name it', async () => {
  await using storm = await Storm.brews(['T-1']);
  const all = Array.from({length: TOGETHER}, () => storm.start());
  try {
    const turn = await storm.puppet.nextTurn();
    const losers = new Set<(typeof all)[number]>();
    // The winner does not end; all the others do.
    await new Promise<void>((resolve) => {
      for (const rig of all) {
        void rig.exited.then(() => losers.add(rig).size === TOGETHER - 1 && resolve());
      }
    });
    const [winner] = all.filter((rig) => !losers.has(rig));
    assert.ok(winner !== undefined);
    for (const loser of losers) {
      assert.equal((await loser.exited).code, 5);
      assert.match(loser.stderr, new RegExp(`process ${winner.process.pid}\\b`));
    }
    await storm.completes(turn, 'T-1');
    await storm.isOver(winner);
  } finally {
    for (const rig of all) await rig[Symbol.asyncDispose]();
  }
});
