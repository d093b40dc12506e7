import * as z from 'zod/mini';
import type {GithubApi, GithubPlace} from '../../github/api.ts';
import {judge} from '../../github/rates.ts';
import type {HttpResponse} from '../../http/verdict.ts';
import type {NewPullRequest} from '../forge.ts';
import type {OpenRefusal, OwnComment} from '../provided-forge.ts';
import type {PullRequestRef} from '../pull-request.ts';
import {isSame, toRef} from './normalize.ts';
import {COMMENTS} from './queries.ts';
import {RestPull} from './record.ts';

/** Our comment is among the last thousand, or it is written once more. */
const COMMENT_PAGES = 10;

/** A 403 that is about rights is an answer; one about a rate limit is a failure. */
export const expecting =
  (...statuses: readonly number[]) =>
  (response: HttpResponse) =>
    statuses.includes(response.status) &&
    (response.status !== 403 || judge(response)?.code === 'tracker_auth');

/** Filtered by owner at GitHub: any number of forks may have a branch of that name. */
export async function pullRequestsOf(
  api: GithubApi,
  {owner, name}: GithubPlace,
  branch: string,
  signal: AbortSignal,
): Promise<PullRequestRef[]> {
  const head = encodeURIComponent(`${owner}:${branch}`);
  const query = `head=${head}&state=all&sort=created&direction=desc&per_page=100`;
  const {value} = await api.get(`${api.repoPath}/pulls?${query}`, signal);
  const parsed = z.array(RestPull).safeParse(value);
  if (!parsed.success) throw api.problem('tracker_response', 'sent no list of pull requests');
  const own = parsed.data.filter(
    (pull) => pull.head.ref === branch && isSame(pull.head.repo?.full_name, `${owner}/${name}`),
  );
  return own.map(toRef);
}

export async function createPullRequest(
  api: GithubApi,
  {title, body, base, branch, isDraft}: NewPullRequest,
  signal: AbortSignal,
) {
  const {status, value} = await api.send('POST', `${api.repoPath}/pulls`, {
    body: {title, body, base, head: branch, draft: isDraft},
    expects: expecting(403, 404, 422),
    signal,
  });
  if (status !== 201) {
    const message = messageOf(value);
    return {status, message, because: openRefusal(status, value, message)};
  }
  const parsed = RestPull.safeParse(value);
  if (!parsed.success) throw api.problem('tracker_response', 'sent no pull request');
  return toRef(parsed.data);
}

function openRefusal(status: number, value: unknown, message: string): OpenRefusal | 'exists' {
  if (status === 403 || status === 404) return 'no_right';
  if (/already exists/i.test(message)) return 'exists';
  const fields = errorsIn(value).map(({field}) => field);
  if (fields.includes('head')) return 'no_branch';
  if (fields.includes('base')) return 'no_base';
  return /no commits between/i.test(message) ? 'no_commits' : 'invalid';
}

export async function readComments(
  api: GithubApi,
  {owner, name}: GithubPlace,
  number: number,
  signal: AbortSignal,
): Promise<OwnComment[] | null> {
  const comments: OwnComment[] = [];
  let before: string | null = null;
  for (let page = 0; page < COMMENT_PAGES; page += 1) {
    const variables = {owner, name, number, before};
    const {data, errors} = await api.query({query: COMMENTS, variables, signal});
    const pull: Comments['pullRequest'] =
      Comments.safeParse(data).data?.repository.pullRequest ?? null;
    if (pull === null) {
      if (errors.some(({type}) => type === 'NOT_FOUND')) return null;
      throw api.problem('tracker_response', 'sent an answer without comments');
    }
    const {nodes, pageInfo} = pull.comments;
    comments.push(...nodes.map((node) => ({body: node.body, isOurs: node.viewerDidAuthor})));
    if (!pageInfo.hasPreviousPage || pageInfo.startCursor === before) break;
    before = pageInfo.startCursor;
  }
  return comments;
}

const Repository = z.object({
  pullRequest: z.nullable(
    z.object({
      comments: z.object({
        nodes: z.array(z.object({body: z.string(), viewerDidAuthor: z.boolean()})),
        pageInfo: z.object({hasPreviousPage: z.boolean(), startCursor: z.nullable(z.string())}),
      }),
    }),
  ),
});
type Comments = z.infer<typeof Repository>;
const Comments = z.object({repository: Repository});

const Errors = z.object({
  message: z.catch(z.string(), ''),
  errors: z.catch(
    z.array(z.object({field: z.optional(z.string()), message: z.optional(z.string())})),
    [],
  ),
});

function errorsIn(value: unknown) {
  return Errors.safeParse(value).data?.errors ?? [];
}

/** GitHub says what is wrong in a list below a message that says "Validation Failed". */
export function messageOf(value: unknown): string {
  const {message = ''} = Errors.safeParse(value).data ?? {};
  const details = errorsIn(value).flatMap(({message: detail, field}) => detail ?? field ?? []);
  return [message, ...details].join(': ');
}
