import type {RunResult} from '@symphony-supervisor/protocol';
import type {State} from 'symphony-supervisor/core';
import {MAX_IDLE_RUNS, MAX_RUNS} from '../simulated/workflow-files.ts';

type Fail = (problem: string) => void;

interface Tally {
  runs: number;
  /** Clean runs in a row that changed nothing. */
  idle: number;
}

/** No issue has more than its share: counted by what runners did, until somebody looked at it. */
export class Tallies {
  readonly #tallies = new Map<string, Tally>();
  /** Runs that go on after an orderly end are no runs of their own. */
  readonly #excused = new Set<string>();

  noteStart(key: string, runId: string, fail: Fail): void {
    const tally = this.#of(key);
    if (!this.#excused.delete(key)) tally.runs++;
    if (tally.runs > MAX_RUNS) fail(`${runId} is run ${tally.runs} of ${key}`);
    if (tally.idle >= MAX_IDLE_RUNS) fail(`${runId} follows ${tally.idle} idle runs of ${key}`);
  }

  noteResult(key: string, {outcome, failure, evidence}: RunResult): void {
    const tally = this.#of(key);
    // It has not entered its workspace: to wait for that is no run.
    if (failure?.code === 'workspace_busy') tally.runs = Math.max(0, tally.runs - 1);
    if (evidence === null) return;
    const hasChanged = evidence.workspace_changed || evidence.issue_changed || evidence.tools_wrote;
    if (hasChanged) tally.idle = 0;
    else if (outcome === 'succeeded') tally.idle++;
  }

  /** What was under way when a life ended may be counted or not. */
  noteEnd(state: State | null): void {
    for (const [key, claim] of state?.claims ?? []) {
      if (claim.is === 'running' || claim.is === 'stopping') this.#of(key).idle = 0;
      this.#excused.add(key);
    }
  }

  /** Whoever was held and is let go, or is released by an operator, begins anew. */
  look(before: State | null, after: State, commanded: ReadonlySet<string>): void {
    for (const key of commanded) this.#tallies.delete(key);
    for (const [key, claim] of before?.claims ?? []) {
      const now = after.claims.get(key);
      if ((claim.is === 'held' || claim.is === 'dismissed') && now !== claim)
        this.#tallies.delete(key);
      // Released, and perhaps taken again at once: idle runs do not keep it from coming back.
      if (now === undefined || (claim.is === 'stopping' && now.is === 'running')) {
        this.#of(key).idle = 0;
      }
    }
  }

  #of(key: string): Tally {
    const tally = this.#tallies.get(key) ?? {runs: 0, idle: 0};
    this.#tallies.set(key, tally);
    return tally;
  }
}

/** A token limit stops an agent at once. */
export function checkTokens(state: State, fail: Fail): void {
  for (const [key, claim] of state.claims) {
    if (claim.is !== 'running' || claim.run.usage.total_tokens === 0) continue;
    const limit = state.projects.get(claim.project)?.workflow.settings.agent.maxTokens ?? 0;
    const used = state.counters.get(key)?.tokens ?? 0;
    if (limit > 0 && used >= limit) fail(`${key} runs on with ${used} tokens of ${limit}`);
  }
}
