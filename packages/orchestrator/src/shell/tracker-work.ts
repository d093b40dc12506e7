import {
  type HostAnswer,
  type HostCall,
  type Issue,
  isWorkable,
  sameState,
} from '@symphony-supervisor/protocol';
import type {Answer} from '@symphony-supervisor/tracker';
import type {ClaimKey} from '../core/claim.ts';
import type {Effect} from '../core/effect.ts';
import type {TrackerAnswer} from '../core/event.ts';
import type {Loop} from './loop.ts';
import type {Clock} from './timers.ts';
import type {TrackerThread} from './tracker-thread.ts';

type Order<Name extends Effect['do']> = Extract<Effect, {do: Name}>;

/** Everything that is asked of a tracker. Nobody waits: each answer comes back as an event. */
export class TrackerWork {
  readonly #thread: TrackerThread;
  readonly #loop: () => Loop;
  readonly #clock: Clock;

  constructor(thread: TrackerThread, loop: () => Loop, clock: Clock) {
    this.#thread = thread;
    this.#loop = loop;
    this.#clock = clock;
  }

  async readClaimed({project, ids}: Order<'read-claimed'>): Promise<void> {
    const answer = this.#toldOf(await this.#thread.issuesByIds(project, ids));
    this.#loop().post({type: 'claimed.read', project, ids, answer});
  }

  async readCandidates({project}: Order<'read-candidates'>): Promise<void> {
    const states = this.#loop().state.projects.get(project)?.workflow.settings.tracker.activeStates;
    const answer = this.#toldOf(await this.#thread.issuesByStates(project, states ?? []));
    this.#loop().post({type: 'candidates.read', project, answer});
  }

  async readIssue({key, runId, issue}: Order<'read-issue'>): Promise<void> {
    const read = this.#toldOf(await this.#thread.issuesByIds(projectOf(key), [issue.id]));
    const answer = read.ok ? {ok: true as const, value: read.value[0] ?? null} : read;
    this.#loop().post({type: 'issue.read', key, runId, answer});
  }

  async writeState({key, runId, issue, state}: Order<'write-state'>): Promise<void> {
    const written = await this.#thread.transition(projectOf(key), issue, state);
    const answer = written.ok ? written.value.outcome : 'failed';
    this.#loop().post({type: 'state.written', key, runId, answer});
  }

  /** A runner's question. The core only learns that a tool was called, and what it moved. */
  async answer(key: ClaimKey, runId: string, call: HostCall): Promise<HostAnswer> {
    return call.ask === 'issue'
      ? this.#readForRunner(key, call.id)
      : this.#callTool(key, runId, call);
  }

  async #readForRunner(key: ClaimKey, id: number): Promise<HostAnswer> {
    const claim = this.#loop().state.claims.get(key);
    if (claim?.is !== 'running')
      return {answer: 'refused', id, message: 'the run is being stopped'};
    const read = await this.#thread.issuesByIds(claim.project, [claim.issue.id]);
    if (!read.ok) return {answer: 'refused', id, message: read.failure.message};
    const issue = read.value[0] ?? null;
    const tracker = this.#loop().state.projects.get(claim.project)?.workflow.settings.tracker;
    const goOn = issue !== null && tracker !== undefined && isWorkable(issue, tracker);
    return {answer: 'issue', id, value: {issue, go_on: goOn}};
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
    const called = await this.#thread.callTool(
      claim.project,
      claim.issue,
      call.tool,
      call.arguments,
    );
    const movedTo = called.ok && called.value.wrote ? await this.#movedTo(claim.issue, key) : null;
    this.#loop().post({type: 'tool.answered', key, runId, movedTo});
    return called.ok
      ? {answer: 'tool', id: call.id, value: called.value}
      : {answer: 'refused', id: call.id, message: called.failure.message};
  }

  async #movedTo(issue: Issue, key: ClaimKey): Promise<string | null> {
    const read = await this.#thread.issuesByIds(projectOf(key), [issue.id]);
    const state = read.ok ? read.value[0]?.state : undefined;
    return state === undefined || sameState(state, issue.state) ? null : state;
  }

  #toldOf<T>(answer: Answer<T>): TrackerAnswer<T> {
    if (answer.ok) return {ok: true, value: answer.value};
    const {code, message, retryAfterMs} = answer.failure;
    const notBefore = retryAfterMs === undefined ? null : this.#clock.now() + retryAfterMs;
    return {ok: false, message: `${code}: ${message}`, notBefore};
  }
}

/** Project names hold no slash. */
export function projectOf(key: ClaimKey): string {
  return key.slice(0, key.indexOf('/'));
}
