import type {CheckState} from '../../../src/forge/pull-request.ts';
import {connection, notFound, type Paged, runGraphql} from '../github-graphql.ts';
import {type Dialect, type ForgeCall, type ForgeReply, paged, type Route} from './forge-server.ts';
import {type ForgeWorld, mergeIn, type WorldPull, type WorldThread} from './forge-world.ts';
import {ProviderSchema} from './provider-schema.ts';

const NOT_FOUND: ForgeReply = {status: 404, body: {message: 'Not Found', documentation_url: ''}};
const NO_RIGHT: ForgeReply = {
  status: 403,
  body: {message: 'Resource not accessible by personal access token', documentation_url: ''},
};

const CONCLUSIONS: Readonly<Record<CheckState, string | null>> = {
  pending: null,
  passed: 'SUCCESS',
  failed: 'FAILURE',
  timed_out: 'TIMED_OUT',
  cancelled: 'CANCELLED',
  neutral: 'NEUTRAL',
  skipped: 'SKIPPED',
};

function restRecord(pull: WorldPull, {world, tips}: ForgeCall) {
  const repository = (name: string) => ({id: 1, name: 'widgets', full_name: name, html_url: ''});
  const own = `${world.owner}/${world.name}`;
  const head = repository(pull.isFork ? 'eve/widgets' : own);
  return {
    ...{id: pull.number, number: pull.number, title: pull.title, body: pull.body},
    html_url: `https://github.com/${own}/pull/${pull.number}`,
    ...{state: pull.state, merged_at: pull.mergedAs === null ? null : pull.updatedAt},
    draft: pull.isDraft,
    head: {ref: pull.branch, sha: world.headOf(pull, tips), repo: head},
    base: {ref: pull.base, sha: tips.get(pull.base) ?? '', repo: repository(own)},
  };
}

const R = '/repos/{owner}/{repo}';

const routes: Readonly<Record<string, Route>> = {
  'POST /graphql': async ({world, body, tips}) => ({
    status: 200,
    body: await runGraphql(rootOf(world, tips), body),
  }),
  [`GET ${R}/pulls`]: (call) => {
    const [owner, ...rest] = call.url.searchParams.get('head')?.split(':') ?? [];
    const isIt = (pull: WorldPull) =>
      pull.branch === rest.join(':') && (pull.isFork ? 'eve' : call.world.owner) === owner;
    const found = [...call.world.pulls.values()].filter(isIt).reverse();
    return {status: 200, body: paged(found, call.url, 100).map((pull) => restRecord(pull, call))};
  },
  [`POST ${R}/pulls`]: (call) => {
    const {world, body, tips} = call;
    world.beforeCreate();
    if (!world.mayWrite) return NO_RIGHT;
    const invalid = (error: object) => ({
      status: 422,
      body: {message: 'Validation Failed', documentation_url: '', errors: [error]},
    });
    const problem = {resource: 'PullRequest', code: 'invalid'};
    if (!tips.has(String(body.head))) return invalid({...problem, field: 'head'});
    if (!tips.has(String(body.base))) return invalid({...problem, field: 'base'});
    const isSame = (pull: WorldPull) =>
      pull.branch === body.head && pull.state === 'open' && !pull.isFork;
    if ([...world.pulls.values()].some(isSame)) {
      const message = `A pull request already exists for ${world.owner}:${body.head}.`;
      return invalid({resource: 'PullRequest', code: 'custom', message});
    }
    const {title, draft} = body;
    const given = {title: String(title), body: String(body.body), isDraft: draft === true};
    const pull = restRecord(world.pull(String(body.head), given), call);
    return {status: 201, body: {...pull, merged: false}};
  },
  [`PUT ${R}/pulls/{pull_number}/merge`]: ({world, params, body}) => {
    const outcome = mergeIn(world, world.pulls.get(Number(params[2])), body.sha);
    const merged = {sha: outcome, merged: true, message: 'Pull Request successfully merged'};
    return REFUSALS[outcome] ?? {status: 200, body: merged};
  },
  [`POST ${R}/issues/{issue_number}/comments`]: ({world, params, body}) => {
    const pull = world.pulls.get(Number(params[2]));
    if (pull === undefined) return NOT_FOUND;
    if (!world.mayWrite) return NO_RIGHT;
    pull.comments.push({user: world.self, body: String(body.body)});
    return {status: 201};
  },
  [`GET ${R}/actions/jobs/{job_id}/logs`]: ({world, params}) => {
    const check = world.checks.find(({id}) => String(id) === params[2]);
    return check?.log == null ? NOT_FOUND : {status: 200, log: check.log};
  },
};

const refused = (status: number, message: string): ForgeReply => ({
  status,
  body: {message, documentation_url: ''},
});

const REFUSALS: Readonly<Record<string, ForgeReply>> = {
  gone: NOT_FOUND,
  right: NO_RIGHT,
  closed: refused(405, 'Pull Request is not mergeable'),
  protected: refused(405, 'Required status check "build" is expected.'),
  conflict: refused(405, 'Pull Request is not mergeable'),
  moved: refused(409, 'Head branch was modified. Review and try the merge again.'),
};

