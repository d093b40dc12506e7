import {partOf} from './facts.ts';

interface Route {
  readonly method: string;
  readonly path: string;
}
type MakeRoutes = (...parts: unknown[]) => readonly Route[];

const FILES = ['state', 'issues', 'runs', 'projects', 'webhooks', 'about'];

/** Every route of the API; what serves it is not asked. null where there is none yet. */
export const ROUTES: readonly Route[] | null = await allRoutes();

async function allRoutes(): Promise<readonly Route[] | null> {
  const parts = await Promise.all(FILES.map((name) => partOf(`http/routes/${name}.ts`)));
  if (parts.includes(null)) return null;
  return parts.flatMap((part) =>
    Object.entries(part ?? {})
      .filter(([name]) => name.endsWith('Routes'))
      .flatMap(([, make]) => (make as MakeRoutes)({}, {}, {})),
  );
}

/** `/api/v1/ABC-12/stop` as well as `/api/v1/{identifier}/stop`; without a method, any. */
export function isRoute(method: string | null, given: string): boolean {
  if (ROUTES === null) return true;
  const path = given.replace(/\?.*$/, '');
  return ROUTES.some((route) => {
    if (method !== null && route.method !== method) return false;
    if (route.path === path) return true;
    const pattern = route.path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/{}]+');
    return new RegExp(`^${pattern}$`).test(path);
  });
}
