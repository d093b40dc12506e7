import * as z from 'zod/mini';
import type {GithubApi, RestAnswer} from './api.ts';
import type {GithubProvider} from './provider.ts';
import type {GithubReader} from './read.ts';
import type {GithubRecord} from './record.ts';
import {labelKey} from './state.ts';

// The single writes. Each gives the record back as it left it.

export interface WriteContext {
  readonly api: GithubApi;
  readonly provider: GithubProvider;
  readonly reader: GithubReader;
  readonly signal: AbortSignal;
}

export type CloseReason = 'completed' | 'not_planned';

const Labels = z.array(z.object({name: z.string()}));

export async function setOpen(
  record: GithubRecord,
  isOpen: boolean,
  reason: CloseReason,
  {api, signal}: WriteContext,
): Promise<GithubRecord> {
  if (record.isOpen === isOpen) return record;
  const body = isOpen ? {state: 'open'} : {state: 'closed', state_reason: reason};
  const path = `${api.repoPath}/issues/${record.number}`;
  await api.send('PATCH', path, {body, idempotent: true, signal});
  return {...record, isOpen};
}

/** With the labels that the issue then has, those of others included. */
export async function addLabels(
  record: GithubRecord,
  labels: readonly string[],
  {api, signal}: WriteContext,
): Promise<GithubRecord> {
  const path = `${api.repoPath}/issues/${record.number}/labels`;
  const answer = await api.send('POST', path, {body: {labels}, idempotent: true, signal});
  return {...record, labels: labelsIn(answer, api)};
}

export async function removeLabels(
  record: GithubRecord,
  labels: readonly string[],
  {api, signal}: WriteContext,
): Promise<GithubRecord> {
  for (const label of labels) {
    const path = `${api.repoPath}/issues/${record.number}/labels/${encodeURIComponent(label)}`;
    // Gone already is as good.
    await api.send('DELETE', path, {idempotent: true, expects: [404], signal});
  }
  const removed = new Set(labels.map(labelKey));
  return {...record, labels: record.labels.filter((label) => !removed.has(labelKey(label)))};
}

/** Never sent twice: a comment that may or may not be there is better than two. */
export async function comment(
  number: number,
  text: string,
  {api, signal}: WriteContext,
): Promise<void> {
  const path = `${api.repoPath}/issues/${number}/comments`;
  await api.send('POST', path, {body: {body: text}, signal});
}

function labelsIn({value}: RestAnswer, api: GithubApi): string[] {
  const parsed = Labels.safeParse(value);
  if (parsed.success) return parsed.data.map(({name}) => name);
  throw api.problem('tracker_response', 'sent something else than the labels of the issue');
}
