import type {Issue, ToolResult, ToolSpec, TrackerBudget} from '@symphony-supervisor/protocol';
import type {Answer} from './answer.ts';
import type {Survey} from './survey.ts';
import type {WebhookDelivery, WebhookVerdict} from './webhook.ts';

/**
 * The tracker of one project, for every provider. Scheduling needs only the two reads; everything
 * else is optional, and the profile says what an adapter lacks. Every call ends when its signal is
 * aborted.
 */
export interface TrackerAdapter extends AsyncDisposable {
  /**
   * Reads candidates and, at start-up, finished issues. A malformed record is left out and counted
   * in a warning, so one bad issue does not stop the others. An empty list of states makes no
   * request.
   */
  issuesByStates(states: readonly string[], signal: AbortSignal): Promise<Answer<readonly Issue[]>>;

  /**
   * Returns each id at most once; a missing id means that the issue is gone. A malformed record
   * among the requested ones therefore fails the call: the issue exists, but cannot be read. An
   * empty list of ids makes no request.
   */
  issuesByIds(ids: readonly string[], signal: AbortSignal): Promise<Answer<readonly Issue[]>>;

  /**
   * For workspaces found on disk and for operators. Nothing is stopped because of this answer, so a
   * malformed record is left out with a warning.
   */
  issuesByIdentifiers?(
    identifiers: readonly string[],
    signal: AbortSignal,
  ): Promise<Answer<readonly Issue[]>>;

  /**
   * Moves the issue from the state that the caller knows. The adapter reads the issue just before
   * it writes: if another writer has changed it, that change stands and the outcome is a conflict.
   */
  transition?(issue: Issue, state: string, signal: AbortSignal): Promise<Answer<WriteOutcome>>;

  comment?(issue: Issue, text: string, signal: AbortSignal): Promise<Answer<WriteOutcome>>;

  /**
   * Lists what the tracker has, so that an operator can compare it with the workflow file. May take
   * many requests.
   */
  survey?(signal: AbortSignal): Promise<Answer<Survey>>;

  /** The tools that the agent of this issue may call. */
  tools(issue: Issue): readonly ToolSpec[];

  /** Acts on this issue only, whatever the arguments say. A failed call is a result, too. */
  callTool(issue: Issue, name: string, args: unknown, signal: AbortSignal): Promise<ToolResult>;

  /** Calls back soon after a change; changes that come together are debounced into one call. */
  watch?(onChange: () => void): AsyncDisposable;

  /**
   * Decides whether a webhook delivery comes from the tracker, is recent and is relevant. Header
   * names are in lower case; the body is unparsed because the signature covers its bytes; `now` is
   * in milliseconds.
   */
  verifyWebhook?(
    headers: WebhookDelivery['headers'],
    rawBody: Uint8Array,
    now: number,
  ): Promise<WebhookVerdict>;

  /** Requests and rate limits used so far. */
  budget?(): TrackerBudget;
}

export type Change = 'state' | 'labels' | 'comment';

export type WriteOutcome =
  /** The issue after the write. */
  | {readonly outcome: 'written'; readonly issue: Issue; readonly changed: readonly Change[]}
  /** The issue already had the wanted state. */
  | {readonly outcome: 'unchanged'; readonly issue: Issue}
  /**
   * Another writer changed the issue (`found` is its current form), or it is gone (null). Nothing
   * was written.
   */
  | {readonly outcome: 'conflict'; readonly found: Issue | null};
