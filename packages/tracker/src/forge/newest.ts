import type {PullRequestRef} from './pull-request.ts';

/** An open one first, else the newest: a branch may have had several. */
export function currentOf<T extends PullRequestRef>(found: readonly T[]): T | null {
  const newest = [...found].sort((a, b) => b.number - a.number);
  return newest.find(({state}) => state === 'open') ?? newest[0] ?? null;
}
