import {existsSync} from 'node:fs';
import {join} from 'node:path';
import type {ActionView, IssueView, RunView, Snapshot} from '@symphony-supervisor/protocol';
import type {Claim, ClaimKey} from '../core/claim.ts';
import type {LetGo} from '../core/effect.ts';
import type {OperatorCommand} from '../core/event.ts';
import {conflictOf, type IssueOrder} from '../core/life/operator.ts';
import type {State} from '../core/state.ts';
import {heldRow, iso, retryingRow, runningRow, stoppingRow} from '../core/view/claim-rows.ts';
import {general, type Hindrance, hindrancesOf} from '../core/view/readiness.ts';
import type {RunRecord, Store} from '../store/index.ts';
import {actionView} from './action-view.ts';
import type {Loop} from './loop.ts';
import {notClaimed} from './not-claimed.ts';
import type {OnPublication, Publication, Publisher} from './publisher.ts';
import type {RecentEvents} from './recent-events.ts';
import {issueIdOf, projectOf} from './trackers/tracker-work.ts';

export interface SupervisorApiOptions {
  readonly loop: Loop;
  readonly store: Store;
  readonly publisher: Publisher;
  readonly recent: RecentEvents;
  readonly logsRoot: string;
  readonly now: () => number;
  readonly trackersAreDown: () => boolean;
}

/** The issue that an identifier means. */
export type Found<T> =
  | {readonly is: 'found'; readonly value: T}
  | {readonly is: 'unknown'}
  /** Several projects have this identifier: the caller has to name one. */
  | {readonly is: 'ambiguous'; readonly projects: readonly string[]};

export type Ordered =
  | {readonly is: 'done'}
  | {readonly is: 'unknown'}
  | {readonly is: 'ambiguous'; readonly projects: readonly string[]}
  | {readonly is: 'conflict'; readonly why: string};

const RUNS_SHOWN = 50;
const ACTIONS_SHOWN = 20;

/**
 * What the HTTP listeners, the terminal view and the command line call. It reads State and the store, and
 * passes orders to the loop; it decides nothing.
 */
export class SupervisorApi {
  readonly #options: SupervisorApiOptions;

  constructor(options: SupervisorApiOptions) {
    this.#options = options;
  }

  get snapshot(): Snapshot {
    return this.#options.publisher.snapshot;
  }

  get publication(): Publication {
    return this.#options.publisher.current;
  }

  watch(watcher: OnPublication): Disposable {
    return this.#options.publisher.watch(watcher);
  }

