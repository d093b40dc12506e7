import * as z from 'zod/mini';
import type {LinearApi} from './api.ts';

/** More pages than any list should have; a longer one is an error. */
const MAX_PAGES = 400;

/** A list of things with ids, as Linear hands it out. */
export const Connection = z.object({
  nodes: z.array(z.unknown()),
  pageInfo: z.object({hasNextPage: z.boolean(), endCursor: z.nullish(z.string())}),
});
export type Connection = z.infer<typeof Connection>;

/**
 * All pages, each item once. A list whose pages do not continue is an error: the missing items
 * would be taken for gone.
 */
export async function allPages(
  api: LinearApi,
  ask: (after: string | null) => Promise<Connection>,
): Promise<unknown[]> {
  const cursors = new Set<string>();
  const ids = new Set<string>();
  const found: unknown[] = [];
  let after: string | null = null;
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const {nodes, pageInfo} = await ask(after);
    const before = found.length;
    for (const node of nodes) {
      const id = idOf(node);
      if (id !== null && ids.has(id)) continue;
      // An item without an id is malformed; the caller reports it.
      if (id !== null) ids.add(id);
      found.push(node);
    }
    if (nodes.length > 0 && found.length === before) throw lost(api, 'sent the same page twice');
    if (!pageInfo.hasNextPage) return found;
    after = pageInfo.endCursor ?? null;
    if (after === null) throw lost(api, 'reported a next page without a cursor');
    if (cursors.has(after)) throw lost(api, 'sent a cycle of cursors');
    if (nodes.length === 0) throw lost(api, 'sent an empty page in the middle of a list');
    cursors.add(after);
  }
  throw lost(api, `sent more than ${MAX_PAGES} pages; use a smaller project or team`);
}

function lost(api: LinearApi, message: string) {
  return api.problem('tracker_pagination', message);
}

function idOf(node: unknown): string | null {
  const id = typeof node === 'object' && node !== null && 'id' in node ? node.id : null;
  return typeof id === 'string' ? id : null;
}
