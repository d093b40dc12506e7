import {once} from 'node:events';
import type {MessagePort} from 'node:worker_threads';
import type {
  Issue,
  ToolResult,
  ToolSpec,
  TrackerBudget,
  TrackerSettings,
} from '@symphony-supervisor/protocol';
import {expose} from 'comlink';
import nodeEndpoint from 'comlink/dist/esm/node-adapter.mjs';
import type {WriteOutcome} from '../adapter.ts';
import {type Answer, answer, answering, failed} from '../answer.ts';
import type {Survey} from '../survey.ts';
import type {WebhookDelivery, WebhookVerdict} from '../webhook.ts';
import {CALL_LIMITS_MS} from './call-limits.ts';
import {type Ask, OpenProject, type Secrets} from './open-project.ts';

// The entry of the tracker thread: the only place that talks to a tracker and holds its
// credentials.

const {request, list} = CALL_LIMITS_MS;

/**
 * What the thread does for its owner. Calls of one port arrive in order, and a project exists from
 * the call of `open` on: calls made meanwhile wait until it is open.
 */
export class TrackerThreadApi implements AsyncDisposable {
  readonly #projects = new Map<string, OpenProject>();

  /**
   * Replaces an open project and keeps its subscription. A failure is the answer to all later
   * calls.
   */
  async open(project: string, settings: TrackerSettings, secrets: Secrets): Promise<Answer<null>> {
    const former = this.#projects.get(project);
    const opening = new OpenProject(settings, secrets);
    this.#projects.set(project, opening);
    if (former?.onChange) await opening.watch(former.onChange);
    await former?.[Symbol.asyncDispose]();
    const opened = await opening.opened;
    return opened.ok ? answer(null) : opened;
  }

  async close(project: string): Promise<Answer<null>> {
    const closing = this.#projects.get(project);
    this.#projects.delete(project);
    await closing?.[Symbol.asyncDispose]();
    return answer(null);
  }

  issuesByStates(project: string, states: readonly string[]): Promise<Answer<readonly Issue[]>> {
    return this.#ask(project, list, (adapter, signal) => adapter.issuesByStates(states, signal));
  }

  issuesByIds(project: string, ids: readonly string[]): Promise<Answer<readonly Issue[]>> {
    return this.#ask(project, list, (adapter, signal) => adapter.issuesByIds(ids, signal));
  }

  issuesByIdentifiers(
    project: string,
    identifiers: readonly string[],
  ): Promise<Answer<readonly Issue[]>> {
    return this.#ask(
      project,
      list,
      (adapter, signal) => adapter.issuesByIdentifiers?.(identifiers, signal) ?? null,
    );
  }

  transition(project: string, issue: Issue, state: string): Promise<Answer<WriteOutcome>> {
    return this.#ask(
      project,
      request,
      (adapter, signal) => adapter.transition?.(issue, state, signal) ?? null,
    );
  }

  comment(project: string, issue: Issue, text: string): Promise<Answer<WriteOutcome>> {
    return this.#ask(
      project,
      request,
      (adapter, signal) => adapter.comment?.(issue, text, signal) ?? null,
    );
  }

  survey(project: string): Promise<Answer<Survey>> {
    return this.#ask(project, list, (adapter, signal) => adapter.survey?.(signal) ?? null);
  }

  tools(project: string, issue: Issue): Promise<Answer<readonly ToolSpec[]>> {
    return this.#ask(project, request, (adapter) => answer(adapter.tools(issue)));
  }

  callTool(
    project: string,
    issue: Issue,
    name: string,
    args: unknown,
  ): Promise<Answer<ToolResult>> {
    return this.#ask(project, request, async (adapter, signal) =>
      answer(await adapter.callTool(issue, name, args, signal)),
    );
  }

  verifyWebhook(
    project: string,
    {headers, body}: WebhookDelivery,
  ): Promise<Answer<WebhookVerdict>> {
    return this.#ask(project, request, (adapter, signal) => {
      const verdict = adapter.verifyWebhook?.(headers, body, Date.now());
      return verdict ? answering(signal, async () => answer(await verdict)) : null;
    });
  }

  /** null if requests to the tracker are free. */
  budget(project: string): Promise<Answer<TrackerBudget | null>> {
    return this.#ask(project, request, (adapter) => answer(adapter.budget?.() ?? null));
  }

  /** One listener per project: a new one replaces the old. */
  async watch(project: string, onChange: () => void): Promise<Answer<boolean>> {
    return (await this.#projects.get(project)?.watch(onChange)) ?? notOpen(project);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.allSettled([...this.#projects.keys()].map((project) => this.close(project)));
  }

  async #ask<T>(project: string, limitMs: number, ask: Ask<T>): Promise<Answer<T>> {
    return (await this.#projects.get(project)?.ask(limitMs, ask)) ?? notOpen(project);
  }
}

function notOpen(project: string): Answer<never> {
  return failed('invalid_tracker_config', `the project "${project}" is not open`);
}

/** The thread's only task; it lasts as long as the owner holds the other end of the port. */
export async function serve(
  {port}: {port: MessagePort},
  api = new TrackerThreadApi(),
): Promise<void> {
  const closed = once(port, 'close');
  expose(api, nodeEndpoint(port));
  await closed;
  await api[Symbol.asyncDispose]();
}
