import * as z from 'zod/mini';
import type {GithubApi} from '../../github/api.ts';
import {LOG_TAIL_BYTES} from '../logs/clean.ts';
import type {Check} from '../pull-request.ts';

/** The end of a job's log; of checks by other apps, what they say about it. */
export async function readLog(
  api: GithubApi,
  {id}: Check,
  signal: AbortSignal,
): Promise<string | null> {
  const [, kind, number] = /^(job|check):(\d+)$/.exec(id ?? '') ?? [];
  if (kind === 'job') {
    return api.tail(`${api.repoPath}/actions/jobs/${number}/logs`, LOG_TAIL_BYTES, signal);
  }
  if (kind !== 'check') return null;
  const {status, value} = await api.get(`${api.repoPath}/check-runs/${number}`, signal, [404]);
  if (status === 404) return null;
  const {output} = z.safeParse(CheckRun, value).data ?? {output: null};
  const told = [output?.title, output?.summary, output?.text].filter((part) => part);
  return told.length === 0 ? null : told.join('\n').slice(-LOG_TAIL_BYTES);
}

const text = z.catch(z.nullable(z.string()), null);
const CheckRun = z.object({output: z.object({title: text, summary: text, text})});
