import * as z from 'zod/mini';
import type {GithubApi} from '../api.ts';
import type {GithubProvider} from '../provider.ts';
import {OPEN_STATUSES} from '../read/queries.ts';

const Owner = z.object({id: z.string()});
const Item = z.object({
  project: z.object({number: z.int(), owner: Owner}),
  status: z.nullable(z.object({name: z.optional(z.nullable(z.string()))})),
});
const Items = z.object({nodes: z.array(z.nullable(Item))});

const StatusPage = z.object({
  repository: z.object({
    owner: Owner,
    issues: z.object({
      nodes: z.array(z.object({number: z.int(), projectItems: Items})),
      pageInfo: z.object({hasNextPage: z.boolean(), endCursor: z.nullable(z.string())}),
    }),
  }),
});

type Project = NonNullable<GithubProvider['project']>;

/**
 * The status of an issue in the owner's project of that number; null: none, or not in the project.
 */
export function statusIn(
  projectItems: z.infer<typeof Items>,
  project: Project,
  ownerId: string,
): string | null {
  // Projects of other owners may have the same number.
  const item = projectItems.nodes.find(
    (node) => node?.project.number === project.number && node.project.owner.id === ownerId,
  );
  return item?.status?.name?.trim() || null;
}

/** Of one issue that was read by number. Undefined: unknown. */
export function statusOfNode(
  node: unknown,
  project: Project | null,
  ownerId: string,
): string | null | undefined {
  if (project === null) return null;
  const parsed = z.object({projectItems: Items}).safeParse(node);
  return parsed.success ? statusIn(parsed.data.projectItems, project, ownerId) : undefined;
}

/** By number, of every open issue of the repository. */
export async function openStatuses(
  api: GithubApi,
  {owner, name}: GithubProvider,
  project: Project,
  signal: AbortSignal,
): Promise<ReadonlyMap<number, string | null>> {
  const statuses = new Map<number, string | null>();
  const cursors = new Set<string>();
  for (let after: string | null = null; ; ) {
    const variables = {owner, name, field: project.field, after};
    const reply = await api.query({query: OPEN_STATUSES, variables, signal});
    const parsed = StatusPage.safeParse(reply.data);
    if (!parsed.success || reply.errors.length > 0) {
      const said = reply.errors[0]?.message ?? 'in another form';
      throw api.problem('tracker_response', `sent the statuses of its issues incomplete: ${said}`);
    }
    const {owner: ownerNode, issues} = parsed.data.repository;
    for (const {number, projectItems} of issues.nodes) {
      statuses.set(number, statusIn(projectItems, project, ownerNode.id));
    }
    const {hasNextPage, endCursor} = issues.pageInfo;
    if (!hasNextPage) return statuses;
    if (endCursor === null || cursors.has(endCursor)) {
      const what = endCursor === null ? 'leaves out' : 'repeats';
      throw api.problem('tracker_pagination', `${what} the cursor of the next page of statuses`);
    }
    cursors.add(endCursor);
    after = endCursor;
  }
}
