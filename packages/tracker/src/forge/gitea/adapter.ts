import * as z from 'zod/mini';
import {mapBounded} from '../../bounded.ts';
import type {HttpOptions} from '../../http/client.ts';
import type {WebhookDelivery} from '../../webhook.ts';
import type {Merge, NewPullRequest} from '../forge.ts';
import {type ForgeProvider, type OpenRefusal, ProvidedForge} from '../provided-forge.ts';
import type {Check} from '../pull-request.ts';
import type {OpenForge} from '../registry.ts';
import {secretsOf} from '../secrets.ts';
import {GiteaApi, messageOf} from './api.ts';
import {GiteaLogs} from './logs.ts';
import {isOwn, toRef} from './normalize.ts';
import {type GiteaPlace, placeOf} from './provider.ts';
import {GiteaPullReader} from './read.ts';
import {Pull, User} from './record.ts';
import {readGiteaDelivery} from './webhook.ts';

export const openGiteaForge = ((settings, {resolveSecret, http}) => {
  const secrets = secretsOf(settings, resolveSecret);
  const authorize = async () => `token ${await secrets.apiKey()}`;
  const provider = new GiteaPulls(placeOf(settings.provider), {...http, authorize});
  return new ProvidedForge(provider, secrets);
}) satisfies OpenForge;

const AT_ONCE = 4;
/** A thousand open pull requests, and the 250 that were closed last. */
const OPEN_PAGES = 20;
const CLOSED_PAGES = 5;

/** The pull requests of one repository on Gitea or Forgejo. */
class GiteaPulls implements ForgeProvider {
  readonly #place: GiteaPlace;
  readonly #api: GiteaApi;
  readonly #reader: GiteaPullReader;
  readonly #logs: GiteaLogs;

  constructor(place: GiteaPlace, options: Pick<HttpOptions, 'authorize' | 'limitMs' | 'pauseMs'>) {
    this.#place = place;
    this.#api = new GiteaApi(place, options);
    this.#reader = new GiteaPullReader(this.#api, place.owner);
    this.#logs = new GiteaLogs(this.#api);
  }

  /** There is no filter by head; closed ones are looked through only if none is open. */
  async pullRequestsOf(branch: string, signal: AbortSignal) {
    const isIt = (pull: Pull) => pull.head.ref === branch && isOwn(pull);
    const open = (await this.#reader.list('open', OPEN_PAGES, signal)).filter(isIt);
    if (open.length > 0) return open.map(toRef);
    return (await this.#reader.list('closed', CLOSED_PAGES, signal)).filter(isIt).map(toRef);
  }

  async create({title, body, base, branch, isDraft}: NewPullRequest, signal: AbortSignal) {
    const {status, value} = await this.#api.rest.send('POST', `${this.#api.repoPath}/pulls`, {
      // There is no other way to open a draft.
      body: {title: isDraft ? `WIP: ${title}` : title, body, base, head: branch},
      expects: [403, 404, 409, 422, 423],
      signal,
    });
    const message = messageOf(value);
    if (status !== 201) return {status, message, because: openRefusal(status, message)};
    const parsed = Pull.safeParse(value);
    if (!parsed.success) {
      throw this.#api.rest.problem('tracker_response', 'sent no pull request');
    }
    return toRef(parsed.data);
  }

  async comments(number: number, signal: AbortSignal) {
    const path = `${this.#api.repoPath}/issues/${number}/comments`;
    const {status, value} = await this.#api.rest.get(path, signal, [404]);
    if (status === 404) return null;
    const parsed = z.array(z.object({body: z.string(), user: z.nullable(User)})).safeParse(value);
    if (!parsed.success) {
      throw this.#api.rest.problem('tracker_response', 'sent no list of comments');
    }
    const self = await this.#reader.self(signal);
    return parsed.data.map(({body, user}) => ({body, isOurs: user?.login === self}));
  }

  async writeComment(number: number, body: string, signal: AbortSignal) {
    const path = `${this.#api.repoPath}/issues/${number}/comments`;
    const expects = [403, 404, 423];
    const {status, value} = await this.#api.rest.send('POST', path, {
      ...{body: {body}, expects, signal},
    });
    return status === 201 ? null : {status, message: messageOf(value)};
  }

  byNumbers(numbers: readonly number[], signal: AbortSignal) {
    return this.#reader.byNumbers(numbers, signal);
  }

  async checksOf(shas: readonly string[], signal: AbortSignal) {
    const found = await mapBounded(shas, AT_ONCE, async (sha) => {
      const {records} = await this.#reader.checksOf(sha, signal);
      return [sha, records] as const;
    });
    return new Map(found.filter(([, checks]) => checks.length > 0));
  }

  readLog(check: Check, sha: string, signal: AbortSignal) {
    return this.#logs.read(check, sha, signal);
  }

  async merge(number: number, {sha, method}: Merge, signal: AbortSignal) {
    const path = `${this.#api.repoPath}/pulls/${number}/merge`;
    const {status, value} = await this.#api.rest.send('POST', path, {
      // Older servers know these names with a capital only, newer ones take both.
      body: {Do: method, head_commit_id: sha},
      expects: [403, 404, 405, 409, 423],
      signal,
    });
    if (status !== 200) return {status, message: messageOf(value)};
    // The answer is empty.
    const merged = await this.#reader.pull(number, signal);
    return {mergedAs: merged?.merge_commit_sha ?? null};
  }

  readDelivery(secret: string, headers: WebhookDelivery['headers'], body: Uint8Array) {
    const {owner, name} = this.#place;
    return readGiteaDelivery(secret, `${owner}/${name}`, headers, body);
  }

  budget() {
    return this.#api.budget();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#api[Symbol.asyncDispose]();
  }
}

function openRefusal(status: number, message: string): OpenRefusal | 'exists' {
  if (status === 409) return 'exists';
  if (status === 403 || status === 423) return 'no_right';
  if (/no (?:changes|commits)|is empty|no difference/i.test(message)) return 'no_commits';
  if (/base/i.test(message)) return 'no_base';
  return /head|branch|target couldn't be found/i.test(message) ? 'no_branch' : 'invalid';
}
