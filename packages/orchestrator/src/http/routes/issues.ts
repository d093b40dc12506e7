import type {Found} from '../../shell/api/find-issue.ts';
import type {Ordered, SupervisorApi} from '../../shell/api/supervisor-api.ts';
import type {StateText} from '../answers/state-text.ts';
import {type Asked, json, type Reply, type Route, route} from '../api/route.ts';
import {IssueView, NoOrder, OrderTaken, RetryOrder, WhichProject} from '../api/shapes.ts';
import {ApiError} from '../api-error.ts';

const LONG = '/api/v1/issues/{identifier}';
const SHORT = '/api/v1/{identifier}';

type Command = 'stop' | 'retry' | 'restart' | 'dismiss' | 'clean';

interface OrderRoute {
  /** The last part of the path. */
  readonly name: string;
  readonly command: Command;
  readonly summary: string;
}

const ORDERS: readonly OrderRoute[] = [
  orderRoute('stop', 'End the run, keep the workspace, hold the issue'),
  orderRoute(
    'retry',
    'Make a held, dismissed or retrying issue due now, with a message for the agent',
  ),
  orderRoute('restart', 'Start over: end any run and drop claim, thread and counters'),
  orderRoute('dismiss', 'End any run and ignore the issue until it changes in the tracker'),
  orderRoute('clean', 'Remove the kept workspace of an issue, with the work in it'),
  {name: 'release', command: 'restart', summary: 'The old name of restart'},
];

function orderRoute(command: Command, summary: string): OrderRoute {
  return {name: command, command, summary};
}

/** RFC 9745: from when on a path under its former name is deprecated. */
const DEPRECATED_AT = Date.UTC(2026, 10, 18) / 1000;

export function issueRoutes(api: SupervisorApi, state: StateText): Route[] {
  const view: Omit<Route, 'path' | 'id'> = route({
    method: 'GET',
    path: LONG,
    id: 'getIssue',
    summary: 'One issue: its claim, recent events and runs',
    access: 'read',
    query: WhichProject,
    answers: {200: {description: 'The issue', schema: IssueView}},
    errors: ['issue_not_found', 'ambiguous_issue'],
    serve: async ({params, query}) =>
      json(200, theOne(await api.issue(identifierOf(params), query.project ?? null))),
  });
  const orders = ORDERS.map((order) => anOrder(api, state, order));
  return [
    {...view, path: LONG, id: 'getIssue'},
    {...view, path: SHORT, id: 'getIssueByShortPath', shortFormOf: LONG},
    ...orders,
    ...orders.map((order) => ({
      ...order,
      path: order.path.replace(LONG, SHORT),
      id: `${order.id}ByShortPath`,
      shortFormOf: order.path,
    })),
  ];
}

function anOrder(
  api: SupervisorApi,
  state: StateText,
  {name, command, summary}: OrderRoute,
): Route {
  const isDeprecated = name !== command;
  const serve = ({params, by}: Asked, project: string | null, message: string | null): Reply => {
    const identifier = identifierOf(params);
    const order = command === 'retry' ? {command, message} : {command};
    taken(api.order(by, identifier, project, order));
    state.forget();
    const reply = json(202, {
      ...{accepted: true, command, issue_identifier: identifier, project, by},
      requested_at: new Date().toISOString(),
    } satisfies OrderTaken);
    return isDeprecated ? {...reply, headers: {deprecation: `@${DEPRECATED_AT}`}} : reply;
  };
  const common = {
    method: 'POST',
    path: `${LONG}/${name}`,
    id: `${name}Issue`,
    summary,
    isDeprecated,
    access: 'control',
    query: WhichProject,
    answers: {202: {description: 'The order is accepted', schema: OrderTaken}},
    errors: ['issue_not_found', 'ambiguous_issue', 'conflict'],
  } as const;
  return command === 'retry'
    ? route({
        ...common,
        body: RetryOrder,
        serve: (asked) => serve(asked, asked.query.project ?? null, asked.body.message ?? null),
      })
    : route({
        ...common,
        body: NoOrder,
        serve: (asked) => serve(asked, asked.query.project ?? null, null),
      });
}

function identifierOf(params: Asked['params']): string {
  return params.identifier ?? '';
}

function theOne<T>(found: Found<T>): T {
  if (found.is === 'found') return found.value;
  throw found.is === 'unknown' ? new ApiError('issue_not_found') : ambiguous(found.projects);
}

function taken(ordered: Ordered): void {
  if (ordered.is === 'unknown') throw new ApiError('issue_not_found');
  if (ordered.is === 'ambiguous') throw ambiguous(ordered.projects);
  if (ordered.is === 'conflict') throw new ApiError('conflict', ordered.why);
}

function ambiguous(projects: readonly string[]): ApiError {
  const names = projects.join(', ');
  return new ApiError('ambiguous_issue', `projects ${names} have such an issue: add ?project=`);
}
