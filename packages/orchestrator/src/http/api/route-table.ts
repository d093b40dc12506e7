import {ApiError} from '../api-error.ts';
import type {Route} from './route.ts';

/**
 * The table of routes. An issue may be called `state` or `pause`: as the first word behind
 * `/api/v1/` that means the route, and the issue is reached by its long path only.
 */
export class RouteTable {
  readonly routes: readonly Route[];
  readonly #reserved: ReadonlySet<string>;
  readonly #patterns: readonly {readonly route: Route; readonly pattern: RegExp}[];

  constructor(routes: readonly Route[]) {
    this.routes = routes;
    this.#reserved = new Set(
      routes.flatMap(({path}) => /^\/api\/v1\/([^/{}]+)/.exec(path)?.[1] ?? []),
    );
    this.#patterns = routes.map((route) => ({route, pattern: patternOf(route.path)}));
  }

  /** Whether a path that looks like the short form of this route belongs to another route. */
  isReserved(route: Route, params: Readonly<Record<string, string>>): boolean {
    const {identifier = ''} = params;
    return route.shortFormOf !== undefined && (identifier === '' || this.#reserved.has(identifier));
  }

  /** For a request without a route: the path does not exist, or has other methods. */
  refusalOf(method: string, url: string): ApiError {
    const path = url.replace(/[?#].*$/s, '');
    const methods = new Set<string>();
    for (const {route, pattern} of this.#patterns) {
      const found = pattern.exec(path);
      if (found === null || this.isReserved(route, decoded(found.groups))) continue;
      methods.add(route.method);
      if (hasHead(route)) methods.add('HEAD');
    }
    if (methods.size === 0) return new ApiError('not_found', `there is no route ${path}`);
    const allow = [...methods].join(', ');
    const message = `${path} accepts ${allow}, not ${method}`;
    return new ApiError('method_not_allowed', message, {allow});
  }
}

/** Not for a stream that never ends. */
export function hasHead(route: Route): boolean {
  return route.method === 'GET' && route.answers[200]?.type !== 'text/event-stream';
}

function patternOf(path: string): RegExp {
  const source = path
    .split(/(\{\w+\})/)
    .map((part) =>
      part.startsWith('{') ? `(?<${part.slice(1, -1)}>[^/]+)` : part.replaceAll('.', '\\.'),
    )
    .join('');
  return new RegExp(`^${source}$`);
}

function decoded(groups: Record<string, string> | undefined): Record<string, string> {
  const entries = Object.entries(groups ?? {}).map(([name, text]) => [name, decode(text)]);
  return Object.fromEntries(entries);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
