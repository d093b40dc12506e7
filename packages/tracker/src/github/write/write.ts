import {type Issue, sameState} from '@symphony-supervisor/protocol';
import type {Change, WriteOutcome} from '../../adapter.ts';
import type {GithubRecord} from '../record.ts';
import {labelKey, statesNamed} from '../state.ts';
import {addLabels, comment, removeLabels, setOpen, type WriteContext} from './edits.ts';
import {move} from './move.ts';

/** The wanted changes of an issue. Absent fields stay as they are. */
export interface GithubUpdate {
  readonly state?: string | undefined;
  readonly close?: 'completed' | 'not_planned' | undefined;
  readonly add_labels?: readonly string[] | undefined;
  readonly remove_labels?: readonly string[] | undefined;
  readonly comment?: string | undefined;
}

/**
 * Reads, compares with what the caller knows, and writes. Idempotent writes come first and the
 * comment last, so that a call that failed half-way can be repeated.
 */
export async function updateIssue(
  known: Issue,
  number: number,
  wanted: GithubUpdate,
  context: WriteContext,
): Promise<WriteOutcome> {
  const found = await context.reader.one(number, context.signal);
  if (found === null) return {outcome: 'conflict', found: null};
  const issueOf = (record: GithubRecord) => found.toIssue(record, known.blocked_by);
  const before = issueOf(found.record);
  const {state, close} = wanted;
  const isMove = state !== undefined && !sameState(state, before.state);
  const isClosing = close !== undefined && found.record.isOpen;
  if ((isMove || isClosing) && !sameState(known.state, before.state)) {
    return {outcome: 'conflict', found: before};
  }

  let record = found.record;
  if (state !== undefined && (isMove || isAmbiguous(record, context))) {
    const moved = await move(record, state, context);
    if (moved === null) return conflict(number, known, context);
    record = moved;
  }
  if (isClosing) record = await setOpen(record, false, close, context);
  const labelled = await relabel(record, wanted, context);
  const changed: Change[] = [
    ...(isMove || isClosing ? (['state'] as const) : []),
    ...(labelled === record ? [] : (['labels'] as const)),
  ];
  if (wanted.comment !== undefined && wanted.comment.trim() !== '') {
    await comment(number, wanted.comment, context);
    changed.push('comment');
  }
  const issue = issueOf(labelled);
  return changed.length === 0
    ? {outcome: 'unchanged', issue}
    : {outcome: 'written', issue, changed};
}

async function relabel(
  record: GithubRecord,
  {add_labels = [], remove_labels = []}: GithubUpdate,
  context: WriteContext,
): Promise<GithubRecord> {
  const present = new Set(record.labels.map(labelKey));
  const missing = add_labels.filter((label) => !present.has(labelKey(label)));
  const unwanted = remove_labels.filter((label) => present.has(labelKey(label)));
  let left = record;
  if (missing.length > 0) left = await addLabels(left, missing, context);
  if (unwanted.length > 0) left = await removeLabels(left, unwanted, context);
  return left;
}

/** A move that was interrupted between two labels is finished by the next one to the same state. */
function isAmbiguous({labels}: GithubRecord, {reader}: WriteContext): boolean {
  return statesNamed(labels, reader.rules).length > 1;
}

/** Another writer moved the issue between our read and our write; that move stands. */
async function conflict(
  number: number,
  known: Issue,
  {reader, signal}: WriteContext,
): Promise<WriteOutcome> {
  const found = await reader.one(number, signal);
  const issue = found === null ? null : found.toIssue(found.record, known.blocked_by);
  return {outcome: 'conflict', found: issue};
}
