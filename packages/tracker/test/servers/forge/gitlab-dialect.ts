import type {CheckState} from '../../../src/forge/pull-request.ts';
import {type Dialect, type ForgeCall, type ForgeReply, paged, type Route} from './forge-server.ts';
import {
  type ForgeWorld,
  mergeIn,
  type WorldCheck,
  type WorldPull,
  type WorldThread,
} from './forge-world.ts';
import {ProviderSchema} from './provider-schema.ts';

const PROJECT = 7;
const NOT_FOUND: ForgeReply = {status: 404, body: {message: '404 Not Found'}};

const STATUSES: Readonly<Record<CheckState, string>> = {
  pending: 'running',
  passed: 'success',
  failed: 'failed',
  timed_out: 'failed',
  cancelled: 'canceled',
  neutral: 'failed',
  skipped: 'skipped',
};

const LEVELS = {owner: 50, member: 30, collaborator: 30, none: 10} as const;

function userOf(login: string) {
  return {id: login.length * 1_000 + login.charCodeAt(0), username: login, name: login};
}

function basic(pull: WorldPull, call: ForgeCall) {
  const isOpen = pull.state === 'open';
  return {
    ...{id: pull.number + 5_000, iid: pull.number, title: pull.title, description: pull.body},
    state: isOpen ? 'opened' : pull.mergedAs === null ? 'closed' : 'merged',
    web_url: `https://gitlab.example/acme/widgets/-/merge_requests/${pull.number}`,
    ...{draft: pull.isDraft, source_branch: pull.branch, target_branch: pull.base},
    ...{source_project_id: pull.isFork ? PROJECT + 1 : PROJECT, target_project_id: PROJECT},
    ...{sha: call.world.headOf(pull, call.tips), merge_commit_sha: pull.mergedAs},
    ...{squash_commit_sha: null, detailed_merge_status: statusOf(pull), updated_at: pull.updatedAt},
  };
}

function statusOf(pull: WorldPull): string {
  if (pull.state !== 'open') return 'not_open';
  if (pull.isMergeable === null) return 'checking';
  if (!pull.isMergeable) return 'conflict';
  if (pull.isDraft) return 'draft_status';
  return pull.isProtected ? 'ci_must_pass' : 'mergeable';
}

/** A pipeline has the number of its first job, and keeps it when a job is run again. */
function pipelineOf({world}: ForgeCall, sha: string) {
  const checks = world.checksOf(sha);
  const first = world.checks.find((check) => check.sha === sha);
  if (first === undefined) return null;
  const has = (state: CheckState) => checks.some((check) => check.state === state);
  const isRed = has('failed') || has('timed_out');
  const status = has('pending')
    ? 'running'
    : isRed
      ? 'failed'
      : has('cancelled')
        ? 'canceled'
        : 'success';
  const updated_at = world.checks.findLast((check) => check.sha === sha)?.startedAt;
  return {id: first.id, sha, status, updated_at};
}

const withPull =
  (answer: (call: ForgeCall, pull: WorldPull) => ForgeReply): Route =>
  (call) => {
    const pull = call.world.pulls.get(Number(call.params[1]));
    return pull === undefined ? NOT_FOUND : answer(call, pull);
  };

const P = '/projects/{id}';
const M = `${P}/merge_requests/{merge_request_iid}`;

