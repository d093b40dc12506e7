import {excerpt} from '../../http/verdict.ts';
import {isSignedWith, readWebhookBody, type WebhookDelivery} from '../../webhook.ts';
import type {ForgeWebhookVerdict} from '../forge.ts';
import {
  acceptedDelivery,
  at,
  branchOf,
  ignoredDelivery,
  type Payload,
  refusedDelivery,
} from '../webhook.ts';

/** Without a timestamp: a repeated delivery costs one read more. */
export function readGiteaDelivery(
  secret: string,
  repository: string,
  headers: WebhookDelivery['headers'],
  body: Uint8Array,
): ForgeWebhookVerdict {
  // Forgejo sends both, and its own decides. Without a secret a server signs with nothing.
  const signature = headers['x-forgejo-signature'] ?? headers['x-gitea-signature'] ?? '';
  if (secret === '' || !isSignedWith(secret, body, signature)) {
    return refusedDelivery('the signature is not that of the webhook_secret');
  }
  const payload = readWebhookBody(body);
  if (payload === null) return refusedDelivery('the body is not JSON; choose application/json');
  const about = at(payload, 'repository', 'full_name');
  if (typeof about !== 'string' || about.toLowerCase() !== repository.toLowerCase()) {
    return ignoredDelivery('about another repository');
  }
  const event = headers['x-forgejo-event'] ?? headers['x-gitea-event'] ?? '';
  const read = Object.hasOwn(EVENTS, event) ? EVENTS[event] : undefined;
  return read?.(payload) ?? ignoredDelivery(`an event of the kind "${excerpt(event)}"`);
}

type ReadEvent = (payload: Payload) => ForgeWebhookVerdict;

const aboutPull: ReadEvent = (payload) =>
  acceptedDelivery({numbers: [at(payload, 'number') ?? at(payload, 'pull_request', 'number')]});

const EVENTS: Readonly<Record<string, ReadEvent>> = {
  pull_request: aboutPull,
  pull_request_sync: aboutPull,
  pull_request_comment: aboutPull,
  pull_request_approved: aboutPull,
  pull_request_rejected: aboutPull,
  pull_request_review_approved: aboutPull,
  pull_request_review_rejected: aboutPull,
  pull_request_review_comment: aboutPull,
  issue_comment: (payload) =>
    at(payload, 'is_pull') === true
      ? acceptedDelivery({numbers: [at(payload, 'issue', 'number')]})
      : ignoredDelivery('about an issue'),
  status: (payload) => acceptedDelivery({shas: [at(payload, 'sha')]}),
  workflow_run: (payload) => acceptedDelivery({shas: [at(payload, 'workflow_run', 'head_sha')]}),
  workflow_job: (payload) => acceptedDelivery({shas: [at(payload, 'workflow_job', 'head_sha')]}),
  push: (payload) => acceptedDelivery({branches: [branchOf(at(payload, 'ref'))]}),
};
