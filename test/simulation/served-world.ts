import {join} from 'node:path';
import type {SupervisorApi} from '../../packages/orchestrator/src/shell/api/supervisor-api.ts';
import type {SessionTable} from '../../packages/orchestrator/src/store/index.ts';
import {Life} from './life.ts';
import {Chance} from './surroundings/chance.ts';
import {addIssue} from './surroundings/people.ts';
import {World} from './world.ts';

/** A supervisor in a world that stands still after its first quarter of an hour, for tests that need a supervisor API. */
export async function aServedWorld(
  root: string,
): Promise<AsyncDisposable & {api: SupervisorApi; sessions: SessionTable}> {
  const world = new World(new Chance(1));
  for (let count = 0; count < 10; count++) addIssue(world);
  new Life(world, root, join(root, 'life-1'));
  const until = world.clock.monotonic() + 15 * 60_000;
  do await world.settle();
  while (world.clock.step(until));
  const supervisor = world.life?.supervisor;
  if (supervisor == null) throw new Error('the supervisor did not start');
  return {
    api: supervisor.api,
    sessions: supervisor.sessions,
    [Symbol.asyncDispose]: async () => {
      if (world.life !== null) world.life.isAlive = false; // its runners stand still, too
      await supervisor[Symbol.asyncDispose]();
    },
  };
}
