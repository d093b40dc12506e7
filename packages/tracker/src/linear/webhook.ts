import {
  isSignedWith,
  readWebhookBody,
  refusedWebhook,
  type WebhookDelivery,
  type WebhookVerdict,
} from '../webhook.ts';

/** Linear's own advice: an older delivery may be a replay. */
const MAX_AGE_MS = 60_000;
/** What scheduling depends on: issues, and the labels and projects that select them. */
const NEWS = new Set(['Issue', 'IssueLabel', 'IssueRelation', 'Project']);

export function verifyLinearWebhook(
  secret: string,
  headers: WebhookDelivery['headers'],
  rawBody: Uint8Array,
  now: number,
): WebhookVerdict {
  const signature = headers['linear-signature'];
  if (signature === undefined) return refusedWebhook('the header Linear-Signature is missing');
  if (!isSignedWith(secret, rawBody, signature.trim())) {
    return refusedWebhook('the signature is wrong; check tracker.provider.webhook_secret');
  }
  const body = readWebhookBody(rawBody);
  const sentAt = body?.webhookTimestamp;
  if (body === null || typeof sentAt !== 'number') {
    return refusedWebhook('the body has no webhookTimestamp');
  }
  if (Math.abs(now - sentAt) > MAX_AGE_MS) {
    return refusedWebhook(
      'it was not sent within the last minute; check the clock of this machine',
    );
  }
  const {type} = body;
  return typeof type === 'string' && NEWS.has(type)
    ? {is: 'accepted'}
    : {is: 'ignored', why: 'it is not about issues'};
}
