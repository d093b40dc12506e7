import {breakStoreForAWhile} from '../simulated/store-fault.ts';
import {setClock, type World} from '../world.ts';
import type {Chance} from './chance.ts';
import {STATES} from './issues.ts';
import {operate} from './operators.ts';

const HOUR_MS = 3_600_000;
/** Older issues are left alone: they have had their history. */
const RECENT = 25;

/** Something that somebody or something does to the world; so often in a hundred times. */
export const DISTURBANCES: readonly (readonly [percent: number, act: (world: World) => void])[] = [
  [18, (world) => addIssue(world)],
  [14, (world) => moveIssue(world)],
  [2, (world) => closeAll(world)],
  [4, (world) => labelIssue(world)],
  [3, (world) => vanishIssue(world)],
  [20, (world) => operate(world)],
  [8, (world) => editWorkflow(world)],
  [7, (world) => changeTracker(world)],
  [3, (world) => changeHost(world)],
  [2, (world) => fillDisk(world)],
  [3, (world) => breakStoreForAWhile(world)],
  [3, (world) => moveClock(world)],
  [3, (world) => world.life?.kill()],
  [8, (world) => lightFuse(world)],
  [2, (world) => void world.life?.leave()],
];

export function disturb(world: World): void {
  let left = world.chance.between(0, 99);
  for (const [percent, act] of DISTURBANCES) {
    left -= percent;
    if (left < 0) return act(world);
  }
}

export function addIssue({issues, chance, files}: World): void {
  const project = chance.of(files.projects);
  const other = chance.is(15) ? issues.of(project).at(-1) : undefined;
  const blocked_by = other === undefined ? [] : [{id: other.id, identifier: null, state: null}];
  const priority = chance.is(50) ? chance.between(0, 5) : null;
  issues.add(project, {priority, blocked_by, state: chance.of(['Todo', 'Todo', 'In Progress'])});
}

function anyIssue({issues, chance}: World): string | null {
  const recent = issues.ids.slice(-RECENT);
  return recent.length === 0 ? null : chance.of(recent);
}

function moveIssue(world: World): void {
  const id = anyIssue(world);
  if (id === null) return;
  const state = world.chance.of(STATES);
  world.tell(`a person moves ${id} to ${state}`);
  world.issues.change(id, {state});
}

/** What was worked on is over at one go: then there are many workspaces to clean. */
function closeAll(world: World): void {
  const project = world.chance.of(world.files.projects);
  world.tell(`a person closes all issues of ${project}`);
  for (const {id} of world.issues.of(project).slice(-RECENT)) {
    world.issues.change(id, {state: 'Done'});
  }
}

function labelIssue(world: World): void {
  const id = anyIssue(world);
  if (id !== null) world.issues.change(id, {labels: world.chance.is(30) ? ['parked'] : []});
}

function vanishIssue(world: World): void {
  const id = anyIssue(world);
  if (id === null) return;
  world.tell(`${id} is gone`);
  world.issues.vanish(id, true);
  world.after(world.chance.span(1_000, 2 * HOUR_MS), () => world.issues.vanish(id, false));
}

function editWorkflow(world: World): void {
  world.tell('a workflow is edited');
  world.files.edit(world.chance);
  world.after(world.chance.span(1_000, 2 * HOUR_MS), () => world.files.mend());
}

function changeTracker({chance, weather, clock}: World): void {
  const lastsMs = chance.span(5_000, 12 * HOUR_MS);
  if (chance.is(30)) weather.trackerLies = true;
  weather.tracker = chance.of(['slow', 'down', 'hanging', 'rate limited']);
  weather.limitedUntil = clock.monotonic() + Math.min(lastsMs, 2 * HOUR_MS);
  clock.setTimeout(() => {
    weather.tracker = 'fine';
    weather.trackerLies = false;
  }, lastsMs);
}

function changeHost({chance, weather, clock}: World): void {
  weather.host = chance.of(['agent_not_found', 'unauthorized', 'usage_limit'] as const);
  clock.setTimeout(
    () => {
      weather.host = null;
    },
    chance.span(1_000, 3 * HOUR_MS),
  );
}

function fillDisk({chance, weather, clock}: World): void {
  weather.shortage = 'only 3 MB are free';
  clock.setTimeout(
    () => {
      weather.shortage = null;
    },
    chance.span(1_000, HOUR_MS),
  );
}

/** Set forward or back by somebody, or a machine that slept. */
function moveClock(world: World): void {
  const byMs = wayOf(world.chance) * world.chance.span(1_000, 48 * HOUR_MS);
  setClock(world, byMs);
}

function wayOf(chance: Chance): number {
  return chance.is(35) ? -1 : 1;
}

function lightFuse({life, chance}: World): void {
  if (life === null) return;
  const points = ['before a save', 'after a save', 'fork', 'write', 'answer', 'answer'] as const;
  const then = chance.of(['kill', 'break the store'] as const);
  life.fuse = {point: chance.of(points), times: chance.between(1, 30), then};
}
