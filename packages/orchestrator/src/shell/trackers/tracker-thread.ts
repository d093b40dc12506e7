import type {ResourceLimits} from 'node:worker_threads';
import type {
  Issue,
  ToolResult,
  ToolSpec,
  TrackerBudget,
  TrackerSettings,
} from '@symphony-supervisor/protocol';
import type {
  Answer,
  Survey,
  WebhookDelivery,
  WebhookVerdict,
  WriteOutcome,
} from '@symphony-supervisor/tracker';
import {CALL_LIMITS_MS} from '@symphony-supervisor/tracker/call-limits';
import type {TrackerThreadApi} from '@symphony-supervisor/tracker/thread';
import {proxy} from 'comlink';
import {IdGatherer} from './gather-ids.ts';
import {ThreadLine, type ThreadOptions} from './thread-line.ts';

export interface TrackerThreadOptions extends Pick<ThreadOptions, 'filename' | 'onTrouble'> {
  /** The variables that settings name as secrets; the thread gets those and no others. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly limitsMs?: {readonly request: number; readonly list: number};
  readonly resourceLimits?: ResourceLimits;
}

/** Beyond the thread's own deadlines: if it can, it reports what was too slow. */
const ANSWER_MARGIN_MS = 5_000;
const LIMITS_MS = {
  request: CALL_LIMITS_MS.request + ANSWER_MARGIN_MS,
  list: CALL_LIMITS_MS.list + ANSWER_MARGIN_MS,
};
/** Memory for the pages of a large tracker; beyond it there is a leak, and a new thread is cheap. */
const RESOURCE_LIMITS: ResourceLimits = {maxOldGenerationSizeMb: 512};

interface Project {
  readonly settings: TrackerSettings;
  readonly onChange: (() => void) | null;
  /** Whether the tracker reports changes by itself; others are only polled. */
  readonly watches: boolean;
}

/**
 * The tracker for the rest of the supervisor: every call is answered, in time, with data. The thread may die;
 * the next call then starts a new one, with all projects open again.
 */
export class TrackerThread implements AsyncDisposable {
  readonly #options: TrackerThreadOptions;
  readonly #limitsMs: {readonly request: number; readonly list: number};
  readonly #projects = new Map<string, Project>();
  readonly #ids = new IdGatherer((project, ids) =>
    this.#ask('list', (api) => api.issuesByIds(project, ids)),
  );
  #line: ThreadLine;
  #isDown = false;
  #isDisposed = false;

  constructor(options: TrackerThreadOptions) {
    this.#options = options;
    this.#limitsMs = options.limitsMs ?? LIMITS_MS;
    this.#line = this.#newLine();
  }

  /** The thread has ended, and its replacement has not answered a read yet. */
  get isDown(): boolean {
    return this.#isDown;
  }

  /** An open tracker gets the new settings, for calls made from now on. */
  open(project: string, settings: TrackerSettings): Promise<Answer<null>> {
    const secrets = this.#secretsOf(settings);
    const answer = this.#ask('request', (api) => api.open(project, settings, secrets));
    const {onChange = null, watches = false} = this.#projects.get(project) ?? {};
    this.#projects.set(project, {settings, onChange, watches});
    return answer;
  }

  close(project: string): Promise<Answer<null>> {
    this.#projects.delete(project);
    return this.#ask('request', (api) => api.close(project));
  }

  issuesByStates(project: string, states: readonly string[]): Promise<Answer<readonly Issue[]>> {
    return this.#ask('list', (api) => api.issuesByStates(project, states));
  }

  issuesByIds(project: string, ids: readonly string[]): Promise<Answer<readonly Issue[]>> {
    return this.#ids.issuesByIds(project, ids);
  }

  issuesByIdentifiers(
    project: string,
    identifiers: readonly string[],
  ): Promise<Answer<readonly Issue[]>> {
    return this.#ask('list', (api) => api.issuesByIdentifiers(project, identifiers));
  }

  transition(project: string, issue: Issue, state: string): Promise<Answer<WriteOutcome>> {
    return this.#ask('request', (api) => api.transition(project, issue, state));
  }

  /** For people who set up a project; see `Survey`. */
  survey(project: string): Promise<Answer<Survey>> {
    return this.#ask('list', (api) => api.survey(project));
  }

  tools(project: string, issue: Issue): Promise<Answer<readonly ToolSpec[]>> {
    return this.#ask('request', (api) => api.tools(project, issue));
  }

  callTool(
    project: string,
    issue: Issue,
    name: string,
    args: unknown,
  ): Promise<Answer<ToolResult>> {
    return this.#ask('request', (api) => api.callTool(project, issue, name, args));
  }

  verifyWebhook(project: string, delivery: WebhookDelivery): Promise<Answer<WebhookVerdict>> {
    return this.#ask('request', (api) => api.verifyWebhook(project, delivery));
  }

  /** Null if requests to the tracker cost nothing. */
  budget(project: string): Promise<Answer<TrackerBudget | null>> {
    return this.#ask('request', (api) => api.budget(project));
  }

  /** For an open project; false if its tracker can only be polled. Also called after a thread was lost. */
  async watch(project: string, onChange: () => void): Promise<Answer<boolean>> {
    const watching = this.#ask('request', (api) => api.watch(project, listener(onChange)));
    this.#note(project, {onChange});
    const answer = await watching;
    this.#note(project, {watches: answer.ok && answer.value});
    return answer;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true;
    await this.#line[Symbol.asyncDispose]();
  }

  #ask<T>(
    kind: 'request' | 'list',
    ask: (api: TrackerThreadApi) => Promise<Answer<T>>,
  ): Promise<Answer<T>> {
    if (this.#line.isOver && !this.#isDisposed) this.#replaceLine();
    const line = this.#line;
    const asked = line.call(this.#limitsMs[kind], ask);
    if (kind === 'list') {
      // Opening proves nothing: it sends no request.
      void asked.then(() => {
        if (!line.isOver) this.#isDown = false;
      });
    }
    return asked;
  }

  #newLine(): ThreadLine {
    const {filename, resourceLimits = RESOURCE_LIMITS} = this.#options;
    const onTrouble = (reason: string) => {
      this.#isDown = true;
      this.#options.onTrouble(reason);
    };
    return new ThreadLine({filename, onTrouble, resourceLimits});
  }

  /** Not awaited: the port keeps the order of calls, so these come first. */
  #replaceLine(): void {
    this.#line = this.#newLine();
    for (const [project, {settings, onChange, watches}] of this.#projects) {
      const secrets = this.#secretsOf(settings);
      void this.#line.call(this.#limitsMs.request, (api) => api.open(project, settings, secrets));
      if (onChange === null) continue;
      void this.#line.call(this.#limitsMs.request, (api) => api.watch(project, listener(onChange)));
      // Changes between the two threads were missed. A tracker that is only polled misses nothing, and a tick for
      // every dead thread would read its full list again and again.
      if (watches) queueMicrotask(onChange);
    }
  }

  #note(project: string, change: Partial<Project>): void {
    const open = this.#projects.get(project);
    if (open !== undefined) this.#projects.set(project, {...open, ...change});
  }

  #secretsOf({secretNames}: TrackerSettings): Record<string, string> {
    const {environment} = this.#options;
    return Object.fromEntries(
      secretNames.flatMap((name) => {
        const value = environment[name];
        return value === undefined ? [] : [[name, value]];
      }),
    );
  }
}

/** An exception of the listener belongs to the supervisor; sent back as an answer it would end the thread. */
function listener(onChange: () => void): () => void {
  return proxy(() => queueMicrotask(onChange));
}
