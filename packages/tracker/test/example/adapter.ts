import type {Issue, ToolResult, TrackerSettings} from '@symphony-supervisor/protocol';
import * as z from 'zod/mini';
import type {TrackerAdapter, WriteOutcome} from '../../src/adapter.ts';
import {type Answered, answer, answering, TrackerProblem} from '../../src/answer.ts';
import {HttpClient} from '../../src/http/client.ts';
import {toEndpoint} from '../../src/http/endpoint.ts';
import {type Records, selectByIds, selectByStates} from '../../src/records.ts';
import type {OpenAdapter, OpenOptions} from '../../src/registry.ts';
import {
  type Caller,
  changesOf,
  type IssueUpdate,
  OwnWrites,
  planUpdate,
} from '../../src/update/update.ts';
import {callUpdateIssue, updateIssueSpec} from '../../src/update/update-tool.ts';
import {toBoardIssue} from './normalize.ts';

export const openBoardTracker = ((settings, options) =>
  new BoardTracker(settings, options)) satisfies OpenAdapter;

/** The cards of a board behind `GET /cards` and `PATCH /cards/KEY`. */
export class BoardTracker implements TrackerAdapter {
  readonly #http: HttpClient;
  readonly #ownWrites = new OwnWrites();

  constructor({provider, secrets}: TrackerSettings, {resolveSecret, http}: OpenOptions) {
    const endpoint = toEndpoint(provider.endpoint);
    const {api_key: key} = secrets;
    if (endpoint === null || key === undefined) {
      const message = 'tracker.provider needs endpoint and api_key';
      throw new TrackerProblem({code: 'invalid_tracker_config', message});
    }
    const authorize = async () => `Bearer ${await resolveSecret(key)}`;
    this.#http = new HttpClient({name: 'Board', endpoint, authorize, ...http});
  }

  issuesByStates(states: readonly string[], signal: AbortSignal) {
    return answering(signal, async () =>
      states.length === 0 ? answer([]) : selectByStates(await this.#cards(signal), states),
    );
  }

  issuesByIds(ids: readonly string[], signal: AbortSignal) {
    return answering(signal, async () =>
      ids.length === 0 ? answer([]) : selectByIds(await this.#cards(signal), ids),
    );
  }

  transition(issue: Issue, state: string, signal: AbortSignal) {
    return answering(signal, () => this.#update('supervisor', issue, {state}, signal));
  }

  comment(issue: Issue, text: string, signal: AbortSignal) {
    return answering(signal, () => this.#update('supervisor', issue, {comment: text}, signal));
  }

  tools() {
    return [updateIssueSpec('Updates the card that you work on.')];
  }

  callTool(issue: Issue, name: string, args: unknown, signal: AbortSignal): Promise<ToolResult> {
    return callUpdateIssue(name, args, (update) =>
      answering(signal, () => this.#update('agent', issue, update, signal)),
    );
  }

  budget() {
    return this.#http.budget();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#http[Symbol.asyncDispose]();
  }

  async #cards(signal: AbortSignal): Promise<Records> {
    const request = {method: 'GET', path: '/cards', safe: true, signal} as const;
    const {body} = await this.#http.request(request);
    const cards = this.#parse(z.array(z.unknown()), body).map(toBoardIssue);
    return {
      issues: cards.filter((card): card is Issue => 'id' in card),
      malformed: cards.filter((card) => 'problem' in card),
    };
  }

  /** Reads just before it writes, and lets the server compare once more. */
  async #update(
    caller: Caller,
    issue: Issue,
    wanted: IssueUpdate,
    signal: AbortSignal,
  ): Promise<Answered<WriteOutcome>> {
    const found = await this.#card(issue.id, signal);
    if (found === undefined) return answer({outcome: 'conflict', found: null});
    const plan = planUpdate(this.#ownWrites.knownTo(caller, issue), found, wanted);
    if (plan.do === 'yield') return answer({outcome: 'conflict', found});
    if (plan.do === 'nothing') return answer({outcome: 'unchanged', issue: found});
    const {state, labels, comment} = plan.changes;
    const {status, body} = await this.#http.request({
      method: 'PATCH',
      path: `/cards/${encodeURIComponent(found.id)}`,
      body: {from: found.state, column: state, tags: labels, note: comment},
      safe: false,
      expects: [404, 409],
      signal,
    });
    if (status !== 200) {
      return answer({outcome: 'conflict', found: (await this.#card(issue.id, signal)) ?? null});
    }
    const written = toBoardIssue(this.#parse(z.unknown(), body));
    if ('problem' in written) throw this.#http.refuse('tracker_response', written.problem);
    this.#ownWrites.remember(written);
    return answer({outcome: 'written', issue: written, changed: changesOf(plan.changes)});
  }

  async #card(id: string, signal: AbortSignal): Promise<Issue | undefined> {
    return selectByIds(await this.#cards(signal), [id]).value[0];
  }

  #parse<S extends z.ZodMiniType>(schema: S, body: string): z.output<S> {
    try {
      return schema.parse(JSON.parse(body));
    } catch {
      throw this.#http.refuse('tracker_response', 'sent something else than cards');
    }
  }
}
