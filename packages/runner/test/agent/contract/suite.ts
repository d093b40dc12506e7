import {test} from 'node:test';
import type {AgentBasics} from '@symphony-supervisor/protocol';
import {aFolder} from '../../../../../test/rig/fixtures/folder.ts';
import {CASE_IDS, CASES} from './cases/all.ts';
import type {Player} from './player.ts';
import {stageOf} from './stage.ts';
import {placeIn} from './surroundings.ts';

/** What the rest of the runner relies on, for every kind of agent and everything that plays it. */
export function testContract<Job extends AgentBasics>(player: Player<Job>): void {
  for (const id of CASE_IDS) {
    const {rule, play} = CASES[id];
    const name = `${player.kind} (${player.player}), ${id}: ${rule}`;
    const cannot = player.cannot[id];
    // What it cannot play is no skipped test: the declaration is checked, and shown in the docs.
    if (cannot !== undefined) continue;
    test(name, async () => {
      await using folder = await aFolder();
      const place = placeIn(folder.path);
      await using actor = await player.enter(place.home);
      const otherCode = player.otherCodes[id]?.code ?? null;
      await play(stageOf(player, actor, {...place, env: actor.env}, otherCode));
    });
  }
}
