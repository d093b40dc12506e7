import {readdirSync} from 'node:fs';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {ROOT} from './markdown.ts';

interface Route {
  readonly method: string;
  readonly path: string;
}
type MakeRoutes = (...parts: unknown[]) => readonly Route[];

const FOLDER = join(ROOT, 'packages/orchestrator/src/http/routes');

/** Every route of the API; what serves it is not asked. */
export const ROUTES: readonly Route[] = await allRoutes();

async function allRoutes(): Promise<readonly Route[]> {
  const files = readdirSync(FOLDER).map((name) => pathToFileURL(join(FOLDER, name)).href);
  const parts: Record<string, unknown>[] = await Promise.all(files.map((file) => import(file)));
  return parts.flatMap((part) =>
    Object.entries(part)
      .filter(([name]) => name.endsWith('Routes'))
      .flatMap(([, make]) => (make as MakeRoutes)({}, {}, {})),
  );
}

/** `/api/v1/ABC-12/stop` as well as `/api/v1/{identifier}/stop`; without a method, any. */
export function isRoute(method: string | null, given: string): boolean {
  const path = given.replace(/\?.*$/, '');
  return ROUTES.some((route) => {
    if (method !== null && route.method !== method) return false;
    if (route.path === path) return true;
    const pattern = route.path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/{}]+');
    return new RegExp(`^${pattern}$`).test(path);
  });
}
