import {
  anIssue,
  createdAt,
  type GithubWorld,
  type WorldBlocker,
  type WorldIssue,
} from './github-world.ts';

export interface RestReply {
  readonly status: number;
  readonly body?: unknown;
  readonly link?: string;
}

interface RestCall {
  readonly world: GithubWorld;
  readonly url: URL;
  readonly body: Readonly<Record<string, unknown>>;
  readonly issue: WorldIssue;
  readonly rest: string;
}

const NOT_FOUND: RestReply = {status: 404, body: {message: 'Not Found', status: '404'}};

/** The part of GitHub's REST API that concerns issues, as it is documented. */
export function answerRest(
  world: GithubWorld,
  method: string,
  url: URL,
  body: Readonly<Record<string, unknown>>,
): RestReply {
  const [, owner, name, rest = ''] = /^\/repos\/([^/]+)\/([^/]+)(\/.*)?$/.exec(url.pathname) ?? [];
  if (`${owner}/${name}`.toLowerCase() !== `${world.owner}/${world.name}`.toLowerCase()) {
    return NOT_FOUND;
  }
  if (rest === '' && method === 'GET') {
    return {
      status: 200,
      body: {full_name: `${world.owner}/${world.name}`, private: world.isPrivate},
    };
  }
  if (rest === '/issues' && method === 'GET') return listIssues(world, url);
  const [, label] = /^\/labels\/([^/]+)$/.exec(rest) ?? [];
  if (label !== undefined && method === 'GET') return findLabel(world, decodeURIComponent(label));
  const [, number, below = ''] = /^\/issues\/(\d+)(\/.*)?$/.exec(rest) ?? [];
  const issue = world.issues.get(Number(number));
  if (issue === undefined) return NOT_FOUND;
  const [route = ''] = below.split('/').slice(1);
  const answer = ROUTES[`${method} ${route}`];
  return answer === undefined ? NOT_FOUND : answer({world, url, body, issue, rest: below});
}

const ROUTES: Readonly<Record<string, (call: RestCall) => RestReply>> = {
  'GET ': ({world, issue}) => ({status: 200, body: recordOf(world, issue)}),
  'PATCH ': ({world, issue, body}) => {
    issue.state = body.state === 'closed' ? 'closed' : 'open';
    issue.stateReason = typeof body.state_reason === 'string' ? body.state_reason : null;
    world.touch(issue, `${issue.state} ${issue.stateReason ?? ''}`.trim());
    return {status: 200, body: recordOf(world, issue)};
  },
  'GET dependencies': ({world, issue, rest}) =>
    rest === '/dependencies/blocked_by' && world.hasDependencies
      ? {status: 200, body: issue.blockedBy.map((blocker) => blockerOf(world, blocker))}
      : NOT_FOUND,
  'POST labels': ({world, issue, body}) => {
    const labels = body.labels as string[];
    issue.labels.push(...labels.filter((label) => !has(issue, label)));
    world.touch(issue, `+${labels.join()}`);
    return {status: 200, body: issue.labels.map((label) => ({name: label}))};
  },
  'DELETE labels': ({world, issue, rest}) => {
    const label = decodeURIComponent(rest.split('/')[2] ?? '');
    if (!has(issue, label)) return NOT_FOUND;
    issue.labels = issue.labels.filter((other) => other.toLowerCase() !== label.toLowerCase());
    world.touch(issue, `-${label}`);
    return {status: 200, body: issue.labels.map((other) => ({name: other}))};
  },
  'POST comments': ({world, issue, body}) => {
    issue.comments.push(String(body.body));
    world.touch(issue, 'comment');
    return {status: 201, body: {id: 1, body: body.body}};
  },
};

function findLabel(world: GithubWorld, wanted: string): RestReply {
  const all = [...world.labels, ...[...world.issues.values()].flatMap(({labels}) => labels)];
  const name = all.find((label) => label.toLowerCase() === wanted.toLowerCase());
  return name === undefined ? NOT_FOUND : {status: 200, body: {name, color: 'ededed'}};
}

function has({labels}: WorldIssue, label: string): boolean {
  return labels.some((other) => other.toLowerCase() === label.toLowerCase());
}

function listIssues(world: GithubWorld, url: URL): RestReply {
  const {searchParams: query} = url;
  const wanted = query.get('labels')?.split(',') ?? [];
  const state = query.get('state') ?? 'open';
  const direction = query.get('direction') === 'asc' ? 1 : -1;
  const time = (issue: WorldIssue) =>
    (query.get('sort') === 'updated' ? issue.updatedAt : createdAt(issue)).getTime();
  const all = [...world.issues.values()]
    .filter((issue) => state === 'all' || issue.state === state)
    .filter((issue) => wanted.every((label) => has(issue, label)))
    .sort((a, b) => direction * (time(a) - time(b)));
  const size = Math.min(Number(query.get('per_page') ?? 30), 100);
  const page = Number(query.get('page') ?? 1);
  const records = all.slice((page - 1) * size, page * size);
  const links = [
    ...(page > 1 ? [linkTo(url, page - 1, 'prev')] : []),
    ...(page * size < all.length ? [linkTo(url, page + 1, 'next')] : []),
  ];
  return {
    status: 200,
    body: records.map((issue) => recordOf(world, issue)),
    ...(links.length === 0 ? {} : {link: links.join(', ')}),
  };
}

function linkTo(url: URL, page: number, rel: string): string {
  const target = new URL(url);
  target.searchParams.set('page', String(page));
  return `<${target.href}>; rel="${rel}"`;
}

function recordOf(world: GithubWorld, issue: WorldIssue) {
  const {number, author} = issue;
  const login = author.type === 'Bot' ? `${author.login}[bot]` : author.login;
  const open = issue.blockedBy.filter((blocker) => stateOf(world, blocker) === 'open');
  return {
    ...{number, node_id: `I_${number}`, title: issue.title, body: issue.body, state: issue.state},
    html_url: `https://github.com/Acme/widgets/issues/${number}`,
    repository_url: `https://api.github.com/repos/${world.owner}/${world.name}`,
    labels: issue.labels.map((name) => ({name, color: 'ededed'})),
    user: {login, type: author.type},
    author_association: issue.association,
    assignee: issue.assignee === null ? null : {login: issue.assignee},
    created_at: createdAt(issue).toISOString(),
    updated_at: issue.updatedAt.toISOString(),
    ...(issue.isPullRequest ? {pull_request: {url: 'https://api.github.com/…'}} : {}),
    ...(world.hasDependencies
      ? {issue_dependencies_summary: {blocked_by: open.length, blocking: 0}}
      : {}),
  };
}

function stateOf(world: GithubWorld, blocker: WorldBlocker): string {
  return typeof blocker === 'number' ? world.issue(blocker).state : blocker.state;
}

function blockerOf(world: GithubWorld, blocker: WorldBlocker) {
  if (typeof blocker === 'number') return recordOf(world, world.issue(blocker));
  return {
    ...recordOf(world, anIssue(blocker.number, {state: blocker.state})),
    repository_url: `https://api.github.com/repos/${blocker.repo}`,
  };
}
