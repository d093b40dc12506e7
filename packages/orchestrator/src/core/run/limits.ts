import type {AgentSettings, Failure} from '@symphony-supervisor/protocol';
import type {Counters, Run} from '../claim.ts';

/** Every loop is bounded: the limit that an issue has reached after a run, if any. 0 is no limit. */
export function limitReached(
  counters: Counters,
  failures: number,
  agent: AgentSettings,
): Failure | null {
  const {maxConsecutiveFailures, maxIdleRuns} = agent;
  if (isReached(failures, maxConsecutiveFailures)) {
    return {code: 'limit_failures', message: `${failures} runs in a row have failed`};
  }
  if (isReached(counters.idleRuns, maxIdleRuns)) {
    return {code: 'limit_idle_runs', message: `${counters.idleRuns} runs in a row changed nothing`};
  }
  return lifetimeLimitReached(counters, agent);
}

/** Totals of an issue: also checked before a launch, because it may become active again after its release. */
export function lifetimeLimitReached(counters: Counters, agent: AgentSettings): Failure | null {
  return isReached(counters.runs, agent.maxRuns)
    ? {code: 'limit_runs', message: `the issue has had ${counters.runs} runs`}
    : tokenLimitReached(counters, agent);
}

export function tokenLimitReached(counters: Counters, {maxTokens}: AgentSettings): Failure | null {
  return isReached(counters.tokens, maxTokens)
    ? {
        code: 'limit_tokens',
        message: `the issue has used ${counters.tokens} tokens of ${maxTokens}`,
      }
    : null;
}

/** A read and a write that keep disagreeing (a cache, a lagging replica) would repeat forever. */
const MAX_CONFLICTS = 3;

/** Whether a write that found a changed issue is retried after one more read. */
export function mayReadAgain({conflicts}: Run): boolean {
  return conflicts < MAX_CONFLICTS;
}

/** 0 is no limit. */
export function isReached(count: number, limit: number): boolean {
  return limit > 0 && count >= limit;
}
