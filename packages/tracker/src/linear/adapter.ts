import type {
  Issue,
  SecretRef,
  ToolResult,
  ToolSpec,
  TrackerBudget,
  TrackerSettings,
} from '@symphony-supervisor/protocol';
import type {Change, TrackerAdapter, WriteOutcome} from '../adapter.ts';
import {type Answer, answer, answering, TrackerProblem} from '../answer.ts';
import {type Records, selectByIdentifiers, selectByIds, selectByStates} from '../records.ts';
import type {OpenAdapter, OpenOptions} from '../registry.ts';
import {refused} from '../update/update-tool.ts';
import {refusedWebhook, type WebhookDelivery, type WebhookVerdict} from '../webhook.ts';
import {LinearApi} from './api.ts';
import {Catalogue} from './catalogue.ts';
import {RAW_TOOL} from './profile.ts';
import {type ReadOptions, readInBatches, readIssues} from './read.ts';
import {inStates, type Scope, toScope, withIdentifiers, withIds} from './scope.ts';
import {ISSUE_TOOL, linearTools, parseRaw, parseUpdate, resultOf} from './tools.ts';
import {verifyLinearWebhook} from './webhook.ts';
import {type LinearOutcome, type LinearUpdate, LinearWriter} from './write.ts';

export const openLinearTracker = ((settings, options) =>
  new LinearTracker(settings, options)) satisfies OpenAdapter;

/** The issues of a Linear project or team. */
export class LinearTracker implements TrackerAdapter {
  readonly #api: LinearApi;
  readonly #scope: Scope;
  readonly #catalogue: Catalogue;
  readonly #writer: LinearWriter;
  readonly #requiredLabels: readonly string[];
  readonly #hasRawTool: boolean;
  readonly #webhookSecret: SecretRef | null;
  readonly #resolveSecret: OpenOptions['resolveSecret'];

  constructor(settings: TrackerSettings, options: OpenOptions) {
    this.#api = new LinearApi(settings, options);
    this.#scope = toScope(settings.provider);
    this.#catalogue = new Catalogue(this.#api);
    this.#writer = new LinearWriter(this.#api, this.#catalogue, this.#scope);
    this.#requiredLabels = settings.requiredLabels;
    this.#hasRawTool = settings.provider.raw_tool === true;
    this.#webhookSecret = settings.secrets.webhook_secret ?? null;
    this.#resolveSecret = options.resolveSecret;
  }

  issuesByStates(states: readonly string[], signal: AbortSignal) {
    return answering(signal, async () => {
      if (states.length === 0) return answer([]);
      const options = await this.#readOptions(false, signal);
      const ours = options.assigneeId === null ? [] : [{assignee: {id: {eq: options.assigneeId}}}];
      const filters = [...options.filters, inStates(states), ...ours];
      // An issue whose state changed between two requests no longer matches the query.
      return selectByStates(await readIssues(this.#api, {...options, filters}, signal), states);
    });
  }

  issuesByIds(ids: readonly string[], signal: AbortSignal) {
    return answering(signal, async () => {
      if (ids.length === 0) return answer([]);
      const options = await this.#readOptions(true, signal);
      const records = await readInBatches(this.#api, ids, withIds, options, signal);
      return selectByIds(everyRecordNamed(records), ids);
    });
  }

  issuesByIdentifiers(identifiers: readonly string[], signal: AbortSignal) {
    return answering(signal, async () => {
      if (identifiers.length === 0) return answer([]);
      const options = await this.#readOptions(true, signal);
      const read = readInBatches(this.#api, identifiers, withIdentifiers, options, signal);
      return selectByIdentifiers(await read, identifiers);
    });
  }

  transition(issue: Issue, state: string, signal: AbortSignal): Promise<Answer<WriteOutcome>> {
    return this.#write(issue, {state}, signal);
  }

  comment(issue: Issue, text: string, signal: AbortSignal): Promise<Answer<WriteOutcome>> {
    return this.#write(issue, {comment: text}, signal);
  }

  survey(signal: AbortSignal) {
    return answering(signal, async () => {
      const {surveyLinear} = await import('./survey.ts');
      const labels = this.#requiredLabels;
      return answer(await surveyLinear(this.#api, this.#catalogue, this.#scope, labels, signal));
    });
  }

  tools(_issue: Issue): readonly ToolSpec[] {
    return linearTools(this.#hasRawTool);
  }

  async callTool(
    issue: Issue,
    name: string,
    args: unknown,
    signal: AbortSignal,
  ): Promise<ToolResult> {
    if (name === ISSUE_TOOL) return this.#callIssueTool(issue, args, signal);
    if (name === RAW_TOOL && this.#hasRawTool) return this.#callRawTool(args, signal);
    const known = this.tools(issue).map((tool) => tool.name);
    return refused('unknown_tool', `there is no such tool; use ${known.join(' or ')}`);
  }

  async verifyWebhook(
    headers: WebhookDelivery['headers'],
    rawBody: Uint8Array,
    now: number,
  ): Promise<WebhookVerdict> {
    if (this.#webhookSecret === null) {
      return refusedWebhook('tracker.provider.webhook_secret is not set');
    }
    const secret = await this.#resolveSecret(this.#webhookSecret);
    return verifyLinearWebhook(secret, headers, rawBody, now);
  }

  budget(): TrackerBudget {
    return this.#api.budget();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#api[Symbol.asyncDispose]();
  }

  async #readOptions(archived: boolean, signal: AbortSignal): Promise<ReadOptions> {
    const {filters, assignee} = this.#scope;
    return {filters, archived, assigneeId: await this.#catalogue.assigneeId(assignee, signal)};
  }

  #write(issue: Issue, update: LinearUpdate, signal: AbortSignal): Promise<Answer<WriteOutcome>> {
    return answering(signal, async () =>
      answer(asOutcome(await this.#writer.update('supervisor', issue, update, signal))),
    );
  }

  async #callIssueTool(issue: Issue, args: unknown, signal: AbortSignal): Promise<ToolResult> {
    const parsed = parseUpdate(args);
    if (!parsed.ok) return parsed.result;
    return resultOf(
      await answering(signal, async () =>
        answer(await this.#writer.update('agent', issue, parsed.value, signal)),
      ),
    );
  }

  async #callRawTool(args: unknown, signal: AbortSignal): Promise<ToolResult> {
    const parsed = parseRaw(args);
    if (!parsed.ok) return parsed.result;
    const {query, variables} = parsed.value;
    const called = await answering(signal, async () => {
      const {callRawTool} = await import('./raw-tool.ts');
      return answer(await callRawTool(this.#api, query, variables ?? {}, signal));
    });
    return called.ok ? called.value : refused(called.failure.code, called.failure.message);
  }
}

/** A record without a readable id may be any of the requested ones. */
function everyRecordNamed(records: Records): Records {
  const nameless = records.malformed.find(({ids}) => ids.length === 0);
  if (nameless === undefined) return records;
  throw new TrackerProblem({code: 'tracker_response', message: nameless.problem});
}

/** A transition and a comment have one part each: it is written, or the call has failed. */
function asOutcome(done: LinearOutcome): WriteOutcome {
  if (done.outcome === 'no-label') throw new TypeError('no label was asked for');
  if (done.outcome !== 'written') return done;
  const changed = done.changed.filter((part): part is Change => part !== 'attachment');
  return {outcome: 'written', issue: done.issue, changed};
}
