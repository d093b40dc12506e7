import type {AgentSettings, Failure} from '@symphony-supervisor/protocol';
import type {Book} from './claim.ts';

/** Every loop is bounded: which limit an issue has reached after a run, if any. 0 is no limit. */
export function limitReached(book: Book, failures: number, agent: AgentSettings): Failure | null {
  const {maxConsecutiveFailures, maxIdleRuns} = agent;
  if (reached(failures, maxConsecutiveFailures)) {
    return {code: 'limit_failures', message: `${failures} runs in a row have failed`};
  }
  if (reached(book.idleRuns, maxIdleRuns)) {
    return {code: 'limit_idle_runs', message: `${book.idleRuns} runs in a row changed nothing`};
  }
  return lifetimeLimitReached(book, agent);
}

/** Of an issue in all: checked before a launch too, for it may come back after it was released. */
export function lifetimeLimitReached(book: Book, agent: AgentSettings): Failure | null {
  return reached(book.runs, agent.maxRuns)
    ? {code: 'limit_runs', message: `the issue has had ${book.runs} runs`}
    : tokenLimitReached(book, agent);
}

export function tokenLimitReached(book: Book, {maxTokens}: AgentSettings): Failure | null {
  return reached(book.tokens, maxTokens)
    ? {code: 'limit_tokens', message: `the issue has used ${book.tokens} tokens of ${maxTokens}`}
    : null;
}

function reached(count: number, limit: number): boolean {
  return limit > 0 && count >= limit;
}
