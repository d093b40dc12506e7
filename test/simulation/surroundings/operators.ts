import type {LastWords} from '../simulated/last-words.ts';
import type {World} from '../world.ts';

const HOUR_MS = 3_600_000;
/** So many of a hundred runs are meddled with as they begin, and at each step of their end. */
const MEDDLED_PERCENT = 6;

/** An operator presses something. */
export function operate(world: World): void {
  const {chance, life} = world;
  const api = life?.supervisor?.api;
  if (api === undefined) return;
  if (chance.is(40)) {
    const command = chance.of(['pause', 'pause', 'resume', 'refresh'] as const);
    const project = chance.of([null, ...world.files.projects]);
    world.tell(`an operator says ${command} to ${project}`);
    api.direct('operator', command, project);
    if (command === 'pause') world.after(chance.span(1_000, HOUR_MS), () => resume(world));
    return;
  }
  if (chance.is(10)) return dismissWaiting(world);
  const keys = [...(life?.supervisor?.state.claims.keys() ?? [])];
  if (keys.length === 0) return;
  press(world, chance.of(keys), chance.of(['stop', 'restart', 'dismiss', 'retry']));
}

/** A candidate that waits for a slot. */
function dismissWaiting(world: World): void {
  const api = world.life?.supervisor?.api;
  const waiting = api?.snapshot.waiting ?? [];
  if (api === undefined || waiting.length === 0) return;
  const {issue_identifier: identifier, project} = world.chance.of(waiting);
  world.tell(`an operator dismisses ${identifier}, which waits`);
  api.order('operator', identifier, project, {command: 'dismiss'});
}

export function press(
  world: World,
  key: string,
  command: 'retry' | Parameters<LastWords['note']>[1],
): void {
  const {life, watcher} = world;
  const claim = life?.supervisor?.state.claims.get(key);
  if (life === null || claim === undefined) return;
  world.tell(`an operator says ${command} to ${key}`);
  watcher.causes.commanded.add(key);
  const order = command === 'retry' ? {command, message: 'go on'} : {command};
  const ordered = life.supervisor?.api.order('operator', claim.issue.identifier, null, order);
  // It may have been killed by that.
  if (ordered?.is === 'done' && life.isAlive) watcher.noteOrder(key, command);
}

function resume(world: World): void {
  world.tell('an operator resumes all');
  world.life?.supervisor?.api.direct('operator', 'resume', null);
}

/** Somebody who presses something just when a runner is about to begin, or its run comes to an end. */
export class Meddler {
  readonly #seen = new Map<string, string>();

  look(world: World): void {
    const {chance, weather, life} = world;
    const claims = life?.supervisor?.state.claims;
    if (weather.isCalm || claims === undefined) return;
    for (const [key, claim] of claims) {
      if ((claim.is !== 'running' && claim.is !== 'stopping') || claim.run === null) continue;
      if (claim.is === 'running' && !['marking', 'forking'].includes(claim.run.step)) continue;
      const step = claim.is === 'stopping' ? claim.step : claim.run.step;
      const moment = `${step} ${claim.run.id}`;
      if (this.#seen.get(key) === moment) continue;
      this.#seen.set(key, moment);
      if (!chance.is(MEDDLED_PERCENT)) continue;
      const command = chance.of(['stop', 'restart', 'dismiss'] as const);
      world.after(chance.span(1, 10_000), () => press(world, key, command));
    }
  }
}
