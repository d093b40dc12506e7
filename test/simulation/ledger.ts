import type {AttemptJob, FailureCode, RunOutcome, StopReason} from '@symphony-supervisor/protocol';

interface Statement {
  readonly at: number;
  readonly tokens: number;
}

/** One attempt's runner, and what it told a supervisor that lived to hear it. */
export interface Account {
  readonly runId: string;
  readonly key: string;
  readonly retry: AttemptJob['retry'];
  /** This run's tokens, each time they were told; times are monotonic. */
  readonly told: Statement[];
  /** The conversation that it told of last. */
  threadId: string | null;
  outcome: RunOutcome | null;
  failure: FailureCode | null;
  stopReason: StopReason | null;
  /** Its delivery failed, and a later one succeeded. */
  isDeliveredLate: boolean;
  /** When its supervisor was told that it is gone. */
  endHeardAt: number | null;
  /** Until when all that it told is surely on record, if its supervisor was killed. */
  cutAt: number | null;
}

/** What agents have used, as they told it themselves. */
export class Ledger {
  readonly accounts = new Map<string, Account>();
  /** Runs that history has let go of. */
  readonly letGo = new Set<string>();
  /** Since when the store could not be written; null while it can. */
  unwritableSince: number | null = null;

  open({run_id: runId, retry}: AttemptJob, key: string): void {
    const end = {outcome: null, failure: null, stopReason: null, endHeardAt: null, cutAt: null};
    const known = {runId, key, retry, told: [], threadId: null, isDeliveredLate: false};
    this.accounts.set(runId, {...known, ...end});
  }

  noteDelivered(issueId: string): void {
    const ofIssue = [...this.accounts.values()].filter(({key}) => key.endsWith(`/${issueId}`));
    const last = ofIssue.at(-1);
    if (last?.failure === 'delivery_failed') last.isDeliveredLate = true;
  }

  /** The last of an issue first. */
  lastOf(key: string): Account[] {
    return [...this.accounts.values()].filter((account) => account.key === key).reverse();
  }

  /** A supervisor was killed: of those that it had not heard the end of, something may be missing. */
  cut(at: number): void {
    const since = Math.min(at, this.unwritableSince ?? at);
    for (const account of this.accounts.values()) {
      const isOnRecord = account.endHeardAt !== null && account.endHeardAt < since;
      if (!isOnRecord) account.cutAt ??= since;
    }
  }
}

/** Progress is written at most once a second. */
const PROGRESS_MS = 1_000;

/** How many tokens must be on record: exactly, or, of a run that was cut off, at least and at most. */
export function expectedTokens(
  account: Account,
  timersLateMs: number,
): {least: number; most: number} {
  const most = Math.max(0, ...account.told.map(({tokens}) => tokens));
  if (account.cutAt === null) return {least: most, most};
  const surely = account.cutAt - PROGRESS_MS - timersLateMs;
  const written = account.told.filter(({at}) => at <= surely).map(({tokens}) => tokens);
  return {least: Math.max(0, ...written), most};
}