  issue(identifier: string, project: string | null): Found<IssueView> {
    const found = this.#find(identifier, project);
    return found.is === 'found' ? {is: 'found', value: this.#view(found.value)} : found;
  }

  /** Of all issues, newest first. */
  recentRuns(limit: number): RunView[] {
    return this.#options.store.recentRuns(limit).map(runView);
  }

  /** Orders and who gave them, newest first. */
  actions(limit: number): ActionView[] {
    const known = new Map<ClaimKey, string>();
    const identifierOf = (key: ClaimKey): string => {
      const identifier = known.get(key) ?? this.#identifierOf(key);
      known.set(key, identifier);
      return identifier;
    };
    return this.#options.store.actions(limit).map((action) => actionView(action, identifierOf));
  }

  /** null: there is no such run, or its transcript is gone. */
  transcriptPath(runId: string): string | null {
    if (!/^[a-z0-9-]{1,100}$/.test(runId)) return null;
    const path = join(this.#options.logsRoot, 'runs', `${runId}.jsonl`);
    return existsSync(path) ? path : null;
  }

  order(by: string, identifier: string, project: string | null, order: IssueOrder): Ordered {
    const found = this.#find(identifier, project);
    if (found.is !== 'found') return found;
    const key = found.value;
    const {claims, kept} = this.#state;
    const claim = claims.get(key);
    const why =
      claim === undefined && order.command !== 'clean'
        ? notClaimed(this.#state, key, this.#options.store.runsOf(key, 1)[0])
        : conflictOf(claim, order, kept.get(key));
    if (why !== null) return {is: 'conflict', why};
    // Nothing can come between the look and the order: the loop takes it before anything else.
    this.#options.loop.post({type: 'operator.commanded', by, command: {...order, key}});
    return {is: 'done'};
  }

  /** null: every project. */
  direct(
    by: string,
    command: Extract<OperatorCommand, {project: string | null}>['command'],
    project: string | null,
  ): Ordered {
    if (project !== null && !this.#state.projects.has(project)) return {is: 'unknown'};
    this.#options.loop.post({type: 'operator.commanded', by, command: {command, project}});
    return {is: 'done'};
  }

  /** A tracker reported a change. Nobody ordered anything, so it is not recorded. */
  poll(project: string): void {
    this.#options.loop.post({type: 'tracker.changed', project});
  }

  /** Whether a tick is under way, so that a refresh asked for now is joined with others. */
  isTicking(project: string | null): boolean {
    return [...this.#state.projects.values()]
      .filter(({name}) => project === null || name === project)
      .some(({poll}) => poll.is !== 'waiting');
  }

  /** Empty: work can be done. */
  hindrances(): Hindrance[] {
    const {now, trackersAreDown} = this.#options;
    const ended = 'the tracker thread ended; another one has not answered a read yet';
    const ofThread = trackersAreDown() ? [general('tracker_thread_ended', ended)] : [];
    return [...ofThread, ...hindrancesOf(this.#state, now())];
  }

  get #state(): State {
    return this.#options.loop.state;
  }

  /** Among what is claimed, and else in history. */
  #find(identifier: string, project: string | null): Found<ClaimKey> {
    const keys = new Set<ClaimKey>([
      ...this.#claimedAs(identifier),
      ...this.#keptAs(identifier),
      ...this.#options.store.keysOf(identifier),
    ]);
    const matching = [...keys].filter((key) => project === null || projectOf(key) === project);
    const [first] = matching;
    if (first === undefined) return {is: 'unknown'};
    const projects = [...new Set(matching.map(projectOf))];
    if (projects.length > 1) return {is: 'ambiguous', projects};
    // An identifier that was given to another issue since: the one that is claimed is meant.
    const claimed = matching.find((key) => this.#state.claims.has(key));
    return {is: 'found', value: claimed ?? first};
  }

  /** In any case of letters, unless one has exactly this. */
  #claimedAs(identifier: string): ClaimKey[] {
    const find = (isIt: (other: string) => boolean) =>
      [...this.#state.claims].flatMap(([key, {issue}]) => (isIt(issue.identifier) ? [key] : []));
    const exact = find((other) => other === identifier);
    if (exact.length > 0) return exact;
    return find((other) => other.toLowerCase() === identifier.toLowerCase());
  }

  #keptAs(identifier: string): ClaimKey[] {
    const wanted = identifier.toLowerCase();
    return [...this.#state.kept].flatMap(([key, kept]) =>
      kept.some(({issue}) => issue.identifier.toLowerCase() === wanted) ? [key] : [],
    );
  }

  /** An issue that is not claimed is known by its runs. */
  #identifierOf(key: ClaimKey): string {
    const claimed = this.#state.claims.get(key)?.issue.identifier;
    return claimed ?? this.#options.store.runsOf(key, 1)[0]?.identifier ?? issueIdOf(key);
  }

  /** As it was last read: a candidate of the last tick, else how it stood when it was let go. */
  #unclaimed(key: ClaimKey, last: RunRecord | undefined): LetGo {
    const candidates = this.#state.projects.get(projectOf(key))?.candidates ?? [];
    if (candidates.some(({id}) => id === issueIdOf(key))) return 'waiting';
    return last?.status ?? 'parked';
  }

  #view(key: ClaimKey): IssueView {
    const {store, recent} = this.#options;
    const claim = this.#state.claims.get(key);
    const records = store.runsOf(key, RUNS_SHOWN);
    const runs = records.map(runView);
    const lifetime = store.lifetimeOf(key);
    const rows = rowsOf(this.#state, claim);
    const runIds = [...(rows.running === null ? [] : [rows.running]), ...runs].map(
      (run) => run.run_id,
    );
    const identifier = claim?.issue.identifier ?? records[0]?.identifier ?? key;
    const last = records[0]?.results ?? null;
    const actions = store.actionsOf(key, ACTIONS_SHOWN);
    return {
      issue_id: claim?.issue.id ?? issueIdOf(key),
      issue_identifier: identifier,
      issue_title: claim?.issue.title ?? last?.title ?? null,
      issue_url: claim?.issue.url ?? last?.url ?? null,
      project: projectOf(key),
      status: claim?.is ?? this.#unclaimed(key, records[0]),
      state: claim?.issue.state ?? last?.state ?? null,
      workspace: {path: claim?.workspacePath ?? this.#state.workspaces.get(key)?.at(-1) ?? null},
      attempts: {
        restart_count: Math.max(0, lifetime.runs + (rows.running === null ? 0 : 1) - 1),
        current_retry_attempt: rows.running?.attempt ?? rows.retry?.attempt ?? null,
      },
      totals: {
        runs: lifetime.runs,
        seconds_running: lifetime.msRunning / 1000,
        tokens: lifetime.usage,
      },
      ...rows,
      recent_events: recent.of(key),
      last_error: lastErrorOf(claim),
      logs: {
        transcripts: runIds
          .filter((runId) => this.transcriptPath(runId) !== null)
          .map((run_id) => ({run_id, url: `/api/v1/runs/${run_id}/transcript`})),
      },
      runs,
      actions: actions.map((action) => actionView(action, () => identifier)),
    };
  }
}

function rowsOf(state: State, claim: Claim | undefined) {
  return {
    running: claim?.is === 'running' ? runningRow(state, claim) : null,
    stopping: claim?.is === 'stopping' ? stoppingRow(claim) : null,
    retry: claim?.is === 'retrying' ? retryingRow(claim) : null,
    held: claim?.is === 'held' ? heldRow(claim) : null,
  };
}

function lastErrorOf(claim: Claim | undefined): string | null {
  if (claim?.is === 'held') return claim.because.message;
  if (claim?.is === 'retrying') return claim.lastError;
  return claim?.is === 'running' ? claim.run.lastError : null;
}

function runView({key, identifier, usage, results, ...run}: RunRecord): RunView {
  const project = projectOf(key);
  return {
    run_id: run.runId,
    project,
    issue_id: issueIdOf(key),
    issue_identifier: identifier,
    attempt: run.attempt,
    started_at: iso(run.startedAt),
    ended_at: iso(run.endedAt),
    duration_ms: run.endedAt - run.startedAt,
    outcome: run.outcome,
    failure: run.failure,
    turns: run.turns,
    tokens: usage,
    issue_title: results.title,
    issue_url: results.url,
    state: results.state,
    workspace_path: results.workspacePath,
    model: results.model,
    made: results.made,
    links: [...results.links],
  };
}
