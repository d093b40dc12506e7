import * as z from 'zod/mini';
import {GithubApi, type GithubPlace} from '../../github/api.ts';
import type {HttpOptions} from '../../http/client.ts';
import type {WebhookDelivery} from '../../webhook.ts';
import type {Merge, NewPullRequest} from '../forge.ts';
import {type ForgeProvider, ProvidedForge} from '../provided-forge.ts';
import type {Check} from '../pull-request.ts';
import type {OpenForge} from '../registry.ts';
import {secretsOf} from '../secrets.ts';
import {readLog} from './logs.ts';
import {placeOf} from './provider.ts';
import {GithubPullReader} from './read.ts';
import {readGithubDelivery} from './webhook.ts';
import {createPullRequest, expecting, messageOf, pullRequestsOf, readComments} from './write.ts';

export const openGithubForge = ((settings, {resolveSecret, http}) => {
  const secrets = secretsOf(settings, resolveSecret);
  const authorize = async () => `Bearer ${await secrets.apiKey()}`;
  const provider = new GithubPulls(placeOf(settings.provider), {...http, authorize});
  return new ProvidedForge(provider, secrets);
}) satisfies OpenForge;

/** The pull requests of one repository on GitHub. */
class GithubPulls implements ForgeProvider {
  readonly #place: GithubPlace;
  readonly #api: GithubApi;
  readonly #reader: GithubPullReader;

  constructor(place: GithubPlace, options: Pick<HttpOptions, 'authorize' | 'limitMs' | 'pauseMs'>) {
    this.#place = place;
    this.#api = new GithubApi(place, options);
    this.#reader = new GithubPullReader(this.#api, place);
  }

  pullRequestsOf(branch: string, signal: AbortSignal) {
    return pullRequestsOf(this.#api, this.#place, branch, signal);
  }

  create(wanted: NewPullRequest, signal: AbortSignal) {
    return createPullRequest(this.#api, wanted, signal);
  }

  comments(number: number, signal: AbortSignal) {
    return readComments(this.#api, this.#place, number, signal);
  }

  async writeComment(number: number, body: string, signal: AbortSignal) {
    const path = `${this.#api.repoPath}/issues/${number}/comments`;
    const expects = expecting(403, 404, 410);
    const {status, value} = await this.#api.send('POST', path, {body: {body}, expects, signal});
    return status === 201 ? null : {status, message: messageOf(value)};
  }

  byNumbers(numbers: readonly number[], signal: AbortSignal) {
    return this.#reader.byNumbers(numbers, signal);
  }

  checksOf(shas: readonly string[], signal: AbortSignal) {
    return this.#reader.checksOf(shas, signal);
  }

  readLog(check: Check, _sha: string, signal: AbortSignal) {
    return readLog(this.#api, check, signal);
  }

  async merge(number: number, {sha, method}: Merge, signal: AbortSignal) {
    const path = `${this.#api.repoPath}/pulls/${number}/merge`;
    const {status, value} = await this.#api.send('PUT', path, {
      body: {sha, merge_method: method},
      expects: expecting(403, 404, 405, 409, 422),
      signal,
    });
    if (status !== 200) return {status, message: messageOf(value)};
    return {mergedAs: z.object({sha: z.string()}).safeParse(value).data?.sha ?? null};
  }

  readDelivery(secret: string, headers: WebhookDelivery['headers'], body: Uint8Array) {
    const {owner, name} = this.#place;
    return readGithubDelivery(secret, `${owner}/${name}`, headers, body);
  }

  budget() {
    return this.#api.budget();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#api[Symbol.asyncDispose]();
  }
}
