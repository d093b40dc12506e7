export type {Change, TrackerAdapter, WriteOutcome} from './adapter.ts';
export type {
  Answer,
  TrackerFailure,
  TrackerFailureCode,
  TrackerWarning,
} from './answer.ts';
export {CALL_LIMITS_MS} from './call-limits.ts';
export {PROFILES} from './profiles.ts';
export {type OpenOptions, openTracker} from './registry.ts';
export {type ResolveSecret, secretResolver} from './secrets.ts';
export type {StateCount, Survey} from './survey.ts';
export type {WebhookDelivery, WebhookVerdict} from './webhook.ts';
