export type {Change, TrackerAdapter, WriteOutcome} from './adapter.ts';
export type {
  Answer,
  TrackerFailure,
  TrackerFailureCode,
  TrackerWarning,
} from './answer.ts';
export {PROFILES} from './profiles.ts';
export {type OpenOptions, openTracker} from './registry.ts';
export type {StateCount, Survey} from './survey.ts';
export {CALL_LIMITS_MS} from './thread/call-limits.ts';
export {type ResolveSecret, secretResolver} from './thread/secrets.ts';
export type {WebhookDelivery, WebhookVerdict} from './webhook.ts';
