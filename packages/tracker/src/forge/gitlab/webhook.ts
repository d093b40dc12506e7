import {createHash, createHmac, timingSafeEqual} from 'node:crypto';
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

type Headers = WebhookDelivery['headers'];

/** A signing secret is told by its prefix; any other text is a token that GitLab sends along. */
const SIGNING = /^whsec_([A-Za-z0-9+/]+=*)$/;
/** As long as a delivery may take; a replay later than that is refused. */
const MAX_AGE_MS = 5 * 60_000;

export function readGitlabDelivery(
  secret: string,
  project: string,
  headers: Headers,
  body: Uint8Array,
  now: number,
): ForgeWebhookVerdict {
  const problem = checkGitlabSignature(secret, headers, body, now);
  if (problem !== null) return refusedDelivery(problem);
  const payload = readWebhookBody(body);
  if (payload === null) return refusedDelivery('the body is not JSON');
  const names = [at(payload, 'project', 'path_with_namespace'), at(payload, 'project', 'id')];
  // The payload of a job names the project by its number alone.
  const isOurs = [...names, at(payload, 'project_id')].some(
    (name) => String(name).toLowerCase() === project.toLowerCase(),
  );
  const isNamed = names.some((name) => name !== undefined);
  if (!isOurs && isNamed) return ignoredDelivery('about another project');
  const kind = at(payload, 'object_kind');
  const read = typeof kind === 'string' && Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined;
  return read?.(payload) ?? ignoredDelivery(`an event of the kind "${excerpt(String(kind))}"`);
}

/** Why the delivery is not from GitLab; null: it is. */
export function checkGitlabSignature(
  secret: string,
  headers: Headers,
  body: Uint8Array,
  now: number,
): string | null {
  const [, encoded] = SIGNING.exec(secret) ?? [];
  if (encoded === undefined) {
    const token = headers['x-gitlab-token'] ?? '';
    return isEqual(token, secret) ? null : 'X-Gitlab-Token is not the webhook_secret';
  }
  const {'webhook-id': id = '', 'webhook-timestamp': sentAt = ''} = headers;
  const age = Math.abs(now - Number(sentAt) * 1_000);
  if (sentAt === '' || !(age <= MAX_AGE_MS)) return 'webhook-timestamp is missing or too old';
  const signed = createHmac('sha256', Buffer.from(encoded, 'base64'))
    .update(`${id}.${sentAt}.`)
    .update(body)
    .digest('base64');
  // While a secret is replaced there are several.
  const given = (headers['webhook-signature'] ?? '').split(' ');
  const isOurs = given.some((one) => isEqual(one, `v1,${signed}`));
  return isOurs ? null : 'webhook-signature is not that of the webhook_secret';
}

/** In constant time, whatever the lengths. */
function isEqual(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

type ReadKind = (payload: Payload) => ForgeWebhookVerdict;

const KINDS: Readonly<Record<string, ReadKind>> = {
  merge_request: (payload) =>
    acceptedDelivery({numbers: [at(payload, 'object_attributes', 'iid')]}),
  note: (payload) => acceptedDelivery({numbers: [at(payload, 'merge_request', 'iid')]}),
  pipeline: (payload) =>
    acceptedDelivery({
      numbers: [at(payload, 'merge_request', 'iid')],
      shas: [at(payload, 'object_attributes', 'sha')],
    }),
  build: (payload) => acceptedDelivery({shas: [at(payload, 'sha')]}),
  push: (payload) => acceptedDelivery({branches: [branchOf(at(payload, 'ref'))]}),
};
