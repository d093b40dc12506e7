import * as z from 'zod/mini';
import {TrackerProblem} from '../../answer.ts';
import type {RestAnswer} from '../../http/rest.ts';
import type {GithubApi} from '../api.ts';
import type {GithubProvider} from '../provider.ts';
import type {GithubReader} from '../read/read.ts';
import type {GithubRecord} from '../record.ts';
import {labelKey} from '../state.ts';

// The single writes. Each returns the record after the write.

export interface WriteContext {
  readonly api: GithubApi;
  readonly provider: GithubProvider;
  readonly reader: GithubReader;
  readonly signal: AbortSignal;
  /** Called for every write that was made or may have been made. */
  readonly onWrite: () => void;
}

export type CloseReason = 'completed' | 'not_planned';

/** A write whose answer was lost may have been applied. */
export async function writing<T>({onWrite}: WriteContext, send: () => Promise<T>): Promise<T> {
  try {
    const answer = await send();
    onWrite();
    return answer;
  } catch (error) {
    if (isInDoubt(error)) onWrite();
    throw error;
  }
}

export function isInDoubt(error: unknown): boolean {
  if (!(error instanceof TrackerProblem)) return true;
  const {code} = error.failure;
  return code === 'tracker_request' || code === 'tracker_response';
}

const Labels = z.array(z.object({name: z.string()}));

export async function setOpen(
  record: GithubRecord,
  isOpen: boolean,
  reason: CloseReason,
  context: WriteContext,
): Promise<GithubRecord> {
  const {api, signal} = context;
  if (record.isOpen === isOpen) return record;
  const body = isOpen ? {state: 'open'} : {state: 'closed', state_reason: reason};
  const path = `${api.repoPath}/issues/${record.number}`;
  await writing(context, () => api.send('PATCH', path, {body, idempotent: true, signal}));
  return {...record, isOpen};
}

/** With the labels that the issue then has, those of others included. */
export async function addLabels(
  record: GithubRecord,
  labels: readonly string[],
  context: WriteContext,
): Promise<GithubRecord> {
  const {api, signal} = context;
  const path = `${api.repoPath}/issues/${record.number}/labels`;
  const sent = {body: {labels}, idempotent: true, signal};
  const answer = await writing(context, () => api.send('POST', path, sent));
  return {...record, labels: labelsIn(answer, api)};
}

export async function removeLabels(
  record: GithubRecord,
  labels: readonly string[],
  context: WriteContext,
): Promise<GithubRecord> {
  const {api, signal} = context;
  for (const label of labels) {
    const path = `${api.repoPath}/issues/${record.number}/labels/${encodeURIComponent(label)}`;
    // Already removed counts as success.
    const sent = {idempotent: true, expects: [404], signal};
    await writing(context, () => api.send('DELETE', path, sent));
  }
  const removed = new Set(labels.map(labelKey));
  return {...record, labels: record.labels.filter((label) => !removed.has(labelKey(label)))};
}

/** Never sent twice: a missing comment is better than a duplicate. */
export async function comment(number: number, text: string, context: WriteContext): Promise<void> {
  const {api, signal} = context;
  const path = `${api.repoPath}/issues/${number}/comments`;
  await writing(context, () => api.send('POST', path, {body: {body: text}, signal}));
}

function labelsIn({value}: RestAnswer, api: GithubApi): string[] {
  const parsed = Labels.safeParse(value);
  if (parsed.success) return parsed.data.map(({name}) => name);
  throw api.problem('tracker_response', 'sent a response that is not the labels of the issue');
}
