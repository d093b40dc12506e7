import type {Issue, ToolResult, ToolSpec, TrackerSettings} from '@symphony-supervisor/protocol';
import type {TrackerAdapter, WriteOutcome} from '../adapter.ts';
import {type Answer, answer, answering, TrackerProblem} from '../answer.ts';
import {selectByIdentifiers, selectByIds} from '../records.ts';
import type {OpenAdapter, OpenOptions} from '../registry.ts';
import {type Caller, OwnWrites} from '../update/update.ts';
import {refused} from '../update/update-tool.ts';
import {refusedWebhook, type WebhookDelivery, type WebhookVerdict} from '../webhook.ts';
import {GithubApi} from './api.ts';
import {identifierOf, numberIn, numberOf} from './normalize.ts';
import {type GithubProvider, readProvider} from './provider.ts';
import {GithubReader} from './read/read.ts';
import {callRawTool, RAW_TOOL, rawToolSpec} from './tools/raw-tool.ts';
import {callIssueTool, ISSUE_TOOL, issueToolSpec} from './tools/tools.ts';
import {verifyGithubWebhook} from './webhook.ts';
import {type GithubUpdate, updateIssue} from './write/write.ts';

export const openGithubTracker = ((settings, options) =>
  new GithubTracker(settings, options)) satisfies OpenAdapter;

/** The issues of one repository on GitHub. */
export class GithubTracker implements TrackerAdapter {
  readonly #provider: GithubProvider;
  readonly #api: GithubApi;
  readonly #reader: GithubReader;
  readonly #requiredLabels: readonly string[];
  readonly #webhookSecret: () => Promise<string | null>;
  readonly #ownWrites = new OwnWrites();
  /** By id: the last write in flight to each issue. */
  readonly #writes = new Map<string, Promise<unknown>>();

  constructor(settings: TrackerSettings, {resolveSecret, http}: OpenOptions) {
    const {api_key: key, webhook_secret: webhookSecret} = settings.secrets;
    this.#provider = readProvider(settings.provider);
    this.#api = new GithubApi(this.#provider, {
      ...http,
      authorize: async () => {
        if (key === undefined) throw new TrackerProblem(MISSING_KEY);
        return `Bearer ${(await resolveSecret(key)).trim()}`;
      },
    });
    this.#reader = new GithubReader(this.#api, this.#provider, settings);
    this.#requiredLabels = settings.requiredLabels;
    this.#webhookSecret = async () => (webhookSecret ? resolveSecret(webhookSecret) : null);
  }

  issuesByStates(states: readonly string[], signal: AbortSignal) {
    return answering(signal, () =>
      states.length === 0 ? answer([]) : this.#reader.byStates(states, signal),
    );
  }

  /** An id that is not a number never was an issue here, so it is gone; no request is made. */
  issuesByIds(ids: readonly string[], signal: AbortSignal) {
    return answering(signal, async () => {
      const numbers = distinct(ids.map(numberOf));
      if (numbers.length === 0) return answer([]);
      return selectByIds(await this.#reader.byNumbers(numbers, signal), numbers.map(String));
    });
  }

  issuesByIdentifiers(identifiers: readonly string[], signal: AbortSignal) {
    return answering(signal, async () => {
      const {name} = this.#provider;
      const numbers = distinct(identifiers.map((identifier) => numberIn(identifier, name)));
      if (numbers.length === 0) return answer([]);
      const asked = numbers.map((number) => identifierOf(name, number));
      // An operator asks for one; many are workspaces on disk, and no run starts because of this
      // read.
      const found = await this.#reader.byNumbers(numbers, signal, numbers.length === 1);
      return selectByIdentifiers(found, asked);
    });
  }

  transition(issue: Issue, state: string, signal: AbortSignal): Promise<Answer<WriteOutcome>> {
    return this.#write('supervisor', issue, {state}, signal);
  }

  comment(issue: Issue, text: string, signal: AbortSignal): Promise<Answer<WriteOutcome>> {
    return this.#write('supervisor', issue, {comment: text}, signal);
  }

  survey(signal: AbortSignal) {
    return answering(signal, async () => {
      const {surveyGithub} = await import('./survey.ts');
      return surveyGithub(this.#api, this.#provider, this.#reader, this.#requiredLabels, signal);
    });
  }

  tools(_issue: Issue): readonly ToolSpec[] {
    const states = this.#provider.stateLabels.map(({state}) => state);
    const own = issueToolSpec(states);
    return this.#provider.rawTool ? [own, rawToolSpec(this.#api)] : [own];
  }

  async callTool(
    issue: Issue,
    name: string,
    args: unknown,
    signal: AbortSignal,
  ): Promise<ToolResult> {
    if (name === ISSUE_TOOL) {
      return callIssueTool(args, this.#reader.rules, (update, onWrite) =>
        this.#write('agent', issue, update, signal, onWrite),
      );
    }
    if (name === RAW_TOOL && this.#provider.rawTool) return callRawTool(args, this.#api, signal);
    return refused('unknown_tool', `there is no tool "${name}"; use ${ISSUE_TOOL}`);
  }

  async verifyWebhook(
    headers: WebhookDelivery['headers'],
    rawBody: Uint8Array,
  ): Promise<WebhookVerdict> {
    const secret = await this.#webhookSecret();
    if (secret === null) return refusedWebhook('tracker.provider.webhook_secret is not set');
    const {owner, name} = this.#provider;
    return verifyGithubWebhook(secret, `${owner}/${name}`, headers, rawBody);
  }

  budget() {
    return this.#api.budget();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.allSettled(this.#writes.values());
    await this.#api[Symbol.asyncDispose]();
  }

  /** Serializes writes per issue, so that two of our own are not taken for a person's edit. */
  #write(
    caller: Caller,
    issue: Issue,
    wanted: GithubUpdate,
    signal: AbortSignal,
    onWrite = () => {},
  ): Promise<Answer<WriteOutcome>> {
    const before = this.#writes.get(issue.id) ?? Promise.resolve();
    const write = before.then(() =>
      answering(signal, () => this.#update(caller, issue, wanted, signal, onWrite)),
    );
    const settled = write
      .catch(() => {})
      .then(() => {
        if (this.#writes.get(issue.id) === settled) this.#writes.delete(issue.id);
      });
    this.#writes.set(issue.id, settled);
    return write;
  }

  async #update(
    caller: Caller,
    issue: Issue,
    wanted: GithubUpdate,
    signal: AbortSignal,
    onWrite: () => void,
  ) {
    const number = numberOf(issue.id);
    if (number === null) return answer<WriteOutcome>({outcome: 'conflict', found: null});
    const shared = {api: this.#api, provider: this.#provider, reader: this.#reader};
    const context = {...shared, signal, onWrite};
    const known = this.#ownWrites.knownTo(caller, issue);
    const done = await updateIssue(known, number, wanted, context);
    if (done.outcome === 'written') this.#ownWrites.remember(done.issue);
    return answer(done);
  }
}

const MISSING_KEY = {
  code: 'missing_tracker_secret',
  message: 'tracker.provider.api_key is missing; set GITHUB_TOKEN, or give api_key or api_key_file',
} as const;

function distinct(numbers: readonly (number | null)[]): number[] {
  return [...new Set(numbers.filter((number) => number !== null))];
}
