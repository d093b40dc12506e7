import {checkGithubSignature} from '../../github/webhook.ts';
import {excerpt} from '../../http/verdict.ts';
import {readWebhookBody, type WebhookDelivery} from '../../webhook.ts';
import type {ForgeWebhookVerdict} from '../forge.ts';
import {
  acceptedDelivery,
  at,
  branchOf,
  ignoredDelivery,
  type Payload,
  refusedDelivery,
} from '../webhook.ts';

/** Which pull requests a delivery of this repository is about. */
export function readGithubDelivery(
  secret: string,
  repository: string,
  headers: WebhookDelivery['headers'],
  body: Uint8Array,
): ForgeWebhookVerdict {
  const problem = checkGithubSignature(secret, headers, body);
  if (problem !== null) return refusedDelivery(problem);
  const payload = readWebhookBody(body);
  if (payload === null) return refusedDelivery('the body is not JSON; choose application/json');
  const about = at(payload, 'repository', 'full_name');
  if (typeof about !== 'string' || about.toLowerCase() !== repository.toLowerCase()) {
    return ignoredDelivery('about another repository');
  }
  const event = headers['x-github-event'] ?? '';
  const subject = Object.hasOwn(EVENTS, event) ? EVENTS[event]?.(payload) : undefined;
  return subject ?? ignoredDelivery(`an event of the kind "${excerpt(event)}"`);
}

type ReadEvent = (payload: Payload) => ForgeWebhookVerdict;

const aboutPull: ReadEvent = (payload) =>
  acceptedDelivery({numbers: [at(payload, 'pull_request', 'number')]});

/** The list of pull requests is empty for a head in a fork, so the commit is taken as well. */
const aboutChecks =
  (key: string): ReadEvent =>
  (payload) => {
    const listed = at(payload, key, 'pull_requests');
    return acceptedDelivery({
      numbers: Array.isArray(listed) ? listed.map((pull) => at(pull, 'number')) : [],
      shas: [at(payload, key, 'head_sha')],
    });
  };

const EVENTS: Readonly<Record<string, ReadEvent>> = {
  pull_request: aboutPull,
  pull_request_review: aboutPull,
  pull_request_review_comment: aboutPull,
  pull_request_review_thread: aboutPull,
  issue_comment: (payload) =>
    at(payload, 'issue', 'pull_request') === undefined
      ? ignoredDelivery('about an issue')
      : acceptedDelivery({numbers: [at(payload, 'issue', 'number')]}),
  check_run: aboutChecks('check_run'),
  check_suite: aboutChecks('check_suite'),
  workflow_run: aboutChecks('workflow_run'),
  workflow_job: aboutChecks('workflow_job'),
  status: (payload) => acceptedDelivery({shas: [at(payload, 'sha')]}),
  // A conflict has no event of its own: each push to a base may cause one.
  push: (payload) => acceptedDelivery({branches: [branchOf(at(payload, 'ref'))]}),
};
