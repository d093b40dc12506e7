import type {Issue, TrackerSettings} from '@symphony-supervisor/protocol';
import type {Answer, WebhookDelivery} from '@symphony-supervisor/tracker';
import {TrackerThread, type TrackerThreadOptions} from './tracker-thread.ts';

/** Every open tracker has a separate thread: one that hangs, loops or runs out of memory stops no other. */
export class TrackerThreads implements AsyncDisposable {
  readonly #options: TrackerThreadOptions;
  readonly #threads = new Map<string, TrackerThread>();
  readonly #closing = new Set<Promise<unknown>>();

  constructor(options: TrackerThreadOptions) {
    this.#options = options;
  }

  /** Whether a thread has ended, and its replacement has not answered a read yet. */
  get isDown(): boolean {
    return [...this.#threads.values()].some((thread) => thread.isDown);
  }

  /** An open tracker gets the new settings, for calls made from now on. */
  open(tracker: string, settings: TrackerSettings): Promise<Answer<null>> {
    const thread = this.#threads.get(tracker) ?? new TrackerThread(this.#options);
    this.#threads.set(tracker, thread);
    return thread.open(tracker, settings);
  }

  async close(tracker: string): Promise<unknown> {
    const thread = this.#threads.get(tracker);
    if (thread === undefined) return null;
    this.#threads.delete(tracker);
    // In the map until it has ended: a disposal in the meantime waits for it.
    const closing = thread.close(tracker).then(() => thread[Symbol.asyncDispose]());
    this.#closing.add(closing);
    return closing.finally(() => this.#closing.delete(closing));
  }

  issuesByStates(tracker: string, states: readonly string[]) {
    return this.#ask(tracker, (thread) => thread.issuesByStates(tracker, states));
  }

  issuesByIds(tracker: string, ids: readonly string[]) {
    return this.#ask(tracker, (thread) => thread.issuesByIds(tracker, ids));
  }

  issuesByIdentifiers(tracker: string, identifiers: readonly string[]) {
    return this.#ask(tracker, (thread) => thread.issuesByIdentifiers(tracker, identifiers));
  }

  transition(tracker: string, issue: Issue, state: string) {
    return this.#ask(tracker, (thread) => thread.transition(tracker, issue, state));
  }

  tools(tracker: string, issue: Issue) {
    return this.#ask(tracker, (thread) => thread.tools(tracker, issue));
  }

  callTool(tracker: string, issue: Issue, name: string, args: unknown) {
    return this.#ask(tracker, (thread) => thread.callTool(tracker, issue, name, args));
  }

  verifyWebhook(tracker: string, delivery: WebhookDelivery) {
    return this.#ask(tracker, (thread) => thread.verifyWebhook(tracker, delivery));
  }

  /** Null if requests to the tracker cost nothing. */
  budget(tracker: string) {
    return this.#ask(tracker, (thread) => thread.budget(tracker));
  }

  /** For an open tracker; false if it can only be polled. Also called after a thread was lost. */
  watch(tracker: string, onChange: () => void) {
    return this.#ask(tracker, (thread) => thread.watch(tracker, onChange));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // They stay in the map: each answers later calls itself.
    await Promise.allSettled([
      ...[...this.#threads.values()].map((thread) => thread[Symbol.asyncDispose]()),
      ...this.#closing,
    ]);
  }

  #ask<T>(tracker: string, ask: (thread: TrackerThread) => Promise<Answer<T>>): Promise<Answer<T>> {
    const thread = this.#threads.get(tracker);
    if (thread !== undefined) return ask(thread);
    const message = `the project "${tracker}" is not open`;
    return Promise.resolve({ok: false, failure: {code: 'invalid_tracker_config', message}});
  }
}
