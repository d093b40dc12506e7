import * as z from 'zod/mini';
import type {MalformedRecord} from '../records.ts';
import {identifierOf} from './normalize.ts';

/** An issue as either of GitHub's interfaces returns it. */
export interface GithubRecord {
  readonly number: number;
  readonly nodeId: string | null;
  readonly title: string;
  readonly body: string | null;
  readonly isOpen: boolean;
  /** In their original spelling. */
  readonly labels: readonly string[];
  readonly author: string | null;
  readonly association: string | null;
  readonly assignee: string | null;
  readonly url: string | null;
  readonly createdAt: string | null;
  readonly updatedAt: string | null;
  /** null: no status, or no project. */
  readonly status: string | null;
  /** null: unknown. */
  readonly openBlockers: number | null;
}

/** An optional value of the wrong type counts as absent. */
const text = z.catch(z.nullable(z.string()), null);
const title = z.string().check(z.trim(), z.minLength(1));
const number = z.int().check(z.positive());

const RestIssue = z.object({
  number,
  title,
  state: z.enum(['open', 'closed']),
  // Routing depends on labels: unreadable labels are not the same as no labels.
  labels: z.array(z.union([z.string(), z.object({name: z.string()})])),
  node_id: text,
  body: text,
  user: z.catch(z.nullable(z.object({login: text})), null),
  author_association: text,
  assignee: z.catch(z.nullable(z.object({login: text})), null),
  html_url: text,
  created_at: text,
  updated_at: text,
  issue_dependencies_summary: z.catch(
    z.nullable(z.object({blocked_by: z.catch(z.nullable(z.int()), null)})),
    null,
  ),
});

/** For pages that contain pull requests, as GitHub's list of issues does. */
export function isPullRequest(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'pull_request' in value;
}

export function restRecord(value: unknown, name: string): GithubRecord | MalformedRecord {
  const parsed = RestIssue.safeParse(value);
  if (!parsed.success) return malformed(value, name, parsed.error);
  const {data} = parsed;
  return {
    number: data.number,
    nodeId: data.node_id,
    title: data.title,
    body: data.body,
    isOpen: data.state === 'open',
    labels: data.labels.map((label) => (typeof label === 'string' ? label : label.name)),
    author: data.user?.login ?? null,
    association: data.author_association,
    assignee: data.assignee?.login ?? null,
    url: data.html_url,
    createdAt: data.created_at,
    updatedAt: data.updated_at,
    status: null,
    openBlockers: data.issue_dependencies_summary?.blocked_by ?? null,
  };
}

const nodes = <T extends z.core.$ZodType>(node: T) => z.object({nodes: z.array(node)});

const GraphqlIssue = z.object({
  number,
  title,
  state: z.enum(['OPEN', 'CLOSED']),
  labels: z.nullable(nodes(z.object({name: z.string()}))),
  id: text,
  body: text,
  author: z.catch(z.nullable(z.object({__typename: text, login: text})), null),
  authorAssociation: text,
  assignees: z.catch(z.nullable(nodes(z.object({login: text}))), null),
  url: text,
  createdAt: text,
  updatedAt: text,
});

export function graphqlRecord(
  value: unknown,
  status: string | null,
  name: string,
): GithubRecord | MalformedRecord {
  const parsed = GraphqlIssue.safeParse(value);
  if (!parsed.success) return malformed(value, name, parsed.error);
  const {data} = parsed;
  const {__typename: kind, login} = data.author ?? {__typename: null, login: null};
  return {
    number: data.number,
    nodeId: data.id,
    title: data.title,
    body: data.body,
    isOpen: data.state === 'OPEN',
    labels: data.labels?.nodes.map((label) => label.name) ?? [],
    // REST says `dependabot[bot]`, GraphQL omits the suffix.
    author: kind === 'Bot' && login !== null ? `${login}[bot]` : login,
    association: data.authorAssociation,
    assignee: data.assignees?.nodes[0]?.login ?? null,
    url: data.url,
    createdAt: data.createdAt,
    updatedAt: data.updatedAt,
    status,
    openBlockers: null,
  };
}

export function isMalformed(record: GithubRecord | MalformedRecord): record is MalformedRecord {
  return 'problem' in record;
}

function malformed(value: unknown, name: string, error: z.core.$ZodError): MalformedRecord {
  const given = z.object({number}).safeParse(value);
  const [complaint] = error.issues;
  const field = complaint?.path.join('.') ?? '';
  const what = field === '' ? 'it is not an object' : `its ${field} cannot be read`;
  if (!given.success) {
    return {
      problem: `GitHub sent a record that is not an issue: ${what}`,
      ids: [],
      identifiers: [],
    };
  }
  const identifier = identifierOf(name, given.data.number);
  return {
    problem: `GitHub sent ${identifier} malformed: ${what}`,
    ids: [String(given.data.number)],
    identifiers: [identifier],
  };
}
