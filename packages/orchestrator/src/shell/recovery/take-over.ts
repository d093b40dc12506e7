import type {Workflow} from '@symphony-supervisor/protocol';
import {type Claim, type ClaimKey, projectOf} from '../../core/claim.ts';
import {cutOff, ofProjects, resumed, withRuns} from '../../core/life/resume.ts';
import {unreadableClaim} from '../../core/run/hold.ts';
import {emptyState, NO_TOTALS, type State} from '../../core/state.ts';
import {
  InstanceLock,
  type Loaded,
  type Observe,
  openStore,
  type Store,
  stateDirExposure,
} from '../../store/index.ts';
import type {Host} from '../host/host.ts';
import type {Log} from '../log.ts';
import type {Outside} from '../outside.ts';
import {earlierRuns} from './earlier-runs.ts';

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

/** Takes the lock, ends processes of an earlier supervisor, and takes over its work. */
export async function takeOver(
  options: TakeOverOptions,
  outside: Pick<Outside, 'clock' | 'newLife'>,
  host: Pick<Host, 'endEarlierRuns'>,
): Promise<TakenOver> {
  const {stateDir, workflows, maxAgents, log, observeStore} = options;
  const {clock} = outside;
  const startedAt = new Date(clock.now());
  const lock = InstanceLock.take(stateDir, {pid: process.pid, startedAt});
  const reason = stateDirExposure(stateDir);
  if (reason !== null) {
    log('warn', {event: 'state_dir.exposed', reason}, 'other users can access the state directory');
  }
  const observing = observeStore === undefined ? {} : {observe: observeStore};
  const {store, damage} = openStore(stateDir, observing);
  if (damage !== null) {
    log('error', {event: 'store.rebuilt', damage}, 'the store was damaged and has been rebuilt');
  }
  const loaded = store.load();
  const openRuns = store.openRuns();
  const earlier = earlierRuns(loaded, openRuns);
  await host.endEarlierRuns(earlier);
  if (earlier.runIds.length > 0) {
    log(
      'warn',
      {event: 'earlier_runs.ended', runs: earlier.runIds},
      'ended processes of an earlier supervisor',
    );
  }
  const runsEnded = cutOff(openRuns, loaded.claims, clock.now());
  const totals = withRuns(loaded.totals ?? NO_TOTALS, runsEnded);
  const life = outside.newLife();
  const names = workflows.map(({settings}) => settings.name);
  const unreadable = heldUnreadable(loaded, names, clock.now(), log);
  store.save({
    ...{life, runsEnded, claims: unreadable},
    ...(runsEnded.length > 0 ? {totals} : {}),
    unreadable: loaded.unreadable.map((row) => ({...row, at: clock.now()})),
  });
  const empty = {
    ...emptyState(life, maxAgents),
    counters: loaded.counters,
    workspaces: loaded.workspaces,
    kept: keptOf(loaded.kept, names),
    unreadable: loaded.everUnreadable,
    pausedBefore: loaded.pausedProjects,
    totals,
    once: options.once === true ? {over: [], trouble: []} : null,
  };
  const claims = new Map([...ofProjects(loaded.claims, names), ...unreadable]);
  const others = loaded.claims.size + unreadable.size - claims.size;
  if (others > 0) {
    const reason = `${others} of projects without a given workflow stay in the store`;
    log('warn', {event: 'claims.not_taken_up', reason}, 'claims.not_taken_up');
  }
  return {lock, store, state: resumed(empty, claims, clock.now())};
}

/** Of the given projects; other kept workspaces stay in the store. */
function keptOf(kept: Loaded['kept'], names: readonly string[]): Loaded['kept'] {
  return new Map([...kept].filter(([key]) => names.includes(projectOf(key))));
}

/** Unreadable claims hold their issues, so that none starts over without its operator's knowledge. */
function heldUnreadable(
  {unreadable}: Loaded,
  projects: readonly string[],
  at: number,
  log: Log,
): Map<ClaimKey, Claim> {
  const held = new Map<ClaimKey, Claim>();
  for (const {table, key, reason, claim} of unreadable) {
    const about =
      claim === null
        ? {table, key}
        : {project: claim.project, issue_id: claim.issueId, issue_identifier: claim.identifier};
    const event = claim === null ? 'store.unreadable' : 'claim.unreadable';
    log('error', {event, ...about, reason}, 'a row of the store cannot be read; its text is kept');
    if (claim !== null && projects.includes(claim.project)) {
      held.set(key, unreadableClaim(claim, reason, at));
    }
  }
  return held;
}
