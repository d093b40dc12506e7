import type {Issue} from '@symphony-supervisor/protocol';
import * as z from 'zod/mini';
import {toInstant, toLabels, toPriority, toText} from '../../src/normalize.ts';
import type {MalformedRecord} from '../../src/records.ts';

/** What an issue cannot be without. Everything else is taken if it can be understood. */
const Card = z.looseObject({key: z.string(), title: z.string(), column: z.string()});

export function toBoardIssue(card: unknown): Issue | MalformedRecord {
  const parsed = Card.safeParse(card);
  if (!parsed.success) {
    const key = z.object({key: z.string()}).safeParse(card).data?.key ?? null;
    const names = key === null ? [] : [key];
    const where = parsed.error.issues.map(({path}) => path.join('.')).join(', ');
    return {problem: `card ${key ?? '?'}: ${where} missing`, ids: names, identifiers: names};
  }
  const {key, title, column, ...rest} = parsed.data;
  return {
    id: key,
    identifier: key,
    title,
    description: toText(rest.text),
    priority: toPriority(rest.rank),
    state: column,
    branch_name: null,
    url: toText(rest.link),
    assignee_id: toText(rest.owner),
    labels: toLabels(rest.tags),
    blocked_by: [],
    dispatchable: true,
    native_ref: {key},
    created_at: toInstant(rest.made),
    updated_at: toInstant(rest.changed),
  };
}
