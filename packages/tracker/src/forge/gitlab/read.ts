import * as z from 'zod/mini';
import {mapBounded} from '../../bounded.ts';
import {Cached} from '../cached.ts';
import {type Discussion, DiscussionCache} from '../discussion-cache.ts';
import {readPages} from '../pages.ts';
import type {Association, PullRequest, Review} from '../pull-request.ts';
import type {GitlabApi} from './api.ts';
import {GitlabChecks} from './checks.ts';
import {associationOf, type People, toPerson, toPullRequest, toThread} from './normalize.ts';
import {
  Approvals,
  Branch,
  Discussion as DiscussionRecord,
  Member,
  MergeRequest,
  MergeRequestDetail,
  Reviewer,
  User,
} from './record.ts';

/** A longer list of numbers would exceed what servers take as an address. */
const NUMBERS_A_REQUEST = 100;
/** Side by side, as the client has connections. */
const AT_ONCE = 4;
const PEOPLE_MAX_AGE_MS = 10 * 60_000;
/** Members of large groups; discussions of long reviews. */
const MAX_PAGES = 10;

export class GitlabPullReader {
  readonly checks: GitlabChecks;
  readonly #api: GitlabApi;
  readonly #people: Cached<People>;
  readonly #discussions = new DiscussionCache();

  constructor(api: GitlabApi) {
    this.#api = api;
    this.checks = new GitlabChecks(api);
    this.#people = new Cached(PEOPLE_MAX_AGE_MS, (signal) => this.#readPeople(signal));
  }

  /** Our own name. */
  async self(signal: AbortSignal): Promise<string> {
    return (await this.#people.get(signal)).self;
  }

  /** One list for all; then, for each open one, its pipeline and what was said since. */
  async byNumbers(numbers: readonly number[], signal: AbortSignal): Promise<PullRequest[]> {
    const records: MergeRequest[] = [];
    for (let start = 0; start < numbers.length; start += NUMBERS_A_REQUEST) {
      const some = numbers.slice(start, start + NUMBERS_A_REQUEST);
      records.push(...(await this.#list(some, signal)));
    }
    const tips = new Map<string, Promise<string | null>>();
    const tipOf = (branch: string) => {
      const tip = tips.get(branch) ?? this.#tipOf(branch, signal);
      tips.set(branch, tip);
      return tip;
    };
    return mapBounded(records, AT_ONCE, (record) =>
      record.state === 'opened' || record.state === 'locked'
        ? this.#open(record, tipOf, signal)
        : ended(record),
    );
  }

  async #list(numbers: readonly number[], signal: AbortSignal): Promise<MergeRequest[]> {
    const ids = numbers.map((number) => `iids[]=${number}`).join('&');
    const path = `${this.#api.projectPath}/merge_requests?${ids}&state=all&scope=all&per_page=100`;
    const {value} = await this.#api.rest.get(path, signal);
    const parsed = z.array(MergeRequest).safeParse(value);
    if (!parsed.success) throw this.#malformed('a list of merge requests');
    return parsed.data.filter(({iid}) => numbers.includes(iid));
  }

  async #open(
    listed: MergeRequest,
    tipOf: (branch: string) => Promise<string | null>,
    signal: AbortSignal,
  ): Promise<PullRequest> {
    const path = `${this.#api.projectPath}/merge_requests/${listed.iid}`;
    const {value} = await this.#api.rest.get(path, signal);
    const parsed = MergeRequestDetail.safeParse(value);
    if (!parsed.success) throw this.#malformed(`merge request ${listed.iid}`);
    const record = parsed.data;
    if (record.state === 'merged' || record.state === 'closed') return ended(record);
    const pull = toPullRequest(record);
    const stamp = `${record.updated_at} ${record.sha}`;
    const checks = await this.checks.ofHead(record, signal);
    const discussion = await this.#discussions.get(record.iid, stamp, () =>
      this.#discussion(path, pull.headSha, signal),
    );
    return {
      ...pull,
      baseSha: await tipOf(record.target_branch),
      checks: checks.records,
      reviews: discussion.reviews,
      threads: discussion.threads,
      hasMore: {checks: checks.hasMore, threads: discussion.hasMore},
    };
  }

  async #discussion(path: string, headSha: string, signal: AbortSignal): Promise<Discussion> {
    const {rest} = this.#api;
    const approvals = Approvals.safeParse((await rest.get(`${path}/approvals`, signal)).value);
    const reviewers = z
      .array(Reviewer)
      .safeParse((await rest.get(`${path}/reviewers`, signal)).value);
    const query = {path: `${path}/discussions?per_page=100`, size: 100, maxPages: MAX_PAGES};
    const {records, hasMore} = await readPages(rest, query, signal);
    const discussions = z.array(DiscussionRecord).safeParse(records);
    if (!approvals.success || !reviewers.success || !discussions.success) {
      throw this.#malformed(`the reviews of ${path}`);
    }
    const people = await this.#people.get(signal);
    const approved = approvals.data.approved_by.map(
      ({user, approved_at: at}): Review => review(user, 'approved', at ?? null, people),
    );
    const requested = reviewers.data
      .filter(({state}) => state === 'requested_changes')
      .map(({user}) => review(user, 'changes_requested', null, people));
    return {
      reviews: [...approved, ...requested],
      threads: discussions.data.flatMap((one) => toThread(one, headSha, people)),
      hasMore,
    };
  }

  async #readPeople(signal: AbortSignal): Promise<People> {
    const {rest, projectPath} = this.#api;
    const self = User.safeParse((await rest.get('/user', signal)).value);
    const path = `${projectPath}/members/all?per_page=100`;
    const {records} = await readPages(rest, {path, size: 100, maxPages: MAX_PAGES}, signal);
    const members = z.array(Member).safeParse(records);
    if (!self.success || !members.success) throw this.#malformed('the members of the project');
    const associations = members.data.map(
      ({username, access_level: level}): [string, Association] => [
        username.toLowerCase(),
        associationOf(level),
      ],
    );
    return {self: self.data.username, members: new Map(associations)};
  }

  /** Of the base branch; null: it was deleted. */
  async #tipOf(branch: string, signal: AbortSignal): Promise<string | null> {
    const path = `${this.#api.projectPath}/repository/branches/${encodeURIComponent(branch)}`;
    const {value} = await this.#api.rest.get(path, signal, [404]);
    return Branch.safeParse(value).data?.commit.id ?? null;
  }

  #malformed(what: string) {
    return this.#api.rest.problem('tracker_response', `sent something else than ${what}`);
  }
}

async function ended(record: MergeRequest): Promise<PullRequest> {
  const nothing = {baseSha: null, checks: [], reviews: [], threads: []};
  return {...toPullRequest(record), ...nothing, hasMore: {checks: false, threads: false}};
}

function review(
  user: User,
  state: Review['state'],
  submittedAt: string | null,
  people: People,
): Review {
  const author = toPerson(user, people);
  return {id: `${user.id}`, author, state, body: '', commitSha: null, submittedAt};
}
