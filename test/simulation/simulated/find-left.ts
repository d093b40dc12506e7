import {isTerminal, isWorkable} from '@symphony-supervisor/protocol';
import {readStore} from '../checks/check-record.ts';
import {type Account, expectedTokens} from '../ledger.ts';
import {TIMERS_LATE_MS} from '../surroundings/clock.ts';
import type {World} from '../world.ts';
import {findTooOld} from './retention.ts';

type Fail = (problem: string) => void;

/** What keeps it from being true that nothing is left to do, and nothing was lost or unexplained. */
export function findLeft(world: World): string[] {
  const problems: string[] = [];
  const fail: Fail = (problem) => void problems.push(problem);
  const supervisor = world.life?.supervisor;
  if (supervisor == null) return ['there is no supervisor in the end'];
  for (const {job} of world.processes.values()) fail(`${job.run_id} runs on in the end`);
  for (const [key, claim] of supervisor.state.claims) {
    // An operator has retried it, and it keeps what was said for when its blocker is over.
    const isBlocked = claim.is === 'retrying' && claim.waitsFor?.startsWith('blocked by ');
    if (!isBlocked) fail(`${key} is ${claim.is} in the end`);
  }
  for (const [name, {workflow}] of supervisor.state.projects) {
    const {tracker} = workflow.settings;
    for (const issue of world.issues.of(name)) {
      const isBlocked = issue.blocked_by.some(
        ({state}) => state === null || !isTerminal(state, tracker),
      );
      if (isWorkable(issue, tracker) && !isBlocked)
        fail(`${issue.id} was never worked on: ${issue.state}`);
    }
  }
  for (const [path, {issueId}] of world.disk) {
    const issue = world.issues.find(issueId);
    const tracker = [...supervisor.state.projects.values()][0]?.workflow.settings.tracker;
    if (issue === null || tracker === undefined) continue;
    if (isTerminal(issue.state, tracker)) fail(`${path} is still there, and its issue is over`);
  }
  checkHistory(world, fail);
  return [...problems, ...findTooOld(world)];
}

function checkHistory(world: World, fail: Fail): void {
  const {supervisor, dir} = world.life ?? {};
  if (supervisor == null || dir === undefined) return;
  const rows = new Map(supervisor.api.recentRuns(1_000_000).map((row) => [row.run_id, row]));
  const sum = 'SELECT coalesce(sum(total_tokens), 0) AS total FROM pruned_runs';
  let {total} = readStore(dir, (db) => db.prepare(sum).get()) as {total: number};
  for (const {tokens} of rows.values()) total += tokens.total_tokens;
  const shown = supervisor.api.snapshot.codex_totals.total_tokens;
  if (shown !== total) fail(`${shown} tokens are shown, ${total} are on record`);
  for (const account of world.ledger.accounts.values()) {
    const row = rows.get(account.runId);
    if (row !== undefined) checkRun(account, row.outcome, row.tokens.total_tokens, fail);
    else if (!world.ledger.letGo.has(account.runId)) fail(`${account.runId} is not in history`);
  }
}

/** A run in history, beside what its runner told. */
export function checkRun(
  account: Account,
  outcome: string | null,
  found: number,
  fail: Fail,
): void {
  const {least, most} = expectedTokens(account, TIMERS_LATE_MS);
  if (found < least || found > most) {
    fail(`${account.runId} told ${least} to ${most} tokens, ${found} are on record`);
  }
  if (account.cutAt !== null) return;
  const wanted = account.stopReason ?? account.outcome ?? 'failed';
  // A clean run that changed nothing is on record as that; the tally of idle runs knows which.
  const isClean = wanted === 'succeeded' && outcome === 'no_change';
  // Delivered late it succeeded after all, unless its supervisor did not live to hear that.
  const isDelivered = account.isDeliveredLate && outcome === 'succeeded';
  if (outcome !== wanted && !isClean && !isDelivered)
    fail(`${account.runId} was ${wanted} and is on record as ${outcome}`);
}
