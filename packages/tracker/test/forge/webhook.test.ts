import assert from 'node:assert/strict';
import {createHmac} from 'node:crypto';
import {test} from 'node:test';
import type {ForgeWebhookVerdict} from '../../src/forge/forge.ts';
import {readGiteaDelivery} from '../../src/forge/gitea/webhook.ts';
import {readGithubDelivery} from '../../src/forge/github/webhook.ts';
import {readGitlabDelivery} from '../../src/forge/gitlab/webhook.ts';
import {HEAD, NOW} from './facts.ts';

const SECRET = 'a-secret-for-hooks';
const REPO = 'acme/widgets';
const repository = {full_name: REPO};
const project = {path_with_namespace: REPO, id: 7};
const bytes = (payload: unknown) => Buffer.from(JSON.stringify(payload));
const hex = (body: Uint8Array) => createHmac('sha256', SECRET).update(body).digest('hex');

function told(verdict: ForgeWebhookVerdict): string {
  if (verdict.is !== 'accepted') return verdict.is;
  const {numbers, shas, branches} = verdict.about;
  return [...numbers, ...shas, ...branches].join(' ');
}

const READ = {
  github(event: string, payload: object, signature?: string) {
    const body = bytes({repository, ...payload});
    const headers = {
      'x-github-event': event,
      'x-hub-signature-256': signature ?? `sha256=${hex(body)}`,
    };
    return readGithubDelivery(SECRET, REPO, headers, body);
  },
  gitea(event: string, payload: object, signature?: string) {
    const body = bytes({repository, ...payload});
    const headers = {'x-gitea-event': event, 'x-gitea-signature': signature ?? hex(body)};
    return readGiteaDelivery(SECRET, REPO, headers, body);
  },
  gitlab(event: string, payload: object, token = SECRET) {
    const body = bytes({project, object_kind: event, ...payload});
    return readGitlabDelivery(SECRET, REPO, {'x-gitlab-token': token}, body, NOW);
  },
};

const pull_request = {number: 5};
const ROWS: readonly (readonly [keyof typeof READ, string, object, string])[] = [
  ['github', 'pull_request', {pull_request}, '5'],
  ['github', 'pull_request_review', {pull_request}, '5'],
  ['github', 'issue_comment', {issue: {number: 5, pull_request: {}}}, '5'],
  ['github', 'issue_comment', {issue: {number: 5}}, 'ignored'],
  [
    'github',
    'check_suite',
    {check_suite: {head_sha: HEAD, pull_requests: [{number: 5}]}},
    `5 ${HEAD}`,
  ],
  ['github', 'check_suite', {check_suite: {head_sha: HEAD, pull_requests: []}}, HEAD],
  ['github', 'status', {sha: HEAD}, HEAD],
  ['github', 'status', {sha: 'x; rm -rf'}, 'ignored'],
  ['github', 'push', {ref: 'refs/heads/main'}, 'main'],
  ['github', 'push', {ref: 'refs/tags/v1'}, 'ignored'],
  ['github', 'constructor', {}, 'ignored'],
  ['github', 'pull_request', {pull_request, repository: {full_name: 'eve/widgets'}}, 'ignored'],
  ['gitea', 'pull_request', {number: 5}, '5'],
  ['gitea', 'pull_request_rejected', {number: 5}, '5'],
  ['gitea', 'issue_comment', {is_pull: true, issue: {number: 5}}, '5'],
  ['gitea', 'issue_comment', {is_pull: false, issue: {number: 5}}, 'ignored'],
  ['gitea', 'status', {sha: HEAD}, HEAD],
  ['gitea', 'push', {ref: 'refs/heads/main'}, 'main'],
  ['gitlab', 'merge_request', {object_attributes: {iid: 5}}, '5'],
  ['gitlab', 'note', {merge_request: {iid: 5}}, '5'],
  ['gitlab', 'note', {issue: {iid: 5}}, 'ignored'],
  ['gitlab', 'pipeline', {merge_request: {iid: 5}, object_attributes: {sha: HEAD}}, `5 ${HEAD}`],
  ['gitlab', 'build', {sha: HEAD}, HEAD],
  ['gitlab', 'push', {ref: 'refs/heads/main'}, 'main'],
  [
    'gitlab',
    'push',
    {ref: 'refs/heads/main', project: {path_with_namespace: 'eve/widgets', id: 8}},
    'ignored',
  ],
];

for (const [kind, event, payload, about] of ROWS) {
  test(`a delivery of ${kind}, ${event} ${JSON.stringify(payload)}: ${about}`, () => {
    assert.equal(told(READ[kind](event, payload)), about);
  });
}

test('a delivery without the right signature is refused', () => {
  const push = {ref: 'refs/heads/main'};
  assert.equal(told(READ.github('push', push, `sha256=${'0'.repeat(64)}`)), 'refused');
  assert.equal(told(READ.github('push', push, 'sha256=')), 'refused');
  assert.equal(told(READ.gitea('push', push, '')), 'refused');
  assert.equal(told(READ.gitlab('push', push, 'another')), 'refused');
  assert.equal(told(READ.gitlab('push', push, '')), 'refused');
});

test('the signature of Forgejo decides where both are sent', () => {
  const body = bytes({repository, ref: 'refs/heads/main'});
  const headers = {'x-gitea-event': 'push', 'x-gitea-signature': hex(body)};
  const read = (forgejo: string) =>
    told(readGiteaDelivery(SECRET, REPO, {...headers, 'x-forgejo-signature': forgejo}, body));
  assert.deepEqual([read(hex(body)), read('0'.repeat(64))], ['main', 'refused']);
});

test('with a signing secret a delivery of GitLab needs a fresh signature; a token is not enough', () => {
  const key = Buffer.alloc(32, 7);
  const secret = `whsec_${key.toString('base64')}`;
  const body = bytes({project, object_kind: 'push', ref: 'refs/heads/main'});
  const read = (sentAt: number, more: Record<string, string> = {}) => {
    const stamp = String(Math.floor(sentAt / 1_000));
    const signed = createHmac('sha256', key).update(`id.${stamp}.`).update(body).digest('base64');
    const headers = {'webhook-id': 'id', 'webhook-timestamp': stamp};
    const signature = {'webhook-signature': `v1,AAAA v1,${signed}`};
    return told(readGitlabDelivery(secret, REPO, {...headers, ...signature, ...more}, body, NOW));
  };
  assert.equal(read(NOW), 'main');
  assert.equal(read(NOW - 6 * 60_000), 'refused');
  assert.equal(read(NOW, {'webhook-signature': 'v1,AAAA', 'x-gitlab-token': secret}), 'refused');
});
