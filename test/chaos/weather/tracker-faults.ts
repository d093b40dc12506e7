import {edited} from '../../../packages/tracker/test/linear/pages.ts';
import type {Fault} from '../../../packages/tracker/test/servers/fault-proxy.ts';

/** A fault by its name. Made when it strikes: some tell the time. */
export type Faults = Readonly<Record<string, () => Fault>>;

const RESETS_IN_MS = 1_500;
const FLOOD_BYTES = 100 * 1024 * 1024;

/** What can happen to any request, and is over with it. */
export const PASSING: Faults = {
  '429 with Retry-After': () => answer(429, '', {'retry-after': '1'}),
  '429 that names its reset only': () => {
    const resets = String(Date.now() + RESETS_IN_MS);
    const name = 'x-ratelimit-requests';
    return answer(429, '', {
      ...{[`${name}-limit`]: '9', [`${name}-remaining`]: '0', [`${name}-reset`]: resets},
    });
  },
  RATELIMITED: () => answer(400, refusal({code: 'RATELIMITED'}), {'retry-after': '1'}),
  400: () => answer(400, refusal({type: 'invalid input'})),
  401: () => answer(401, refusal({type: 'authentication error'})),
  403: () => answer(403, '<html>Forbidden</html>'),
  500: () => answer(500, ''),
  502: () => answer(502, '<html>Bad gateway</html>'),
  '503 with Retry-After': () => answer(503, '', {'retry-after': '1'}),
  garbage: () => answer(200, '<html>no JSON</html>'),
  'JSON of another kind': () => answer(200, '[]'),
  'no data': () => answer(200, '{"data":null}'),
  'half of a JSON text': () => ({is: 'change', change: (body) => body.slice(0, -20)}),
  drop: () => ({is: 'drop'}),
  cut: () => ({is: 'cut'}),
};

/** What can be wrong with an answer about issues. */
export const SPOILED: Faults = {
  flood: () => ({is: 'flood', bytes: FLOOD_BYTES}),
  'errors beside data': () =>
    edited((reply) => {
      reply.data.issues.nodes.pop();
      reply.errors = [{message: 'could not load it', path: ['issues', 'nodes', 0]}];
    }),
  'a malformed issue': () => edited(({data}) => void delete data.issues.nodes[0]?.title),
};

/** What can be wrong with one of several pages. */
export const PAGES: Faults = {
  'the first page again': () =>
    edited(({data}) => {
      data.issues.pageInfo = {hasNextPage: true, endCursor: 'of no issue'};
    }),
  'a next page without a cursor': () =>
    edited(({data}) => {
      data.issues.pageInfo = {hasNextPage: true, endCursor: null};
    }),
  'an empty page in the middle': () =>
    edited(({data}) => {
      data.issues = {nodes: [], pageInfo: {hasNextPage: true, endCursor: 'further'}};
    }),
};

/**
 * Good answers that are not true. They say that less is to be done than there is, and have to be
 * believed; the next read mends what follows from them.
 */
export const LIES: Faults = {
  'it is gone': () => edited(({data}) => void data.issues.nodes.splice(0)),
  'it is in review': () => moved('In Review', 'started'),
  'it is done': () => moved('Done', 'completed'),
};

function moved(name: string, type: string): Fault {
  return edited(({data}) => {
    for (const node of data.issues.nodes) node.state = {name, type};
  });
}

function answer(status: number, body: string, headers: Record<string, string> = {}): Fault {
  return {is: 'answer', status, body, headers};
}

function refusal(extensions: Record<string, unknown>): string {
  return JSON.stringify({errors: [{message: 'Something is wrong', extensions}]});
}
