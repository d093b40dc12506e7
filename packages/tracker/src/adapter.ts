import type {Issue, ToolResult, ToolSpec, TrackerBudget} from '@symphony-supervisor/protocol';
import type {Answer} from './answer.ts';
import type {Survey} from './survey.ts';
import type {WebhookDelivery, WebhookVerdict} from './webhook.ts';

/**
 * One project's tracker, whatever its kind. Two reads schedule everything; the rest is optional, and
 * what an adapter lacks its profile says. Every call ends when its signal does.
 */
export interface TrackerAdapter extends AsyncDisposable {
  /**
   * Candidates, and at start the issues that are over. A malformed record is left out, with a counted
   * warning: one bad issue must not stop the others. No states: no request.
   */
  issuesByStates(states: readonly string[], signal: AbortSignal): Promise<Answer<readonly Issue[]>>;

  /**
   * Each id at most once; one that is missing is gone. For that reason a malformed record among those
   * asked for fails the call: it is not gone, we only cannot read it. No ids: no request.
   */
  issuesByIds(ids: readonly string[], signal: AbortSignal): Promise<Answer<readonly Issue[]>>;

  /**
   * For workspaces found on disk, and for people. Nothing is stopped because of this answer, so a
   * malformed record is left out with a warning.
   */
  issuesByIdentifiers?(
    identifiers: readonly string[],
    signal: AbortSignal,
  ): Promise<Answer<readonly Issue[]>>;

  /**
   * Moves the issue on from the state in which the caller knows it. The adapter reads it just before
   * it writes: where somebody else was faster, their change stands and the outcome is a conflict.
   */
  transition?(issue: Issue, state: string, signal: AbortSignal): Promise<Answer<WriteOutcome>>;

  comment?(issue: Issue, text: string, signal: AbortSignal): Promise<Answer<WriteOutcome>>;

  /** What there is, so that a person can compare it with the workflow file. May take many requests. */
  survey?(signal: AbortSignal): Promise<Answer<Survey>>;

  /** What the agent that works on this issue may call. */
  tools(issue: Issue): readonly ToolSpec[];

  /** For this issue only, whatever the arguments say. A failed call is a result, too. */
  callTool(issue: Issue, name: string, args: unknown, signal: AbortSignal): Promise<ToolResult>;

  /** Calls back soon after something changed; changes that come together are one call. */
  watch?(onChange: () => void): AsyncDisposable;

  /**
   * Whether a delivery is the tracker's own, recent, and news. Header names are in lower case; the
   * body is as it came, because the signature is about its bytes; `now` is in milliseconds.
   */
  verifyWebhook?(
    headers: WebhookDelivery['headers'],
    rawBody: Uint8Array,
    now: number,
  ): Promise<WebhookVerdict>;

  /** What the conversation with the provider has cost so far. */
  budget?(): TrackerBudget;
}

export type Change = 'state' | 'labels' | 'comment';

export type WriteOutcome =
  /** The issue as the write left it. */
  | {readonly outcome: 'written'; readonly issue: Issue; readonly changed: readonly Change[]}
  /** It already was as it should be. */
  | {readonly outcome: 'unchanged'; readonly issue: Issue}
  /** Somebody else changed it (`found` is what it is now), or it is gone (null). Nothing was written. */
  | {readonly outcome: 'conflict'; readonly found: Issue | null};
