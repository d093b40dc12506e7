import * as z from 'zod/mini';
import {mapBounded} from '../../bounded.ts';
import type {HttpOptions} from '../../http/client.ts';
import type {WebhookDelivery} from '../../webhook.ts';
import type {Merge, NewPullRequest} from '../forge.ts';
import {LOG_TAIL_BYTES} from '../logs/clean.ts';
import {readPages} from '../pages.ts';
import {type ForgeProvider, type OpenRefusal, ProvidedForge} from '../provided-forge.ts';
import type {Check} from '../pull-request.ts';
import type {OpenForge} from '../registry.ts';
import {secretsOf} from '../secrets.ts';
import {GitlabApi, messageOf} from './api.ts';
import {isOwn, toRef} from './normalize.ts';
import {type GitlabPlace, placeOf} from './provider.ts';
import {GitlabPullReader} from './read.ts';
import {MergeRequest, User} from './record.ts';
import {readGitlabDelivery} from './webhook.ts';

export const openGitlabForge = ((settings, {resolveSecret, http}) => {
  const secrets = secretsOf(settings, resolveSecret);
  const authorize = async () => `Bearer ${await secrets.apiKey()}`;
  const provider = new GitlabPulls(placeOf(settings.provider), {...http, authorize});
  return new ProvidedForge(provider, secrets);
}) satisfies OpenForge;

const AT_ONCE = 4;
const MAX_PAGES = 10;

/** The merge requests of one project on GitLab. */
class GitlabPulls implements ForgeProvider {
  readonly #place: GitlabPlace;
  readonly #api: GitlabApi;
  readonly #reader: GitlabPullReader;

  constructor(place: GitlabPlace, options: Pick<HttpOptions, 'authorize' | 'limitMs' | 'pauseMs'>) {
    this.#place = place;
    this.#api = new GitlabApi(place, options);
    this.#reader = new GitlabPullReader(this.#api);
  }

  /** Forks are in this list, too, so it may be long. */
  async pullRequestsOf(branch: string, signal: AbortSignal) {
    const query = `source_branch=${encodeURIComponent(branch)}&state=all&scope=all&order_by=created_at&sort=desc`;
    const records = await this.#list(`/merge_requests?${query}&per_page=100`, signal);
    const parsed = z.array(MergeRequest).safeParse(records);
    if (!parsed.success) throw this.#malformed('a list of merge requests');
    return parsed.data.filter((one) => one.source_branch === branch && isOwn(one)).map(toRef);
  }

  async create({title, body, base, branch, isDraft}: NewPullRequest, signal: AbortSignal) {
    const path = `${this.#api.projectPath}/merge_requests`;
    const {status, value} = await this.#api.rest.send('POST', path, {
      body: {
        source_branch: branch,
        target_branch: base,
        // There is no other way to open a draft.
        title: isDraft ? `Draft: ${title}` : title,
        description: withoutQuickActions(body),
      },
      expects: [400, 403, 404, 409, 422],
      signal,
    });
    const message = messageOf(value);
    if (status !== 201) return {status, message, because: openRefusal(status, message)};
    const parsed = MergeRequest.safeParse(value);
    if (!parsed.success) throw this.#malformed('a merge request');
    return toRef(parsed.data);
  }

  async comments(number: number, signal: AbortSignal) {
    const {rest, projectPath} = this.#api;
    const path = `/merge_requests/${number}`;
    const {status} = await rest.get(projectPath + path, signal, [404]);
    if (status === 404) return null;
    const query = 'activity_filter=only_comments&per_page=100';
    const notes = await this.#list(`${path}/notes?${query}`, signal);
    const parsed = z.array(z.object({body: z.string(), author: User})).safeParse(notes);
    if (!parsed.success) throw this.#malformed('a list of comments');
    const self = await this.#reader.self(signal);
    return parsed.data.map(({body, author}) => ({body, isOurs: author.username === self}));
  }

  async writeComment(number: number, body: string, signal: AbortSignal) {
    const path = `${this.#api.projectPath}/merge_requests/${number}/notes`;
    const {status, value} = await this.#api.rest.send('POST', path, {
      body: {body: withoutQuickActions(body)},
      expects: [403, 404],
      signal,
    });
    return status === 201 ? null : {status, message: messageOf(value)};
  }

  byNumbers(numbers: readonly number[], signal: AbortSignal) {
    return this.#reader.byNumbers(numbers, signal);
  }

  async checksOf(shas: readonly string[], signal: AbortSignal) {
    const found = await mapBounded(shas, AT_ONCE, async (sha) => {
      const {records} = await this.#reader.checks.ofCommit(sha, signal);
      return [sha, records] as const;
    });
    return new Map(found.filter(([, checks]) => checks.length > 0));
  }

  async readLog({id}: Check, _sha: string, signal: AbortSignal) {
    if (id === null) return null;
    const path = `${this.#api.projectPath}/jobs/${encodeURIComponent(id)}/trace`;
    return this.#api.rest.tail(path, LOG_TAIL_BYTES, signal);
  }

  async merge(number: number, {sha, method}: Merge, signal: AbortSignal) {
    if (method === 'rebase') {
      return {
        status: 405,
        message: 'rebase merges are not allowed: the project decides it at GitLab',
      };
    }
    const path = `${this.#api.projectPath}/merge_requests/${number}/merge`;
    const {status, value} = await this.#api.rest.send('PUT', path, {
      body: {sha, squash: method === 'squash'},
      // 401 says that the account may not merge there; a bad key fails the next read, too.
      expects: [400, 401, 403, 404, 405, 406, 409, 422],
      signal,
    });
    const merged = status === 200 ? MergeRequest.safeParse(value).data : undefined;
    if (merged?.state !== 'merged') return {status, message: messageOf(value)};
    return {mergedAs: merged.merge_commit_sha ?? merged.squash_commit_sha ?? merged.sha};
  }

  readDelivery(secret: string, headers: WebhookDelivery['headers'], body: Uint8Array, now: number) {
    return readGitlabDelivery(secret, this.#place.project, headers, body, now);
  }

  budget() {
    return this.#api.budget();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#api[Symbol.asyncDispose]();
  }

  async #list(path: string, signal: AbortSignal): Promise<readonly unknown[]> {
    const query = {path: this.#api.projectPath + path, size: 100, maxPages: MAX_PAGES};
    return (await readPages(this.#api.rest, query, signal)).records;
  }

  #malformed(what: string) {
    return this.#api.rest.problem('tracker_response', `sent something else than ${what}`);
  }
}

function openRefusal(status: number, message: string): OpenRefusal | 'exists' {
  if (status === 403 || status === 404) return 'no_right';
  if (status === 409 || /already exists/i.test(message)) return 'exists';
  if (/source.?branch/i.test(message)) return 'no_branch';
  return /target.?branch/i.test(message) ? 'no_base' : 'invalid';
}

/** A line that begins with a slash is an order to GitLab: `/close` closes the request. */
function withoutQuickActions(text: string): string {
  return text.replace(/^(\s*)\/(?=\w)/gm, '$1&#47;');
}
