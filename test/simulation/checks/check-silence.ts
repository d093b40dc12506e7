import {HEARTBEAT_MS, isActive} from '@symphony-supervisor/protocol';
import type {State} from 'symphony-supervisor/core';
import {Lasting} from '../lasting.ts';
import type {Life} from '../life.ts';
import type {SimulatedRunner} from '../simulated/simulated-runner.ts';
import {NOTICED_MS} from '../surroundings/clock.ts';
import type {World} from '../world.ts';

const HEARTBEAT_LIMIT_MS = 6 * HEARTBEAT_MS;
const OWN_MOVE_MS = 60_000;
/** What a kill or a stop takes to be carried out, besides. */
const ACT_MS = 1_000;
/** A hook's own limit, a grace period, and the tools that are asked for before a fork. */
const STOP_MS = 60_000 + 15_000 + 30_000;

type Fail = (problem: string) => void;

/** No runner stays that is silent, stalled, told to stop, or done with its issue: by its own account, not the core's. */
export class OverdueRuns {
  readonly #lasting = new Lasting();

  check(world: World, life: Life, state: State, fail: Fail): void {
    const now = world.clock.monotonic();
    for (const runner of world.processes.values()) {
      if (runner.life !== life || runner.job.kind !== 'attempt') continue;
      for (const [why, isOverdue] of Object.entries(reasons(world, state, runner))) {
        const key = `${runner.job.run_id} ${why}`;
        if (this.#lasting.note(key, isOverdue, now) > NOTICED_MS + ACT_MS) {
          fail(`${runner.job.run_id} ${why}, and runs on`);
        }
      }
    }
    this.#lasting.keep((key) => world.processes.has(key.split(' ')[0] ?? ''));
  }
}

function reasons(world: World, state: State, runner: SimulatedRunner): Record<string, boolean> {
  const {clock} = world;
  const now = clock.monotonic();
  const forMs = (since: number | null) => (since === null ? 0 : now - since);
  const claim = [...state.claims.values()].find(({issue}) => runner.issueIds.includes(issue.id));
  const settings = state.projects.get(claim?.project ?? '')?.workflow.settings;
  const stallMs = settings?.agent.stallTimeoutMs ?? 0;
  // Whoever slept is given the time to say that it lives.
  const heardAt = Math.max(runner.lastSaidAt, clock.sleptAt);
  const isTold = runner.stopReason !== null;
  // Whoever could not read what an agent did learns of it with the next tick.
  const movedTo = claim?.is === 'running' ? claim.run.movedTo : null;
  const isMovedAway =
    settings !== undefined && movedTo !== null && !isActive(movedTo, settings.tracker);
  return {
    'gives no sign of life': forMs(heardAt) > HEARTBEAT_LIMIT_MS,
    'has stalled': !isTold && stallMs > 0 && forMs(runner.stalledSince) > stallMs,
    'has moved its issue away': !isTold && isMovedAway && forMs(runner.movedAwayAt) > OWN_MOVE_MS,
    'was told to stop': forMs(runner.stoppedAt) > STOP_MS,
  };
}
