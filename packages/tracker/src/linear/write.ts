import type {Issue} from '@symphony-supervisor/protocol';
import * as z from 'zod/mini';
import {TrackerProblem} from '../answer.ts';
import {type Caller, OwnWrites, planUpdate} from '../update/update.ts';
import type {LinearApi} from './api.ts';
import type {Catalogue} from './catalogue.ts';
import {toLinearIssue} from './normalize.ts';
import {ATTACH_URL, CREATE_COMMENT, ISSUE_TO_WRITE, UPDATE_ISSUE, WRITE_DEPTH} from './queries.ts';
import {type Scope, withIds} from './scope.ts';

/** The wanted changes of an issue. Absent fields stay as they are. */
export interface LinearUpdate {
  readonly state?: string;
  readonly addLabels?: readonly string[];
  readonly attach?: {readonly url: string; readonly title?: string | undefined};
  readonly comment?: string;
}

export type LinearChange = 'state' | 'labels' | 'attachment' | 'comment';

export type LinearOutcome =
  | {
      readonly outcome: 'written';
      readonly issue: Issue;
      readonly changed: readonly LinearChange[];
      /** What stopped the rest, where Linear takes the parts separately. */
      readonly stoppedBy: TrackerProblem | null;
    }
  | {readonly outcome: 'unchanged'; readonly issue: Issue}
  | {readonly outcome: 'conflict'; readonly found: Issue | null}
  | {readonly outcome: 'no-label'; readonly name: string};

const ToWrite = z.object({issues: z.object({nodes: z.array(z.unknown())})});
const Team = z.object({team: z.object({id: z.string()})});
const Done = z.object({success: z.boolean()});
const Updated = z.object({issueUpdate: z.object({success: z.boolean(), issue: z.unknown()})});
const Commented = z.object({commentCreate: Done});
const Attached = z.object({attachmentLinkURL: Done});

interface Found {
  readonly issue: Issue;
  readonly team: string;
}

/** Writes to single issues, each after a fresh read of the issue. */
export class LinearWriter {
  readonly #api: LinearApi;
  readonly #catalogue: Catalogue;
  readonly #scope: Scope;
  readonly #ownWrites = new OwnWrites();
  /** The last write in flight to each issue. */
  readonly #turns = new Map<string, Promise<unknown>>();

  constructor(api: LinearApi, catalogue: Catalogue, scope: Scope) {
    this.#api = api;
    this.#catalogue = catalogue;
    this.#scope = scope;
  }

  /** Serializes writes per issue, so that two of our own are not taken for a person's edit. */
  async update(
    caller: Caller,
    known: Issue,
    wanted: LinearUpdate,
    signal: AbortSignal,
  ): Promise<LinearOutcome> {
    const turn = Promise.resolve(this.#turns.get(known.id)).then(() => {
      signal.throwIfAborted();
      return this.#update(caller, known, wanted, signal);
    });
    const settled = turn.catch(() => {});
    this.#turns.set(known.id, settled);
    try {
      return await turn;
    } finally {
      if (this.#turns.get(known.id) === settled) this.#turns.delete(known.id);
    }
  }

