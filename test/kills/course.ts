import assert from 'node:assert/strict';
import type {JournalLine} from '@symphony-supervisor/scripts/journal';
import type {RunRow} from '../rig/fixtures/store-file.ts';
import {threadsOpened} from '../rig/witnessed-agent.ts';

/** One run as history has it, and as its agent saw it. */
interface Run {
  readonly row: RunRow;
  readonly how: 'thread/start' | 'thread/resume' | null;
  /** As the agent was told; undefined if none came to live. */
  readonly attempt: number | null | undefined;
  /** null if it had no turn. */
  readonly threadId: string | null;
  /** A tool call was answered, so the supervisor had heard of the thread by then. */
  readonly isWitnessed: boolean;
}

/** Attempt and thread from run to run, by the rules that follow a run. Returns how many threads it judged. */
export function assertCourse(rows: readonly RunRow[], journal: readonly JournalLine[]): number {
  // A run whose tools died with the tracker thread was put back: it was no attempt.
  const begun = rows.filter(({outcome}) => outcome !== 'interrupted');
  const runs = begun.map((row) => seenBy(row, journal));
  let failures = 0;
  let attempt: number | null = null;
  let judged = 0;
  for (const [index, run] of runs.entries()) {
    const where = `run ${index + 1} of ${run.row.key}`;
    assert.equal(run.row.attempt, attempt, `attempt of ${where}`);
    if (run.attempt !== undefined) assert.equal(run.attempt, attempt, `as seen by ${where}`);
    const expected = threadAfter(runs.slice(0, index));
    if (run.how !== null && expected !== undefined) {
      judged++;
      const told = run.how === 'thread/resume' ? run.threadId : null;
      assert.equal(told, expected, `thread of ${where}`);
    }
    failures = run.row.outcome === 'succeeded' ? 0 : failures + 1;
    attempt = run.row.outcome === 'succeeded' ? 1 : failures;
  }
  return judged;
}

/** What the next run goes on with; null: a new thread; undefined: a kill came between, who knows. */
function threadAfter(runs: readonly Run[]): string | null | undefined {
  const last = runs.at(-1);
  if (last === undefined) return null;
  if (!last.isWitnessed) return undefined;
  if (last.row.outcome === 'succeeded') return last.threadId;
  const before = runs.at(-2);
  const isFirst = last.how === 'thread/start';
  if (isFirst) return last.threadId;
  if (before?.row.outcome === 'succeeded') return last.threadId;
  // The second failure in a row on one thread gives it up.
  return before?.threadId === last.threadId ? null : undefined;
}

function seenBy(row: RunRow, journal: readonly JournalLine[]): Run {
  const lines = journal.filter(({run}) => run === row.run_id);
  const [opened] = threadsOpened(lines);
  const turn = lines.find((line) => line.report === 'turn');
  return {
    row,
    how: opened?.how ?? null,
    attempt: opened?.attempt,
    threadId: turn?.report === 'turn' ? turn.threadId : (opened?.threadId ?? null),
    isWitnessed: lines.some(
      (line) => line.report === 'received' && line.message.method === undefined,
    ),
  };
}
