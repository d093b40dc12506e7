import type {Issue} from '@symphony-supervisor/protocol';
import * as z from 'zod/mini';
import {toBlockers, toInstant, toLabels, toPriority, toText} from '../normalize.ts';
import type {MalformedRecord} from '../records.ts';

const REQUIRED = ['identifier', 'title', 'state'] as const;

/** One hand-written entry of `provider.issues`, read leniently. */
export function toMemoryIssue(entry: unknown, where: string): Issue | MalformedRecord {
  if (!isRecord(entry)) return {problem: `${where}: expected an issue`, ids: [], identifiers: []};
  const identifier = toText(entry.identifier);
  const id = toText(entry.id) ?? identifier;
  const title = toText(entry.title);
  const state = toText(entry.state);
  if (id === null || identifier === null || title === null || state === null) {
    const missing = REQUIRED.filter((key) => toText(entry[key]) === null);
    return {
      problem: `${where}: ${missing.join(', ')} missing`,
      ids: id === null ? [] : [id],
      identifiers: identifier === null ? [] : [identifier],
    };
  }
  const native = z.json().safeParse(entry.native_ref);
  return {
    id,
    identifier,
    title,
    description: toText(entry.description),
    priority: toPriority(entry.priority),
    state,
    branch_name: toText(entry.branch_name),
    url: toText(entry.url),
    assignee_id: toText(entry.assignee_id ?? entry.assignee),
    labels: toLabels(entry.labels),
    blocked_by: toBlockers(entry.blocked_by),
    dispatchable: entry.dispatchable !== false,
    native_ref: native.success ? native.data : null,
    created_at: toInstant(entry.created_at),
    updated_at: toInstant(entry.updated_at),
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