  async #update(
    caller: Caller,
    known: Issue,
    wanted: LinearUpdate,
    signal: AbortSignal,
  ): Promise<LinearOutcome> {
    let found = await this.#find(known.id, signal);
    if (found === null) return {outcome: 'conflict', found: null};
    const {team} = found;
    const {state} = wanted;
    const labels = new Map<string, string>();
    const toAsk = wanted.addLabels ?? [];
    const mustAsk =
      toAsk.length > 0 || (state !== undefined && !this.#catalogue.knowsState(team, state));
    for (const name of toAsk) {
      const id = await this.#catalogue.labelId(team, name, signal);
      if (id === null) return {outcome: 'no-label', name};
      labels.set(name, id);
    }
    const stateId = state === undefined ? null : await this.#catalogue.stateId(team, state, signal);
    // Every request since the issue was read gave people time to change it.
    if (mustAsk) found = await this.#find(known.id, signal);
    if (found === null || found.team !== team) {
      return {outcome: 'conflict', found: found?.issue ?? null};
    }
    const latest = this.#ownWrites.knownTo(caller, known);
    const plan = planUpdate(latest, found.issue, state === undefined ? {} : {state});
    if (plan.do === 'yield') return {outcome: 'conflict', found: found.issue};
    const missing = [...labels].filter(([name]) => !found?.issue.labels.includes(labelKey(name)));
    const input = {
      ...(plan.do === 'write' && stateId !== null ? {stateId} : {}),
      ...(missing.length > 0 ? {addedLabelIds: missing.map(([, id]) => id)} : {}),
    };
    return this.#write(found.issue, input, wanted, signal);
  }

  /** State and labels are written together; a later failure leaves them written and is reported. */
  async #write(
    found: Issue,
    input: {readonly stateId?: string; readonly addedLabelIds?: readonly string[]},
    {attach, comment = ''}: LinearUpdate,
    signal: AbortSignal,
  ): Promise<LinearOutcome> {
    const changed: LinearChange[] = [];
    let issue = found;
    let stoppedBy: TrackerProblem | null = null;
    try {
      if (Object.keys(input).length > 0) {
        issue = await this.#updateIssue(found, input, signal);
        if (input.stateId !== undefined) changed.push('state');
        if (input.addedLabelIds !== undefined) changed.push('labels');
      }
      if (attach !== undefined) {
        await this.#carryOut(ATTACH_URL, {issue: found.id, ...attach}, Attached, signal);
        changed.push('attachment');
      }
      if (comment.trim() !== '') {
        await this.#carryOut(CREATE_COMMENT, {issue: found.id, body: comment}, Commented, signal);
        changed.push('comment');
      }
    } catch (error) {
      if (!(error instanceof TrackerProblem) || changed.length === 0) throw error;
      stoppedBy = error;
    }
    if (changed.length === 0) return {outcome: 'unchanged', issue};
    return {outcome: 'written', issue, changed, stoppedBy};
  }

  async #updateIssue(found: Issue, input: object, signal: AbortSignal): Promise<Issue> {
    const {labels, relations} = WRITE_DEPTH;
    const variables = {id: found.id, input, labels, relations};
    const {issueUpdate} = await this.#api.mutate(UPDATE_ISSUE, variables, Updated, signal);
    if (!issueUpdate.success) throw this.#api.problem('tracker_response', NOT_DONE);
    const normalized = await this.#normalize(issueUpdate.issue, signal);
    const written = normalized ?? (await this.#find(found.id, signal))?.issue ?? found;
    this.#ownWrites.remember(written);
    return written;
  }

  async #carryOut(
    mutation: string,
    variables: Readonly<Record<string, unknown>>,
    schema: typeof Commented | typeof Attached,
    signal: AbortSignal,
  ): Promise<void> {
    const [done] = Object.values(await this.#api.mutate(mutation, variables, schema, signal));
    if (!done?.success) throw this.#api.problem('tracker_response', NOT_DONE);
  }

  /** Null: it is not there, or not in this project. */
  async #find(id: string, signal: AbortSignal): Promise<Found | null> {
    const {labels, relations} = WRITE_DEPTH;
    const filter = {and: [...this.#scope.filters, withIds([id])]};
    const variables = {filter, labels, relations};
    const answer = await this.#api.query(ISSUE_TO_WRITE, variables, ToWrite, signal);
    const [node] = answer.issues.nodes;
    if (node === undefined) return null;
    const issue = await this.#normalize(node, signal);
    const team = Team.safeParse(node).data?.team.id;
    if (issue === null || issue.id !== id) return null;
    if (team === undefined)
      throw this.#api.problem('tracker_response', 'sent the issue without its team');
    return {issue, team};
  }

  async #normalize(node: unknown, signal: AbortSignal): Promise<Issue | null> {
    if (node === null || node === undefined) return null;
    const assigneeId = await this.#catalogue.assigneeId(this.#scope.assignee, signal);
    const normalized = toLinearIssue(node, WRITE_DEPTH, assigneeId);
    if (normalized.is === 'issue') return normalized.issue;
    if (normalized.is === 'gone') return null;
    throw new TrackerProblem({code: 'tracker_response', message: normalized.record.problem});
  }
}

const NOT_DONE = 'did not make the change, and gave no reason';

function labelKey(name: string): string {
  return name.trim().toLowerCase();
}
