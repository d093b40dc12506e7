import type {ActionView, IssueView, RunView, Snapshot} from '@symphony-supervisor/protocol';
import {type ClaimKey, issueIdOf} from '../../core/claim.ts';
import type {OperatorCommand} from '../../core/event.ts';
import {conflictOf, type IssueOrder} from '../../core/life/operator.ts';
import {candidateOf} from '../../core/run/dismissal.ts';
import type {State} from '../../core/state.ts';
import {general, type Hindrance, hindrancesOf} from '../../core/view/readiness.ts';
import type {Store} from '../../store/index.ts';
import type {Host} from '../host/host.ts';
import type {PageWish, TranscriptPage} from '../host/transcripts.ts';
import type {Loop} from '../loop.ts';
import type {OnPublication, Publication, Publisher} from '../publisher.ts';
import type {RecentEvents} from '../recent-events.ts';
import {actionView} from './action-view.ts';
import {type Found, findIssue} from './find-issue.ts';
import {issueOf, issueView} from './issue-view.ts';
import {notClaimed} from './not-claimed.ts';
import {runView} from './run-view.ts';

export interface SupervisorApiOptions {
  readonly loop: Loop;
  readonly store: Store;
  readonly publisher: Publisher;
  readonly recent: RecentEvents;
  readonly host: Pick<Host, 'transcripts'>;
  readonly now: () => number;
  /** The clock by which reads of trackers are ordered. */
  readonly monotonic: () => number;
  readonly trackersAreDown: () => boolean;
}

export type Ordered =
  | {readonly is: 'done'}
  | Exclude<Found<never>, {is: 'found'}>
  | {readonly is: 'conflict'; readonly why: string};

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

  async issue(identifier: string, project: string | null): Promise<Found<IssueView>> {
    const found = this.#find(identifier, project);
    if (found.is !== 'found') return found;
    const {store, recent, host} = this.#options;
    const view = issueView({state: this.#state, store, recent}, found.value);
    const listed = view.logs.transcripts;
    const existing = await host.transcripts.among(listed.map(({run_id}) => run_id));
    const transcripts = listed.filter(({run_id}) => existing.has(run_id));
    return {is: 'found', value: {...view, logs: {transcripts}}};
  }

  /** Of all issues, newest first. */
  recentRuns(limit: number): RunView[] {
    return this.#options.store.recentRuns(limit).map(runView);
  }

  /** Orders with their source, newest first. */
  actions(limit: number): ActionView[] {
    const known = new Map<ClaimKey, string>();
    const identifierOf = (key: ClaimKey): string => {
      const identifier = known.get(key) ?? this.#identifierOf(key);
      known.set(key, identifier);
      return identifier;
    };
    return this.#options.store.actions(limit).map((action) => actionView(action, identifierOf));
  }

  /** null: there is no such run, or its transcript was deleted. */
  async transcript(runId: string, wish: PageWish): Promise<TranscriptPage | null> {
    // Part of a file name on the host.
    if (!/^[a-z0-9-]{1,100}$/.test(runId)) return null;
    return this.#options.host.transcripts.read(runId, wish);
  }

  order(by: string, identifier: string, project: string | null, order: IssueOrder): Ordered {
    const found = this.#find(identifier, project);
    if (found.is !== 'found') return found;
    const key = found.value;
    const why = this.#conflictOf(key, order);
    if (why !== null) return {is: 'conflict', why};
    // Nothing can happen between the check and the order: the loop handles it before anything else.
    this.#options.loop.post({type: 'operator.commanded', by, command: this.#commandOf(order, key)});
    return {is: 'done'};
  }

  #conflictOf(key: ClaimKey, order: IssueOrder): string | null {
    const {claims, kept} = this.#state;
    const claim = claims.get(key);
    if (claim !== undefined || order.command === 'clean')
      return conflictOf(claim, order, kept.get(key));
    if (order.command === 'dismiss' && candidateOf(this.#state, key) !== null) return null;
    return notClaimed(this.#state, key, this.#options.store.runsOf(key, 1)[0]);
  }

  #commandOf(order: IssueOrder, key: ClaimKey): OperatorCommand {
    if (order.command === 'retry') return {...order, key};
    const {command} = order;
    if (command === 'dismiss') return {command, key, orderedAt: this.#options.monotonic()};
    return {command, key};
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

  /** A tracker reported a change. That is not an order, so it is not recorded. */
  poll(project: string): void {
    this.#options.loop.post({type: 'tracker.changed', project});
  }

  /** Whether a tick is running, so that a refresh requested now is merged with others. */
  isTicking(project: string | null): boolean {
    return [...this.#state.projects.values()]
      .filter(({name}) => project === null || name === project)
      .some(({poll}) => poll.is !== 'waiting');
  }

  /** Empty: work can be done. */
  hindrances(): Hindrance[] {
    const {now, trackersAreDown} = this.#options;
    const ended = 'the tracker thread ended, and its replacement has not answered a read yet';
    const ofThread = trackersAreDown() ? [general('tracker_thread_ended', ended)] : [];
    return [...ofThread, ...hindrancesOf(this.#state, now())];
  }

  get #state(): State {
    return this.#options.loop.state;
  }

  #find(identifier: string, project: string | null): Found<ClaimKey> {
    return findIssue(this.#state, this.#options.store, identifier, project);
  }

  /** An issue that is neither claimed nor a candidate is known from its runs. */
  #identifierOf(key: ClaimKey): string {
    const known = issueOf(this.#state, key)?.identifier;
    return known ?? this.#options.store.runsOf(key, 1)[0]?.identifier ?? issueIdOf(key);
  }
}
