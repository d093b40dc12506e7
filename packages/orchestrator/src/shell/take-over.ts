import type {Workflow} from '@symphony-supervisor/protocol';
import {cutOff, ofProjects, resumed, withRuns} from '../core/resume.ts';
import {emptyState, NO_TOTALS, type State} from '../core/state.ts';
import {InstanceLock, type Observe, openStore, type Store} from '../store/index.ts';
import {endFormerLife} from './former-life.ts';
import type {Log} from './log.ts';
import type {Outside} from './outside.ts';

export interface TakeOverOptions {
  readonly workflows: readonly Workflow[];
  readonly stateDir: string;
  readonly maxAgents: number | null;
  readonly once?: boolean;
  readonly log: Log;
  readonly observeStore?: Observe;
}

export interface TakenOver {
  readonly lock: AsyncDisposable;
  readonly store: Store;
  readonly state: State;
}

/** Takes the lock, ends what a former life left running, and takes up what it had under way. */
export async function takeOver(options: TakeOverOptions, outside: Outside): Promise<TakenOver> {
  const {stateDir, workflows, maxAgents, log, observeStore} = options;
  const {clock} = outside;
  const startedAt = new Date(clock.now());
  const lock = InstanceLock.take(stateDir, {pid: process.pid, startedAt});
  const observing = observeStore === undefined ? {} : {observe: observeStore};
  const {store, damage} = openStore(stateDir, observing);
  if (damage !== null) {
    log('error', {event: 'store.rebuilt', damage}, 'the store was damaged and has been rebuilt');
  }
  const loaded = store.load();
  const openRuns = store.openRuns();
  const ended = await endFormerLife(loaded, openRuns, outside);
  if (ended.length > 0) {
    log('warn', {event: 'former_life.ended', runs: ended}, 'ended what a former life left');
  }
  const runsEnded = cutOff(openRuns, loaded.claims, clock.now());
  const totals = withRuns(loaded.totals ?? NO_TOTALS, runsEnded);
  const life = outside.newLife();
  store.save({life, runsEnded, ...(runsEnded.length > 0 ? {totals} : {})});
  const empty = {
    ...emptyState(life, maxAgents),
    books: loaded.books,
    workspaces: loaded.workspaces,
    pausedBefore: loaded.pausedProjects,
    totals,
    once: options.once === true ? {over: [], trouble: []} : null,
  };
  const names = workflows.map(({settings}) => settings.name);
  const claims = ofProjects(loaded.claims, names);
  const others = loaded.claims.size - claims.size;
  if (others > 0) {
    const reason = `${others} of projects that are not given stay in the store`;
    log('warn', {event: 'claims.not_taken_up', reason}, 'claims.not_taken_up');
  }
  return {lock, store, state: resumed(empty, claims, clock.now())};
}