const routes: Readonly<Record<string, Route>> = {
  [`GET ${P}/merge_requests`]: (call) => {
    const {searchParams: query} = call.url;
    const ids = query.getAll('iids[]').map(Number);
    const branch = query.get('source_branch');
    const found = [...call.world.pulls.values()]
      .filter(({number}) => ids.length === 0 || ids.includes(number))
      .filter((pull) => branch === null || pull.branch === branch)
      .sort((a, b) => b.number - a.number);
    return {status: 200, body: paged(found, call.url, 100).map((pull) => basic(pull, call))};
  },
  [`POST ${P}/merge_requests`]: (call) => {
    const {world, body} = call;
    world.beforeCreate();
    const {source_branch: branch, target_branch: base, title, description} = body;
    if (!world.mayWrite) return {status: 403, body: {message: '403 Forbidden'}};
    if (!call.tips.has(String(branch))) {
      return {status: 400, body: {message: {source_branch: ['does not exist']}}};
    }
    if (!call.tips.has(String(base))) {
      return {status: 400, body: {message: {target_branch: ['does not exist']}}};
    }
    const isSame = (pull: WorldPull) =>
      pull.branch === branch && pull.state === 'open' && !pull.isFork;
    if ([...world.pulls.values()].some(isSame)) {
      const message = ['Another open merge request already exists for this source branch: !1'];
      return {status: 409, body: {message}};
    }
    const isDraft = String(title).startsWith('Draft: ');
    const pull = world.pull(String(branch), {
      title: String(title),
      body: String(description),
      isDraft,
    });
    return {status: 201, body: basic(pull, call)};
  },
  [`GET ${M}`]: withPull((call, pull) => {
    const record = basic(pull, call);
    return {status: 200, body: {...record, head_pipeline: pipelineOf(call, record.sha)}};
  }),
  [`GET ${M}/approvals`]: withPull((_, pull) => {
    const approved_by = latest(pull)
      .filter(({state, dismissed}) => state === 'approved' && !dismissed)
      .map(({user, at}) => ({user: userOf(user), approved_at: at}));
    return {status: 200, body: {approved: approved_by.length > 0, approved_by}};
  }),
  [`GET ${M}/reviewers`]: withPull((_, pull) => ({
    status: 200,
    body: latest(pull).map(({user, state, dismissed}) => ({
      user: userOf(user),
      state: dismissed ? 'unreviewed' : state === 'approved' ? 'approved' : 'requested_changes',
    })),
  })),
  [`GET ${M}/discussions`]: withPull(({url, world}, pull) => ({
    status: 200,
    body: paged(pull.threads, url, 100).map((thread) => discussionOf(thread, world)),
  })),
  [`GET ${M}/notes`]: withPull(({url}, pull) => ({
    status: 200,
    body: paged(pull.comments, url, 100).map(({user, body}, index) => ({
      ...{id: index + 1, body, author: userOf(user), system: false},
    })),
  })),
  [`POST ${M}/notes`]: withPull(({world, body}, pull) => {
    if (!world.mayWrite) return {status: 403, body: {message: '403 Forbidden'}};
    pull.comments.push({user: world.self, body: String(body.body)});
    return {status: 201, body: {id: pull.comments.length, body: body.body}};
  }),
  [`PUT ${M}/merge`]: (call) => {
    const pull = call.world.pulls.get(Number(call.params[1]));
    const outcome = mergeIn(call.world, pull, call.body.sha);
    const refusal = REFUSALS[outcome];
    if (refusal !== undefined || pull === undefined) return refusal ?? NOT_FOUND;
    return {status: 200, body: basic(pull, call)};
  },
  [`GET ${P}/repository/commits/{sha}/statuses`]: ({world, params, url}) => ({
    status: 200,
    body: paged(world.checksOf(params[1] ?? ''), url, 100).map((check) =>
      statusRecord(world, check),
    ),
  }),
  [`GET ${P}/repository/branches/{branch}`]: ({tips, params}) => {
    const id = tips.get(params[1] ?? '');
    return id === undefined ? NOT_FOUND : {status: 200, body: {name: params[1], commit: {id}}};
  },
  [`GET ${P}/pipelines/{pipeline_id}/jobs`]: ({world, params}) => {
    const sha = world.checks.find(({id}) => String(id) === params[1])?.sha ?? '';
    const failed = world.checksOf(sha).filter(({state}) => ['failed', 'timed_out'].includes(state));
    return {
      status: 200,
      body: failed.map(({id, name, state}) => ({
        ...{id, name, status: 'failed'},
        failure_reason: state === 'timed_out' ? 'job_execution_timeout' : 'script_failure',
      })),
    };
  },
  [`GET ${P}/jobs/{job_id}/trace`]: ({world, params}) => {
    const check = world.checks.find(({id}) => String(id) === params[1]);
    return check?.log == null ? NOT_FOUND : {status: 200, log: check.log};
  },
  [`GET ${P}/members/all`]: ({world, url}) => ({
    status: 200,
    body: paged([...world.users.values()], url, 100).map(({login, association}) => ({
      ...userOf(login),
      access_level: LEVELS[association],
    })),
  }),
  'GET /user': ({world}) => ({status: 200, body: userOf(world.self)}),
};

const REFUSALS: Readonly<Record<string, ForgeReply>> = {
  gone: NOT_FOUND,
  right: {status: 401, body: {message: '401 Unauthorized'}},
  closed: {status: 405, body: {message: '405 Method Not Allowed'}},
  protected: {status: 405, body: {message: '405 Method Not Allowed'}},
  conflict: {status: 422, body: {message: 'Branch cannot be merged'}},
  moved: {status: 409, body: {message: 'SHA does not match HEAD of source branch: 1234'}},
};

function latest({reviews}: WorldPull) {
  return [...new Map(reviews.map((review) => [review.user, review])).values()];
}

function statusRecord(world: ForgeWorld, {id, sha, name, state}: WorldCheck) {
  return {
    ...{id, sha, name, status: STATUSES[state], allow_failure: state === 'neutral'},
    target_url: `https://gitlab.example/jobs/${id}`,
    pipeline_id: world.checks.find((check) => check.sha === sha)?.id ?? null,
  };
}

function discussionOf(
  {id, path, line, sha, isResolved, comments}: WorldThread,
  _world: ForgeWorld,
) {
  const position = {head_sha: sha, new_path: path, new_line: line, old_path: path, old_line: null};
  return {
    id: `d${id}`,
    notes: comments.map((comment) => ({
      ...{id: comment.id, type: 'DiffNote', body: comment.body, author: userOf(comment.user)},
      ...{created_at: comment.at, updated_at: comment.at, system: false, position},
      ...{resolvable: true, resolved: isResolved},
    })),
  };
}

export const GITLAB_DIALECT: Dialect = {
  schema: new ProviderSchema('gitlab-v4.json', {onlyNames: true}),
  prefix: '/api/v4',
  authorization: (token) => `Bearer ${token}`,
  hasEtags: true,
  routes,
  unauthorized: {message: '401 Unauthorized'},
  notFound: {error: '404 Not Found'},
};