function rootOf(world: ForgeWorld, tips: ReadonlyMap<string, string>) {
  const threads = [...world.pulls.values()].flatMap((pull) => pull.threads);
  return {
    repository: ({owner, name}: {owner: string; name: string}) => {
      if (owner !== world.owner || name !== world.name) throw notFound('a Repository');
      return {
        nameWithOwner: `${owner}/${name}`,
        pullRequest: ({number}: {number: number}) => {
          const pull = world.pulls.get(number);
          if (pull === undefined) throw notFound(`a PullRequest with the number of ${number}`);
          return pullNode(world, pull, tips);
        },
        object: ({oid}: {oid: string}) => ({
          ...{__typename: 'Commit', oid},
          statusCheckRollup: rollup(world, oid),
        }),
      };
    },
    nodes: ({ids}: {ids: readonly string[]}) =>
      ids.map((id) => {
        const thread = threads.find((one) => `T_${one.id}` === id);
        return thread === undefined ? null : threadNode(world, thread);
      }),
  };
}

function authored(world: ForgeWorld, login: string) {
  const user = world.users.get(login);
  return {
    author: {__typename: user?.isBot ? 'Bot' : 'User', login},
    authorAssociation: user?.association.toUpperCase() ?? 'NONE',
    viewerDidAuthor: login === world.self,
  };
}

function threadNode(world: ForgeWorld, thread: WorldThread) {
  return {
    ...{__typename: 'PullRequestReviewThread', id: `T_${thread.id}`, path: thread.path},
    ...{isResolved: thread.isResolved, isOutdated: false, line: thread.line},
    comments: ({last}: {last: number}) => ({
      nodes: thread.comments.slice(-last).map((comment) => ({
        ...{id: `C_${comment.id}`, body: comment.body, url: 'https://github.com/c'},
        ...{createdAt: comment.at, updatedAt: comment.at, ...authored(world, comment.user)},
      })),
    }),
  };
}

function rollup(world: ForgeWorld, sha: string) {
  // A repeated check is listed beside its earlier run.
  const checks = world.checks.filter((check) => check.sha === sha);
  if (checks.length === 0) return null;
  const nodes = checks.map(({id, name, state, startedAt}) => ({
    ...{__typename: 'CheckRun', databaseId: id, name, startedAt},
    ...{status: state === 'pending' ? 'IN_PROGRESS' : 'COMPLETED', conclusion: CONCLUSIONS[state]},
    detailsUrl: `https://github.com/runs/${id}`,
    checkSuite: {workflowRun: {event: 'push', workflow: {name: 'ci'}}},
  }));
  return {commit: {oid: sha}, contexts: (asked: Paged) => connection(nodes, asked)};
}

function pullNode(world: ForgeWorld, pull: WorldPull, tips: ReadonlyMap<string, string>) {
  const head = world.headOf(pull, tips);
  const base = tips.get(pull.base);
  const latest = [...new Map(pull.reviews.map((review) => [review.user, review])).values()];
  const words = pull.isMergeable === null ? 'UNKNOWN' : pull.isMergeable ? 'CLEAN' : 'DIRTY';
  const mergeable = {UNKNOWN: 'UNKNOWN', CLEAN: 'MERGEABLE', DIRTY: 'CONFLICTING'}[words];
  return {
    ...{number: pull.number, title: pull.title, isDraft: pull.isDraft, mergeable},
    url: `https://github.com/acme/widgets/pull/${pull.number}`,
    state: pull.state === 'open' ? 'OPEN' : pull.mergedAs === null ? 'CLOSED' : 'MERGED',
    mergeStateStatus: pull.isProtected && words === 'CLEAN' ? 'BLOCKED' : words,
    ...{reviewDecision: null, updatedAt: pull.updatedAt},
    ...{headRefName: pull.branch, headRefOid: head, baseRefName: pull.base},
    baseRef: base === undefined ? null : {target: {__typename: 'Commit', oid: base}},
    headRepository: {nameWithOwner: pull.isFork ? 'eve/widgets' : 'acme/widgets'},
    mergeCommit: pull.mergedAs === null ? null : {oid: pull.mergedAs},
    latestOpinionatedReviews: (asked: Paged) =>
      connection(
        latest.map((review) => ({
          ...{id: `R_${review.id}`, body: review.body, submittedAt: review.at},
          state: review.dismissed ? 'DISMISSED' : review.state.toUpperCase(),
          ...{commit: {oid: review.sha}, ...authored(world, review.user)},
        })),
        asked,
      ),
    reviewThreads: (asked: Paged) =>
      connection(
        pull.threads.map((thread) => threadNode(world, thread)),
        asked,
      ),
    statusCheckRollup: rollup(world, head),
    comments: () => ({
      nodes: pull.comments.map(({user, body}) => ({body, ...authored(world, user)})),
      pageInfo: {hasPreviousPage: false, startCursor: null},
    }),
  };
}

export const GITHUB_DIALECT: Dialect = {
  schema: new ProviderSchema('github-rest.json'),
  prefix: '',
  authorization: (token) => `Bearer ${token}`,
  hasEtags: true,
  routes,
  unauthorized: {message: 'Bad credentials', documentation_url: ''},
  notFound: {message: 'Not Found', documentation_url: ''},
};
