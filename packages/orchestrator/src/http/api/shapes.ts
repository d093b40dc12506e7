import {ActionView, IssueView, RunView, Snapshot} from '@symphony-supervisor/protocol';
import * as z from 'zod/mini';
import {READINESS_CODES} from '../../core/view/readiness.ts';

// What the API returns and accepts, besides the snapshot and the view of an issue.

export {ActionView, IssueView, RunView, Snapshot};

export const ErrorBody = z.object({error: z.object({code: z.string(), message: z.string()})});
export type ErrorBody = z.infer<typeof ErrorBody>;

export const RunList = z.object({
  /** Newest first. */
  runs: z.array(RunView),
});
export type RunList = z.infer<typeof RunList>;

export const ActionList = z.object({
  /** Newest first. */
  actions: z.array(ActionView),
});
export type ActionList = z.infer<typeof ActionList>;

export const count = (min: number, max: number) =>
  z.coerce.number().check(z.int(), z.minimum(min), z.maximum(max));

export const HowMany = z.object({limit: z._default(count(0, 500), 50)});

export const RefreshTaken = z.object({
  queued: z.boolean(),
  /** A tick was already running: one more follows it, however many requests there are. */
  coalesced: z.boolean(),
  requested_at: z.string(),
  operations: z.array(z.string()),
});
export type RefreshTaken = z.infer<typeof RefreshTaken>;

/** The order is recorded and being carried out; its effect shows in the state. */
export const OrderTaken = z.object({
  accepted: z.boolean(),
  command: z.enum(['stop', 'retry', 'restart', 'dismiss', 'clean', 'pause', 'resume']),
  /** null: the order is for projects. */
  issue_identifier: z.nullable(z.string()),
  /** null: all projects, or the only one that has the issue. */
  project: z.nullable(z.string()),
  /** As it is recorded. */
  by: z.string(),
  requested_at: z.string(),
});
export type OrderTaken = z.infer<typeof OrderTaken>;

export const RetryOrder = z.strictObject({
  /** A message for the agent's next turn: the answer to its question. */
  message: z.optional(z.nullable(z.string().check(z.maxLength(20_000)))),
});

export const ProjectOrder = z.strictObject({
  /** Default: every project. */
  project: z.optional(z.nullable(z.string())),
});

export const NoOrder = z.strictObject({});

export const WhichProject = z.object({
  project: z.optional(z.string()),
});

export const Health = z.object({
  status: z.enum(['ok', 'unavailable']),
  /** Why no work can be done, as codes. */
  codes: z.array(z.enum(READINESS_CODES)),
  /** The same with details; omitted without a credential. */
  reasons: z.array(
    z.object({
      code: z.enum(READINESS_CODES),
      /** null: applies to all projects. */
      project: z.nullable(z.string()),
      message: z.string(),
    }),
  ),
});
export type Health = z.infer<typeof Health>;

export const SignIn = z.strictObject({
  /** The one-time code of a link. */
  code: z.string().check(z.maxLength(100)),
});

export const SessionOpened = z.object({
  /** To be sent with each request, beside the cookie that comes with this answer. */
  page_key: z.string(),
  expires_at: z.string(),
});
export type SessionOpened = z.infer<typeof SessionOpened>;

export const LoginCode = z.object({
  code: z.string(),
  expires_at: z.string(),
  /** Where the code is used: `<dashboard_url>/#login=<code>`; null without a dashboard. */
  dashboard_url: z.nullable(z.string()),
});
export type LoginCode = z.infer<typeof LoginCode>;

export const TokensRotated = z.object({rotated: z.boolean()});
export type TokensRotated = z.infer<typeof TokensRotated>;

export const WebhookTaken = z.object({
  accepted: z.boolean(),
  /** Why the delivery has no effect. */
  ignored: z.nullable(z.string()),
});
