import {
  type HostAnswer,
  type HostCall,
  type Issue,
  isWorkable,
  sameState,
  type ToolResult,
} from '@symphony-supervisor/protocol';
import type {Answer} from '@symphony-supervisor/tracker';
import {type Claim, type ClaimKey, issueIdOf, NO_COUNTERS, projectOf} from '../../core/claim.ts';
import type {Effect} from '../../core/effect.ts';
import type {IssueRead, TrackerAnswer} from '../../core/event.ts';
import type {Store} from '../../store/index.ts';
import type {Host} from '../host/host.ts';
import type {Log} from '../log.ts';
import type {Loop} from '../loop.ts';
import type {Outside, Trackers} from '../outside.ts';
import {findWorkspaces} from '../upkeep/find-workspaces.ts';
import {RecentReads} from './recent-reads.ts';
import {trackerName} from './tracker-name.ts';

type Order<Name extends Effect['do']> = Extract<Effect, {do: Name}>;

/** All calls to a tracker. The loop awaits none of them: each answer comes back as an event. */
export class TrackerWork {
  readonly #thread: Trackers;
  readonly #loop: () => Loop;
  readonly #outside: Pick<Outside, 'clock'> & {readonly host: Pick<Host, 'name' | 'workspacesIn'>};
  /** Calls that may change something in the tracker: the last thing that a shutdown waits for. */
  readonly #writes = new Set<Promise<unknown>>();
  readonly #recent: RecentReads;
  readonly #store: Pick<Store, 'countersOf'>;
  readonly #log: Log;

  constructor(
    thread: Trackers,
    loop: () => Loop,
    outside: Pick<Outside, 'clock'> & {readonly host: Pick<Host, 'name' | 'workspacesIn'>},
    store: Pick<Store, 'countersOf'>,
    log: Log,
  ) {
    this.#thread = thread;
    this.#loop = loop;
    this.#outside = outside;
    this.#recent = new RecentReads(outside.clock);
    this.#store = store;
    this.#log = log;
  }

  async readClaimed({project, scope, ids}: Order<'read-claimed'>): Promise<void> {
    const askedAt = this.#outside.clock.monotonic();
    const read = await this.#thread.issuesByIds(trackerName(project, scope), ids);
    const answer = this.#toldOf(read);
    this.#loop().post({type: 'claimed.read', project, scope, ids, askedAt, answer});
  }

  async readCandidates({project, scope}: Order<'read-candidates'>): Promise<void> {
    const states = this.#loop().state.projects.get(project)?.workflow.settings.tracker.activeStates;
    const tracker = trackerName(project, scope);
    const askedAt = this.#outside.clock.monotonic();
    const answer = this.#toldOf(await this.#thread.issuesByStates(tracker, states ?? []));
    const told = await this.#thread.budget(tracker);
    const budget = told.ok ? told.value : null;
    this.#loop().post({type: 'candidates.read', project, scope, askedAt, answer, budget});
  }

  async readIssue({key, runId, issue}: Order<'read-issue'>): Promise<void> {
    const tracker = this.#trackerOf(key);
    const recent = this.#recent.take(tracker, issue.id);
    const askedAt = recent?.askedAt ?? this.#outside.clock.monotonic();
    const read = recent?.read ?? (await this.#read(tracker, issue.id));
    this.#postRead({key, runId, askedAt, answer: this.#toldOf(read)});
  }

  /** With the issue's counters: without them it is unknown whether the issue may run again. */
  #postRead(read: Omit<IssueRead, 'counters'>): void {
    const known = this.#loop().state.counters.get(read.key);
    try {
      const counters = known ?? this.#store.countersOf(read.key);
      this.#loop().post({type: 'issue.read', ...read, counters});
    } catch (error) {
      const answer = {ok: false, message: reasonOf(error), notBefore: null} as const;
      this.#loop().post({type: 'issue.read', ...read, answer, counters: NO_COUNTERS});
    }
  }

