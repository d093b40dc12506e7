import type {TrackerBudget} from '@symphony-supervisor/protocol';
import {answer, answering} from '../answer.ts';
import {excerpt} from '../http/verdict.ts';
import type {WebhookDelivery} from '../webhook.ts';
import type {
  Commented,
  Forge,
  ForgeWebhookVerdict,
  KeyedComment,
  Merge,
  MergeOutcome,
  NewPullRequest,
  OpenOutcome,
} from './forge.ts';
import {readLogs} from './logs/read-logs.ts';
import {hasMarker, withMarker} from './marker.ts';
import {currentOf} from './newest.ts';
import type {Check, PullRequest, PullRequestRef} from './pull-request.ts';
import {mergeRefusal} from './rules/merge-refusal.ts';
import type {ForgeSecrets} from './secrets.ts';
import {refusedDelivery} from './webhook.ts';

/** A comment of a pull request, as far as the search for our own needs it. */
export interface OwnComment {
  readonly body: string;
  readonly isOurs: boolean;
}

/** An answer to a write that is no success. */
export interface Refusal {
  readonly status: number;
  /** What the provider said. */
  readonly message: string;
}

export type OpenRefusal = Extract<OpenOutcome, {outcome: 'refused'}>['because'];

/** The requests of one provider. They throw `TrackerProblem`; what all forges share is not here. */
export interface ForgeProvider extends AsyncDisposable {
  /** All pull requests of a branch of our own repository, in any order. */
  pullRequestsOf(branch: string, signal: AbortSignal): Promise<readonly PullRequestRef[]>;
  create(
    wanted: NewPullRequest,
    signal: AbortSignal,
  ): Promise<PullRequestRef | (Refusal & {readonly because: OpenRefusal | 'exists'})>;
  /** null: there is no such pull request. */
  comments(number: number, signal: AbortSignal): Promise<readonly OwnComment[] | null>;
  /** null: written. */
  writeComment(number: number, body: string, signal: AbortSignal): Promise<Refusal | null>;
  byNumbers(numbers: readonly number[], signal: AbortSignal): Promise<readonly PullRequest[]>;
  checksOf(
    shas: readonly string[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, readonly Check[]>>;
  /** The end of the log of a check of this commit; null: there is none. */
  readLog(check: Check, sha: string, signal: AbortSignal): Promise<string | null>;
  /** The commit of the merge, if the provider names it. */
  merge(
    number: number,
    merge: Merge,
    signal: AbortSignal,
  ): Promise<{readonly mergedAs: string | null} | Refusal>;
  readDelivery(
    secret: string,
    headers: WebhookDelivery['headers'],
    body: Uint8Array,
    now: number,
  ): ForgeWebhookVerdict;
  budget(): TrackerBudget;
}

/** A forge made of a provider's requests and the rules of all forges. */
export class ProvidedForge implements Forge {
  readonly #provider: ForgeProvider;
  readonly #secrets: Pick<ForgeSecrets, 'webhookSecret'>;

  constructor(provider: ForgeProvider, secrets: Pick<ForgeSecrets, 'webhookSecret'>) {
    this.#provider = provider;
    this.#secrets = secrets;
  }

  findPullRequest(branch: string, signal: AbortSignal) {
    return answering(signal, async () => answer(await this.#find(branch, signal)));
  }

  openPullRequest(wanted: NewPullRequest, signal: AbortSignal) {
    return answering(signal, async () => answer(await this.#open(wanted, signal)));
  }

  comment(number: number, comment: KeyedComment, signal: AbortSignal) {
    return answering(signal, async () => answer(await this.#comment(number, comment, signal)));
  }

  readPullRequests(numbers: readonly number[], signal: AbortSignal) {
    return answering(signal, async () => {
      const wanted = distinct(numbers);
      return answer(wanted.length === 0 ? [] : await this.#provider.byNumbers(wanted, signal));
    });
  }

  readChecks(shas: readonly string[], signal: AbortSignal) {
    return answering(signal, async () =>
      answer(await this.#provider.checksOf([...new Set(shas)], signal)),
    );
  }

  failedLogs(sha: string, checks: readonly Check[], signal: AbortSignal) {
    const read = (check: Check) => this.#provider.readLog(check, sha, signal);
    return answering(signal, async () => answer(await readLogs(checks, read)));
  }

  merge(number: number, merge: Merge, signal: AbortSignal) {
    return answering(signal, async () => answer(await this.#merge(number, merge, signal)));
  }

  async verifyWebhook(
    headers: WebhookDelivery['headers'],
    rawBody: Uint8Array,
    now: number,
  ): Promise<ForgeWebhookVerdict> {
    const secret = await this.#secrets.webhookSecret();
    if (secret === null) return refusedDelivery('webhook_secret is not set');
    return this.#provider.readDelivery(secret, headers, rawBody, now);
  }

  budget() {
    return this.#provider.budget();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#provider[Symbol.asyncDispose]();
  }

  async #find(branch: string, signal: AbortSignal): Promise<PullRequestRef | null> {
    return currentOf(await this.#provider.pullRequestsOf(branch, signal));
  }

  /** Looks before and after: the agent or an earlier call may have been faster. */
  async #open(wanted: NewPullRequest, signal: AbortSignal): Promise<OpenOutcome> {
    const found = await this.#find(wanted.branch, signal);
    if (found?.state === 'open') return {outcome: 'found', pullRequest: found};
    const created = await this.#provider.create(wanted, signal);
    if (!('because' in created)) return {outcome: 'opened', pullRequest: created};
    const message = excerpt(created.message) || `status ${created.status}`;
    if (created.because !== 'exists') {
      return {outcome: 'refused', because: created.because, message};
    }
    const other = await this.#find(wanted.branch, signal);
    if (other?.state === 'open') return {outcome: 'found', pullRequest: other};
    return {outcome: 'refused', because: 'invalid', message};
  }

  async #comment(
    number: number,
    {key, text}: KeyedComment,
    signal: AbortSignal,
  ): Promise<Commented> {
    const comments = await this.#provider.comments(number, signal);
    if (comments === null) {
      return {outcome: 'refused', because: 'not_found', message: `no pull request ${number}`};
    }
    if (comments.some(({body, isOurs}) => isOurs && hasMarker(body, key))) {
      return {outcome: 'unchanged'};
    }
    const refusal = await this.#provider.writeComment(number, withMarker(text, key), signal);
    if (refusal === null) return {outcome: 'written'};
    const {status, message} = refusal;
    const because = status === 403 ? 'no_right' : 'not_found';
    return {outcome: 'refused', because, message: excerpt(message) || `status ${status}`};
  }

  async #merge(number: number, merge: Merge, signal: AbortSignal): Promise<MergeOutcome> {
    const merged = await this.#provider.merge(number, merge, signal);
    if ('mergedAs' in merged) return {outcome: 'merged', sha: merged.mergedAs};
    const [found = null] = await this.#provider.byNumbers([number], signal);
    return mergeRefusal({...merged, sha: merge.sha, found});
  }
}

/** What is no number of a pull request never was one, so it is gone without a request. */
function distinct(numbers: readonly number[]): number[] {
  const isNumber = (number: number) => Number.isInteger(number) && number > 0 && number < 2 ** 31;
  return [...new Set(numbers)].filter(isNumber);
}
