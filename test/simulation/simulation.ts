import {join} from 'node:path';
import {aFolder} from '../rig/fixtures/folder.ts';
import {Life} from './life.ts';
import {findLeft} from './simulated/find-left.ts';
import {mendStore} from './simulated/store-fault.ts';
import {Chance} from './surroundings/chance.ts';
import {Meddler, press} from './surroundings/operators.ts';
import {addIssue, disturb} from './surroundings/people.ts';
import {World} from './world.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Once nothing goes wrong any more, everything is worked off within this. */
const CALM_HOURS = 10;

export interface Told {
  readonly digest: string;
  readonly lives: number;
  readonly runs: number;
  readonly lines: number;
  /** By the monotonic clock. */
  readonly days: number;
}

/** Lives through some days with everything that can go wrong, and then through some calm hours. */
export async function simulate(seed: number, days: number): Promise<Told> {
  await using folder = await aFolder();
  const world = new World(new Chance(seed));
  world.issues.onChange = (project) => world.life?.trackers.noteChange(project);
  for (let count = 0; count < 5; count++) addIssue(world);
  new Life(world, folder.path, join(folder.path, 'life-1'));
  const disturbNext = () => {
    if (world.weather.isCalm) return;
    disturb(world);
    world.after(world.chance.span(5_000, 40 * MINUTE_MS), disturbNext);
  };
  world.after(MINUTE_MS, disturbNext);
  try {
    await pass(world, days * DAY_MS);
    calmDown(world);
    await untilAtRest(world);
  } catch (error) {
    throw new Error(`SEED=${seed} DAYS=${days}: ${error}\n${world.story}`, {cause: error});
  }
  const {lives, ledger, lineCount: lines} = world;
  const told = {digest: world.digest(), lives, runs: ledger.accounts.size, lines, days};
  await world.life?.supervisor?.[Symbol.asyncDispose]();
  return told;
}

/** Every hour somebody looks whether all is done; in the end it must be. */
async function untilAtRest(world: World): Promise<void> {
  for (let hours = 0; hours < CALM_HOURS; hours++) {
    await pass(world, HOUR_MS);
    const problems = findLeft(world);
    // Only who has been looked at for more than an hour has had its history looked after.
    if (problems.length === 0 && hours > 0) return;
    if (hours === CALM_HOURS - 1) throw new Error(problems.join('\n'));
  }
}

async function pass(world: World, ms: number): Promise<void> {
  const until = world.clock.monotonic() + ms;
  const meddler = new Meddler();
  for (;;) {
    const went = world.clock.step(until);
    await world.settle();
    world.watcher.look();
    if (world.watcher.problems.length > 0) throw new Error(world.watcher.problems.join('\n'));
    if (!went) return;
    meddler.look(world);
  }
}

function calmDown(world: World): void {
  world.tell('it calms down');
  world.weather.calmDown();
  world.files.mend();
  if (world.ledger.unwritableSince !== null) mendStore(world);
  if (world.life !== null) world.life.fuse = null;
  for (const id of world.issues.ids) world.issues.vanish(id, false);
  const lookAfter = () => {
    const {supervisor} = world.life ?? {};
    supervisor?.api.direct('operator', 'resume', null);
    for (const [key, claim] of supervisor?.state.claims ?? []) {
      if (claim.is === 'held') press(world, key, 'restart');
      if (claim.is === 'dismissed') press(world, key, 'retry');
    }
    world.after(10 * MINUTE_MS, lookAfter);
  };
  lookAfter();
}
