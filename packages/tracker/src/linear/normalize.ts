import type {BlockerRef, Issue} from '@symphony-supervisor/protocol';
import * as z from 'zod/mini';
import {excerpt} from '../http/verdict.ts';
import {toInstant, toLabels, toPriority, toText} from '../normalize.ts';
import type {MalformedRecord} from '../records.ts';
import type {Depth} from './queries.ts';

/** Optional fields. */
const loose = z.optional(z.unknown());

/** Required fields. The lists are among them: without them the blockers are unknown. */
const IssueNode = z.object({
  id: z.string().check(z.trim(), z.minLength(1)),
  identifier: z.string().check(z.trim(), z.minLength(1)),
  title: z.string().check(z.trim(), z.minLength(1)),
  state: z.object({name: z.string().check(z.trim(), z.minLength(1)), type: z.unknown()}),
  labels: z.object({nodes: z.array(z.object({name: z.unknown()}))}),
  inverseRelations: z.object({nodes: z.array(z.unknown())}),
  labelIds: z.catch(z.array(z.unknown()), []),
  assignee: z.nullish(z.object({id: z.unknown()})),
  description: loose,
  priority: loose,
  branchName: loose,
  url: loose,
  createdAt: loose,
  updatedAt: loose,
  archivedAt: loose,
  trashed: loose,
});
type IssueNode = z.infer<typeof IssueNode>;

const Relation = z.object({
  type: z.string(),
  issue: z.object({id: z.unknown(), identifier: z.unknown(), state: z.object({name: z.unknown()})}),
});

export type Normalized =
  | {readonly is: 'issue'; readonly issue: Issue; readonly isComplete: boolean}
  /** A trashed issue counts as gone. */
  | {readonly is: 'gone'; readonly id: string}
  | {readonly is: 'malformed'; readonly record: MalformedRecord};

/** `assigneeId`: only issues of this user are routed to us; null: of all users. */
export function toLinearIssue(node: unknown, depth: Depth, assigneeId: string | null): Normalized {
  const parsed = IssueNode.safeParse(node);
  if (!parsed.success) return {is: 'malformed', record: malformed(node, parsed.error.issues)};
  const {data} = parsed;
  if (data.trashed === true) return {is: 'gone', id: data.id};
  const hasAllLabels = data.labels.nodes.length < depth.labels || !hasMoreLabels(data);
  const hasAllBlockers = data.inverseRelations.nodes.length < depth.relations;
  const assignee = toText(data.assignee?.id);
  const isOurs = assigneeId === null || assignee === assigneeId;
  const priority = toPriority(data.priority);
  const issue: Issue = {
    id: data.id,
    identifier: data.identifier,
    title: data.title,
    description: toText(data.description),
    priority: priority === 0 ? null : priority,
    state: data.state.name,
    branch_name: toText(data.branchName),
    url: toText(data.url),
    assignee_id: assignee,
    labels: toLabels(data.labels.nodes.map(({name}) => name)),
    blocked_by: [
      ...data.inverseRelations.nodes.flatMap(toBlocker),
      // A missing relation may be the one that blocks.
      ...(hasAllBlockers ? [] : [UNKNOWN_BLOCKER]),
    ],
    // A missing label may be one that excludes the issue.
    dispatchable: isOurs && hasAllLabels && toText(data.archivedAt) === null,
    native_ref: {issue_id: data.id, state_type: toText(data.state.type)},
    created_at: toInstant(data.createdAt),
    updated_at: toInstant(data.updatedAt),
  };
  return {is: 'issue', issue, isComplete: hasAllLabels && hasAllBlockers};
}

const UNKNOWN_BLOCKER: BlockerRef = {id: null, identifier: null, state: null};

function hasMoreLabels({labelIds, labels}: IssueNode): boolean {
  return labelIds.length > labels.nodes.length;
}

/** The relation points from the blocker to this issue. An unreadable one may be a blocker. */
function toBlocker(relation: unknown): BlockerRef[] {
  const parsed = Relation.safeParse(relation);
  if (!parsed.success) return [UNKNOWN_BLOCKER];
  const {type, issue} = parsed.data;
  if (type !== 'blocks') return [];
  return [
    {
      id: toText(issue.id),
      identifier: toText(issue.identifier),
      state: toText(issue.state.name),
    },
  ];
}

function malformed(node: unknown, issues: readonly z.core.$ZodIssue[]): MalformedRecord {
  const {id, identifier} = typeof node === 'object' && node !== null ? (node as Ids) : {};
  const name = toText(identifier) ?? toText(id);
  const where = name === null ? 'an issue from Linear' : `the issue ${excerpt(name)} from Linear`;
  const parts = [...new Set(issues.map(({path}) => path.slice(0, 2).join('.') || 'all of it'))];
  return {
    problem: `${where} cannot be read: ${parts.join(', ')}`,
    ids: [toText(id) ?? []].flat(),
    identifiers: [toText(identifier) ?? []].flat(),
  };
}

interface Ids {
  readonly id?: unknown;
  readonly identifier?: unknown;
}
