import type {CheckState} from '../../../src/forge/pull-request.ts';
import {type Dialect, type ForgeCall, type ForgeReply, paged, type Route} from './forge-server.ts';
import {mergeIn, type WorldCheck, type WorldPull, type WorldThread} from './forge-world.ts';
import {ProviderSchema} from './provider-schema.ts';

const REPOSITORY = 3;
const NOT_FOUND: ForgeReply = {status: 404, body: {message: 'not found', url: ''}};
/** As an administrator may set it: below what callers hope for. */
const MOST = 30;

const STATUSES: Readonly<Record<CheckState, string>> = {
  pending: 'pending',
  passed: 'success',
  failed: 'failure',
  // Actions report both as failures.
  timed_out: 'failure',
  cancelled: 'failure',
  neutral: 'warning',
  skipped: 'skipped',
};

function record(pull: WorldPull, {world, tips}: ForgeCall) {
  return {
    ...{id: pull.number + 900, number: pull.number, title: pull.title, body: pull.body},
    html_url: `https://gitea.example/acme/widgets/pulls/${pull.number}`,
    ...{state: pull.state, draft: pull.isDraft, merged: pull.mergedAs !== null},
    merge_commit_sha: pull.mergedAs,
    mergeable: pull.isMergeable === true && !pull.isDraft,
    head: {
      ...{ref: pull.branch, sha: world.headOf(pull, tips)},
      repo_id: pull.isFork ? REPOSITORY + 1 : REPOSITORY,
    },
    base: {ref: pull.base, sha: tips.get(pull.base) ?? '', repo_id: REPOSITORY},
    updated_at: pull.updatedAt,
  };
}

const withPull =
  (answer: (call: ForgeCall, pull: WorldPull) => ForgeReply): Route =>
  (call) => {
    const pull = call.world.pulls.get(Number(call.params[2]));
    return pull === undefined ? NOT_FOUND : answer(call, pull);
  };

const R = '/repos/{owner}/{repo}';

