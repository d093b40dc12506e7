import {type Ending, hasRun, type Running} from './claim.ts';
import type {Draft} from './draft.ts';
import {armStallClock, HEARTBEAT_LIMIT_MS} from './stall.ts';
import {SWEEP_MS} from './sweep.ts';

/**
 * The wall clock was set, or the machine slept. Nobody was silent meanwhile, so the clocks of live runs
 * go on where they were. What became due while the machine slept is due; a clock that was set back takes
 * the delays that are under way along, so that nothing waits longer than it was meant to.
 */
export function onClockJumped(draft: Draft, byMs: number): void {
  for (const [key, claim] of [...draft.claims]) {
    if (hasRun(claim)) {
      draft.put(key, heardAnew(claim, draft.at, byMs));
      const at = draft.at + HEARTBEAT_LIMIT_MS;
      draft.order({do: 'set-timer', timer: `heartbeat ${key}`, at});
      armStallClock(draft, key);
    } else if (claim.is === 'retrying' && byMs < 0) {
      const dueAt = claim.dueAt + byMs;
      draft.put(key, {...claim, dueAt});
      draft.order({do: 'set-timer', timer: `retry ${key}`, at: dueAt});
    }
  }
  if (byMs < 0) for (const {name} of [...draft.state.projects.values()]) pullIn(draft, name, byMs);
}

function heardAnew<C extends Running | Ending>(claim: C, at: number, byMs: number): C {
  const {lastHeardAt} = claim.run;
  // Heard after the jump already, or before it: never in the future.
  const moved = lastHeardAt === null ? null : Math.min(at, lastHeardAt + Math.max(0, byMs));
  return {...claim, run: {...claim.run, lastHeardAt: moved, heartbeatAt: at}};
}

function pullIn(draft: Draft, name: string, byMs: number): void {
  const project = draft.loaded(name);
  const {poll, notBefore, agent} = project;
  draft.writeProject(name, {notBefore: notBefore === null ? null : notBefore + byMs});
  if (agent.is === 'blocked') {
    const until = agent.until + byMs;
    draft.writeProject(name, {agent: {...agent, until}});
    draft.order({do: 'set-timer', timer: `probe ${name}`, at: until});
  }
  if (!project.isSweeping) {
    draft.order({do: 'set-timer', timer: `sweep ${name}`, at: draft.at + SWEEP_MS});
  }
  if (poll.is !== 'waiting') return;
  const nextAt = poll.nextAt + byMs;
  draft.writeProject(name, {poll: {is: 'waiting', nextAt}});
  draft.order({do: 'set-timer', timer: `poll ${name}`, at: nextAt});
}
