import {excerpt} from '../http/verdict.ts';
import {
  isSignedWith,
  readWebhookBody,
  refusedWebhook,
  type WebhookDelivery,
  type WebhookVerdict,
} from '../webhook.ts';

/** Events that can change a scheduling decision. Comments cannot. */
const EVENTS = new Set([
  'issues',
  'issue_dependencies',
  'projects_v2_item',
  'label',
  'repository',
  'public',
]);

/** A repeated delivery starts a second tick, which is all that a replay could achieve. */
export function verifyGithubWebhook(
  secret: string,
  repository: string,
  headers: WebhookDelivery['headers'],
  body: Uint8Array,
): WebhookVerdict {
  const problem = checkGithubSignature(secret, headers, body);
  if (problem !== null) return refusedWebhook(problem);
  const event = headers['x-github-event'] ?? '';
  if (!EVENTS.has(event)) return {is: 'ignored', why: `an event of the kind "${excerpt(event)}"`};
  const payload = readWebhookBody(body);
  if (payload === null) return refusedWebhook('the body is not JSON; choose application/json');
  const about = nameIn(payload.repository);
  // Most deliveries of an organization's hook concern other repositories; items of a project name
  // no repository.
  return about === null || about.toLowerCase() === repository.toLowerCase()
    ? {is: 'accepted'}
    : {is: 'ignored', why: 'about another repository'};
}

/** Why the delivery is not from GitHub; null: it is. */
export function checkGithubSignature(
  secret: string,
  headers: WebhookDelivery['headers'],
  body: Uint8Array,
): string | null {
  const [, signature] = /^sha256=(.*)$/.exec(headers['x-hub-signature-256'] ?? '') ?? [];
  if (signature === undefined) {
    return 'X-Hub-Signature-256 is missing; set the same secret at GitHub';
  }
  const isOurs = isSignedWith(secret, body, signature);
  return isOurs ? null : 'the signature is not that of tracker.provider.webhook_secret';
}

function nameIn(repository: unknown): string | null {
  if (typeof repository !== 'object' || repository === null) return null;
  const {full_name: name} = repository as {full_name?: unknown};
  return typeof name === 'string' ? name : null;
}