const routes: Readonly<Record<string, Route>> = {
  'GET /settings/api': () => ({
    status: 200,
    body: {max_response_items: MOST, default_paging_num: 20},
  }),
  'GET /user': ({world}) => ({status: 200, body: {login: world.self}}),
  [`GET ${R}`]: ({params}) => ({status: 200, body: {full_name: `${params[0]}/${params[1]}`}}),
  [`GET ${R}/assignees`]: ({world}) => ({
    status: 200,
    body: [...world.users.values()]
      .filter(({association}) => association !== 'none')
      .map(({login}) => ({login})),
  }),
  [`GET ${R}/pulls`]: (call) => {
    const state = call.url.searchParams.get('state') ?? 'open';
    const found = [...call.world.pulls.values()]
      .filter((pull) => state === 'all' || pull.state === state)
      .sort((a, b) => b.updatedAt.localeCompare(a.updatedAt));
    return {status: 200, body: paged(found, call.url, MOST).map((pull) => record(pull, call))};
  },
  [`POST ${R}/pulls`]: (call) => {
    const {world, body, tips} = call;
    world.beforeCreate();
    const {head, base, title} = body;
    if (!world.mayWrite)
      return {
        status: 403,
        body: {
          message: 'token does not have at least one of required scope(s): [write:repository]',
        },
      };
    if (!tips.has(String(head)))
      return {status: 404, body: {message: 'head branch does not exist'}};
    if (!tips.has(String(base)))
      return {status: 404, body: {message: 'base branch does not exist'}};
    const isSame = (pull: WorldPull) =>
      pull.branch === head && pull.state === 'open' && !pull.isFork;
    if ([...world.pulls.values()].some(isSame)) {
      return {status: 409, body: {message: 'pull request already exists for these targets'}};
    }
    const isDraft = String(title).startsWith('WIP: ');
    const pull = world.pull(String(head), {title: String(title), body: String(body.body), isDraft});
    return {status: 201, body: record(pull, call)};
  },
  [`GET ${R}/pulls/{index}`]: withPull((call, pull) => ({status: 200, body: record(pull, call)})),
  [`POST ${R}/pulls/{index}/merge`]: ({world, params, body}) => {
    const outcome = mergeIn(world, world.pulls.get(Number(params[2])), body.head_commit_id);
    return REFUSALS[outcome] ?? {status: 200};
  },
  [`GET ${R}/pulls/{index}/reviews`]: withPull(({url}, pull) => {
    const opinions = pull.reviews.map((review) => ({
      ...{id: review.id, user: {login: review.user}, body: review.body, commit_id: review.sha},
      ...{state: review.state === 'approved' ? 'APPROVED' : 'REQUEST_CHANGES'},
      ...{dismissed: review.dismissed, stale: false, comments_count: 0, submitted_at: review.at},
    }));
    const comments = pull.threads.map((thread) => ({
      ...{
        id: thread.id,
        user: {login: thread.comments[0]?.user ?? ''},
        body: '',
        commit_id: thread.sha,
      },
      ...{state: 'COMMENT', dismissed: false, stale: false, comments_count: thread.comments.length},
      submitted_at: thread.comments[0]?.at ?? '',
    }));
    return {status: 200, body: paged([...opinions, ...comments], url, MOST)};
  }),
  [`GET ${R}/pulls/{index}/reviews/{id}/comments`]: withPull(({params}, pull) => {
    const thread = pull.threads.find(({id}) => String(id) === params[3]);
    return thread === undefined ? NOT_FOUND : {status: 200, body: commentsOf(thread)};
  }),
  [`GET ${R}/commits/{ref}/status`]: ({world, params, url}) => {
    const all = world.checksOf(params[2] ?? '');
    const statuses = paged(all, url, MOST).map(statusRecord);
    return {status: 200, body: {sha: params[2], statuses, total_count: statuses.length}};
  },
  [`GET ${R}/issues/{index}/comments`]: withPull((_, pull) => ({
    status: 200,
    body: pull.comments.map(({user, body}, index) => ({id: index + 1, user: {login: user}, body})),
  })),
  [`POST ${R}/issues/{index}/comments`]: withPull(({world, body}, pull) => {
    if (!world.mayWrite) return {status: 403, body: {message: 'write:issue is missing'}};
    pull.comments.push({user: world.self, body: String(body.body)});
    return {status: 201, body: {id: pull.comments.length, body: body.body}};
  }),
  [`GET ${R}/actions/runs`]: ({world, url}) => {
    const sha = url.searchParams.get('head_sha') ?? '';
    const [first] = world.checksOf(sha);
    const runs = first === undefined ? [] : [{id: first.id, head_sha: sha, status: 'completed'}];
    return {status: 200, body: {workflow_runs: runs, total_count: runs.length}};
  },
  [`GET ${R}/actions/runs/{run}/jobs`]: ({world, params}) => {
    const sha = world.checks.find(({id}) => String(id) === params[2])?.sha ?? '';
    const jobs = world.checksOf(sha).map(({id, name, state}) => ({
      ...{id, name, head_sha: sha, status: 'completed'},
      conclusion: state === 'passed' ? 'success' : 'failure',
    }));
    return {status: 200, body: {jobs, total_count: jobs.length}};
  },
  [`GET ${R}/actions/jobs/{job_id}/logs`]: ({world, params}) => {
    const check = world.checks.find(({id}) => String(id) === params[2]);
    return check?.log == null ? NOT_FOUND : {status: 200, log: check.log};
  },
};

const REFUSALS: Readonly<Record<string, ForgeReply>> = {
  gone: NOT_FOUND,
  right: {status: 403, body: {message: 'token does not have at least one of required scope(s)'}},
  closed: {status: 405, body: {message: 'The PR is already closed'}},
  protected: {status: 405, body: {message: 'Not all required status checks successful'}},
  conflict: {status: 409, body: {message: 'Merge conflict'}},
  moved: {status: 409, body: {message: 'head out of date'}},
};

function statusRecord({id, name, state, sha}: WorldCheck) {
  return {
    ...{id, context: `ci / ${name} (push)`, status: STATUSES[state]},
    target_url: `/acme/widgets/commit/${sha}`,
    description: state === 'cancelled' ? 'Has been cancelled' : '',
  };
}

function commentsOf({path, line, sha, isResolved, comments}: WorldThread) {
  return comments.map(({id, user, body, at}) => ({
    ...{id, user: {login: user}, body, path, position: line, original_position: 0},
    ...{commit_id: sha, created_at: at, updated_at: at, html_url: 'https://gitea.example/c'},
    resolver: isResolved ? {login: 'ann'} : null,
  }));
}

export const GITEA_DIALECT: Dialect = {
  schema: new ProviderSchema('gitea-v1.json', {nullIsAbsent: true}),
  prefix: '/api/v1',
  authorization: (token) => `token ${token}`,
  hasEtags: false,
  routes,
  unauthorized: {message: 'invalid username, password or token', url: ''},
  notFound: {message: 'Not found', url: ''},
};
