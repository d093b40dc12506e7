import {type Ending, hasRun, type Running} from '../claim.ts';
import type {Draft} from '../draft.ts';
import type {Project} from '../state.ts';

/**
 * The wall clock was set, or the machine was suspended. That was no silence of an agent, so the clocks of live
 * runs continue where they were. What became due during the suspend is due; when the clock is set back,
 * current delays move with it, so that nothing waits longer than intended.
 *
 * Timers handle this themselves. This file adjusts the instants that are compared when a timer fires.
 */
export function onClockJumped(draft: Draft, byMs: number): void {
  for (const [key, claim] of [...draft.claims]) {
    if (hasRun(claim)) {
      draft.put(key, heardAnew(claim, draft.at, byMs));
    } else if (claim.is === 'retrying' && byMs < 0) {
      draft.put(key, {...claim, dueAt: claim.dueAt + byMs});
    }
  }
  for (const project of [...draft.state.projects.values()]) {
    // No tick was possible during the suspend.
    draft.writeProject(project.name, {tickedAt: Math.min(draft.at, project.tickedAt + byMs)});
    if (byMs < 0) pullIn(draft, project, byMs);
  }
}

function heardAnew<C extends Running | Ending>(claim: C, at: number, byMs: number): C {
  const {lastHeardAt, heartbeatAt} = claim.run;
  // The same silence by the new time; never in the future.
  const moved = (then: number) => Math.min(at, then + byMs);
  const run = {
    ...claim.run,
    lastHeardAt: lastHeardAt === null ? null : moved(lastHeardAt),
    // The runner was suspended, too, and needs a moment to send a heartbeat.
    heartbeatAt: byMs > 0 ? at : moved(heartbeatAt),
  };
  return {...claim, run};
}

function pullIn(draft: Draft, project: Project, byMs: number): void {
  const {name, poll, notBefore, agent, askedTickAt} = project;
  draft.writeProject(name, {
    askedTickAt: askedTickAt + byMs,
    notBefore: notBefore === null ? null : notBefore + byMs,
    agent: agent.is === 'blocked' ? {...agent, until: agent.until + byMs} : agent,
    poll: poll.is === 'waiting' ? {is: 'waiting', nextAt: poll.nextAt + byMs} : poll,
  });
}
