import type {Decision, Effect, State} from './core.ts';
import type {Digests} from './digest.ts';
import type {Digested} from './recording.ts';

/** What a decision orders, in a form in which only differences that matter are differences. */
export interface Orders {
  /** By claim in the order in which they were given, because one claim's orders build on each other. */
  readonly claims: ReadonlyMap<string, readonly Effect[]>;
  /** Those of a project or of the whole supervisor, sorted: the shell carries out each by itself. */
  readonly others: readonly Effect[];
}

export function ordersOf(before: State, {state, effects}: Decision): Orders {
  const claims = new Map<string, Effect[]>();
  const others: Effect[] = [];
  for (const effect of effects) {
    const key = keyOf(effect, [before, state]);
    if (key === null) others.push(effect);
    else claims.set(key, [...(claims.get(key) ?? []), effect]);
  }
  return {
    claims: new Map([...claims].sort(([a], [b]) => (a < b ? -1 : 1))),
    others: others.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
  };
}

/** What the decision wants written, beside the orders that are records themselves. */
export function writtenOf({touched}: Decision) {
  return {
    claims: [...touched.claims].sort(),
    counters: [...touched.counters].sort(([a], [b]) => (a < b ? -1 : 1)),
    workspaces: [...touched.workspaces].sort(),
    kept: [...touched.kept].sort(),
  };
}

function keyOf(effect: Effect, states: readonly State[]): string | null {
  if ('key' in effect) return effect.key ?? null;
  if ('runId' in effect) return keyOfRun(effect.runId, states);
  if (effect.do === 'record-run') return effect.record.key;
  if (effect.do !== 'set-timer' && effect.do !== 'clear-timer') return null;
  // Timers of a claim carry its key, which has a slash; names of projects have none.
  const name = effect.timer.slice(effect.timer.indexOf(' ') + 1);
  return name.includes('/') ? name : null;
}

function keyOfRun(runId: string, states: readonly State[]): string | null {
  for (const {claims} of states) {
    for (const [key, claim] of claims) if ('run' in claim && claim.run?.id === runId) return key;
  }
  return null;
}

export function digestsOf(digests: Digests, before: State, decision: Decision): Digested {
  return [
    digests.of(decision.state),
    digests.of(ordersOf(before, decision)),
    digests.of(writtenOf(decision)),
  ];
}
