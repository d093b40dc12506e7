import type {BlockerRef, Issue} from '@symphony-supervisor/protocol';
import type {IsAllowed} from '../authors.ts';
import {toInstant, toLabels, toText} from '../normalize.ts';
import type {GithubRecord} from './record.ts';
import {type StateRules, stateOf} from './state.ts';

/** What the meaning of an issue depends on besides the issue itself. */
export interface Reading {
  readonly owner: string;
  readonly name: string;
  readonly rules: StateRules;
  readonly isAllowed: IsAllowed;
}

export function identifierOf(name: string, number: number): string {
  return `${name}-${number}`;
}

/** GitHub numbers are 32-bit; anything else was never one of ours. */
export function numberOf(id: string): number | null {
  const number = /^[1-9]\d{0,9}$/.test(id) ? Number(id) : Number.NaN;
  return number < 2 ** 31 ? number : null;
}

/** The number in `<repo>-<number>`; the name is compared without regard to case. */
export function numberIn(identifier: string, name: string): number | null {
  const prefix = identifierOf(name, 0).slice(0, -1);
  if (!identifier.toLowerCase().startsWith(prefix.toLowerCase())) return null;
  return numberOf(identifier.slice(prefix.length));
}

export function toGithubIssue(
  record: GithubRecord,
  blockers: readonly BlockerRef[],
  {owner, name, rules, isAllowed}: Reading,
): Issue {
  const {number, nodeId, title, author, association} = record;
  return {
    id: String(number),
    identifier: identifierOf(name, number),
    title,
    description: toText(record.body),
    priority: priorityOf(record.labels),
    state: stateOf(record, rules),
    branch_name: null,
    url: toText(record.url),
    assignee_id: toText(record.assignee),
    labels: toLabels(record.labels),
    blocked_by: [...blockers],
    dispatchable: isAllowed({login: author, association}),
    native_ref: {
      node_id: nodeId,
      number,
      repository: `${owner}/${name}`,
      author,
      author_association: association,
    },
    created_at: toInstant(record.createdAt),
    updated_at: toInstant(record.updatedAt),
  };
}

const PRIORITY = /^(?:priority:\s*|p)([1-4])$/i;

/** The most urgent of several. */
function priorityOf(labels: readonly string[]): number | null {
  const given = labels.flatMap((label) => Number(PRIORITY.exec(label.trim())?.[1] ?? []));
  const numbers = given.filter((number) => number > 0);
  return numbers.length === 0 ? null : Math.min(...numbers);
}

/** An issue of another repository has no id here, and its labels have no meaning here. */
export function toBlocker(
  record: GithubRecord,
  repository: string | null,
  {owner, name, rules}: Reading,
): BlockerRef {
  const isOurs = repository?.toLowerCase() === `${owner}/${name}`.toLowerCase();
  const {number} = record;
  return {
    id: isOurs ? String(number) : null,
    identifier: isOurs ? identifierOf(name, number) : `${repository ?? 'unknown'}#${number}`,
    state: stateOf(isOurs ? record : {...record, labels: []}, rules),
  };
}