  /** For the sweep: whose the workspaces are that are on record or on the disk. */
  async findWorkspaces({project: name, scope}: Order<'find-workspaces'>): Promise<void> {
    const {projects, workspaces} = this.#loop().state;
    const project = projects.get(name);
    if (project === undefined) return;
    const tracker = trackerName(name, scope);
    const askedAt = this.#outside.clock.monotonic();
    const recorded = [...workspaces].flatMap(([key, ofIssue]) =>
      projectOf(key) === name ? ofIssue.map((one) => ({...one, issueId: issueIdOf(key)})) : [],
    );
    const found = await findWorkspaces(this.#outside.host, project.workflow, recorded, {
      issuesByIds: (ids) => this.#thread.issuesByIds(tracker, ids),
      issuesByIdentifiers: (identifiers) => this.#thread.issuesByIdentifiers(tracker, identifiers),
    });
    const answer = this.#toldOf(found);
    this.#loop().post({type: 'workspaces.found', project: name, scope, askedAt, answer});
  }

  async writeState({key, runId, issue, state}: Order<'write-state'>): Promise<void> {
    const writing = this.#thread.transition(this.#trackerOf(key), issue, state);
    const written = await this.#noteWrite(writing);
    const answer = written.ok ? written.value.outcome : 'failed';
    this.#loop().post({type: 'state.written', key, runId, answer});
  }

  /** Resolves when no write is pending, or after the limit: then its result is unknown. */
  async writesDone(limitMs: number): Promise<void> {
    let timeout: unknown;
    const tooLate = new Promise<void>((resolve) => {
      timeout = this.#outside.clock.setTimeout(resolve, limitMs);
    });
    await Promise.race([Promise.allSettled([...this.#writes]), tooLate]);
    this.#outside.clock.clearTimeout(timeout);
  }

  #noteWrite<T>(write: Promise<T>): Promise<T> {
    const noted = write.finally(() => this.#writes.delete(noted));
    this.#writes.add(noted);
    return noted;
  }

  /** A host call of a runner. The core only learns that a tool was called, and the resulting state. */
  async answer(key: ClaimKey, runId: string, call: HostCall): Promise<HostAnswer> {
    return call.ask === 'issue'
      ? this.#readForRunner(key, call.id)
      : this.#callTool(key, runId, call);
  }

  async #readForRunner(key: ClaimKey, id: number): Promise<HostAnswer> {
    const claim = this.#loop().state.claims.get(key);
    if (claim?.is !== 'running')
      return {answer: 'refused', id, message: 'the run is being stopped'};
    const tracker = this.#trackerOf(key);
    const askedAt = this.#outside.clock.monotonic();
    const read = await this.#read(tracker, claim.issue.id);
    if (!read.ok) return {answer: 'refused', id, message: read.failure.message};
    const issue = read.value;
    const settings = this.#loop().state.projects.get(claim.project)?.workflow.settings;
    const goOn = issue !== null && settings !== undefined && isWorkable(issue, settings.tracker);
    // The run ends because of this, and the supervisor does nothing until then: the read after it would return the same.
    const isLast = settings?.hooks.afterRun === null && settings.hooks.deliver === null;
    if (!goOn && isLast) {
      this.#recent.keep(tracker, claim.issue.id, {read, askedAt});
    }
    return {answer: 'issue', id, value: {issue, go_on: goOn}};
  }

  async #read(tracker: string, id: string): Promise<Answer<Issue | null>> {
    const read = await this.#thread.issuesByIds(tracker, [id]);
    return read.ok ? {...read, value: read.value[0] ?? null} : read;
  }

  async #callTool(
    key: ClaimKey,
    runId: string,
    call: Extract<HostCall, {ask: 'tool'}>,
  ): Promise<HostAnswer> {
    const claim = this.#loop().state.claims.get(key);
    if (claim?.is !== 'running') {
      return {answer: 'refused', id: call.id, message: 'the run is being stopped'};
    }
    this.#loop().post({type: 'tool.called', key, runId});
    const calledAt = this.#outside.clock.monotonic();
    const calling = this.#thread.callTool(
      this.#trackerOf(key),
      claim.issue,
      call.tool,
      call.arguments,
    );
    const called = await this.#noteWrite(calling);
    this.#noteCall(claim, runId, call.tool, called, calledAt);
    const askedAt = this.#outside.clock.monotonic();
    const movedTo = called.ok && called.value.wrote ? await this.#movedTo(claim.issue, key) : null;
    this.#loop().post({type: 'tool.answered', key, runId, movedTo, askedAt});
    return called.ok
      ? {answer: 'tool', id: call.id, value: called.value}
      : {answer: 'refused', id: call.id, message: called.failure.message};
  }

  /** Arguments and result are in the transcript. */
  #noteCall(
    {project, issue}: Claim,
    run_id: string,
    tool: string,
    called: Answer<ToolResult>,
    calledAt: number,
  ): void {
    const about = {project, issue_id: issue.id, issue_identifier: issue.identifier, run_id, tool};
    const duration_ms = Math.round(this.#outside.clock.monotonic() - calledAt);
    const success = called.ok && called.value.success;
    this.#log('info', {event: 'tool.called', ...about, success, duration_ms}, 'tool.called');
  }

  async #movedTo(issue: Issue, key: ClaimKey): Promise<string | null> {
    const read = await this.#thread.issuesByIds(this.#trackerOf(key), [issue.id]);
    const state = read.ok ? read.value[0]?.state : undefined;
    return state === undefined || sameState(state, issue.state) ? null : state;
  }

  /** The tracker of the claim. */
  #trackerOf(key: ClaimKey): string {
    const scope = this.#loop().state.claims.get(key)?.scope ?? 0;
    return trackerName(projectOf(key), scope);
  }

  #toldOf<T>(answer: Answer<T>): TrackerAnswer<T> {
    if (answer.ok) {
      const [warning] = answer.warnings;
      if (warning === undefined) return {ok: true, value: answer.value};
      const {count, examples} = warning;
      return {ok: true, value: answer.value, malformed: {count, examples}};
    }
    const {code, message, retryAfterMs} = answer.failure;
    const notBefore = retryAfterMs === undefined ? null : this.#outside.clock.now() + retryAfterMs;
    const isRefusal = code === 'tracker_auth';
    return {ok: false, message: `${code}: ${message}`, notBefore, isRefusal};
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
