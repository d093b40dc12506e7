import {
  type HeldRow,
  type Issue,
  type IssueView,
  measureOfAll,
} from '@symphony-supervisor/protocol';
import {type Claim, type ClaimKey, issueIdOf, projectOf} from '../../core/claim.ts';
import type {ReleaseStatus} from '../../core/effect.ts';
import {candidateOf} from '../../core/run/dismissal.ts';
import type {State} from '../../core/state.ts';
import {
  dismissedRow,
  heldRow,
  retryingRow,
  runningRow,
  stoppingRow,
} from '../../core/view/claim-rows.ts';
import type {RunRecord, Store} from '../../store/index.ts';
import type {RecentEvents} from '../recent-events.ts';
import {actionView} from './action-view.ts';
import {runView} from './run-view.ts';

/** The sources of the view of an issue. */
export interface IssueSources {
  readonly state: State;
  readonly store: Pick<Store, 'runsOf' | 'lifetimeOf' | 'actionsOf'>;
  readonly recent: RecentEvents;
}

const RUNS_SHOWN = 50;
const ACTIONS_SHOWN = 20;

/** Everything known about one issue, from its claim and from history; with the transcripts of its runs. */
export function issueView({state, store, recent}: IssueSources, key: ClaimKey): IssueView {
  const claim = state.claims.get(key);
  const records = store.runsOf(key, RUNS_SHOWN);
  const runs = records.map(runView);
  const lifetime = store.lifetimeOf(key);
  const rows = rowsOf(state, claim);
  const runIds = [...(rows.running === null ? [] : [rows.running]), ...runs].map(
    (run) => run.run_id,
  );
  const issue = issueOf(state, key);
  const identifier = issue?.identifier ?? records[0]?.identifier ?? key;
  const last = records[0]?.results ?? null;
  const actions = store.actionsOf(key, ACTIONS_SHOWN);
  return {
    issue_id: issueIdOf(key),
    issue_identifier: identifier,
    issue_title: issue?.title ?? last?.title ?? null,
    issue_url: issue?.url ?? last?.url ?? null,
    project: projectOf(key),
    status: claim?.is ?? unclaimed(state, key, records[0]),
    state: issue?.state ?? last?.state ?? null,
    workspace: claim?.workspace ?? state.workspaces.get(key)?.at(-1) ?? {host: null, path: null},
    attempts: {
      restart_count: Math.max(0, lifetime.runs + (rows.running === null ? 0 : 1) - 1),
      current_retry_attempt: rows.running?.attempt ?? rows.retry?.attempt ?? null,
    },
    totals: {
      runs: lifetime.runs,
      seconds_running: lifetime.msRunning / 1000,
      tokens: lifetime.usage,
      usage: measureOfAll(lifetime.runs, lifetime.unmeasured, lifetime.partial),
    },
    ...rows,
    recent_events: recent.of(key),
    last_error: lastErrorOf(claim),
    logs: {
      transcripts: runIds.map((run_id) => ({run_id, url: `/api/v1/runs/${run_id}/transcript`})),
    },
    runs,
    actions: actions.map((action) => actionView(action, () => identifier)),
  };
}

/** As it was last read, in its claim or as a candidate of the last tick. */
export function issueOf(state: State, key: ClaimKey): Issue | null {
  return (state.claims.get(key) ?? candidateOf(state, key))?.issue ?? null;
}

/** A candidate of the last tick waits; otherwise the status at its release. */
function unclaimed(state: State, key: ClaimKey, last: RunRecord | undefined): ReleaseStatus {
  return candidateOf(state, key) === null ? (last?.status ?? 'parked') : 'waiting';
}

function rowsOf(state: State, claim: Claim | undefined) {
  return {
    running: claim?.is === 'running' ? runningRow(state, claim) : null,
    stopping: claim?.is === 'stopping' ? stoppingRow(claim) : null,
    retry: claim?.is === 'retrying' ? retryingRow(claim) : null,
    held: heldOf(claim),
  };
}

function heldOf(claim: Claim | undefined): HeldRow | null {
  if (claim?.is === 'held') return heldRow(claim);
  return claim?.is === 'dismissed' ? dismissedRow(claim) : null;
}

function lastErrorOf(claim: Claim | undefined): string | null {
  if (claim?.is === 'held') return claim.because.message;
  if (claim?.is === 'retrying') return claim.lastError;
  return claim?.is === 'running' ? claim.run.lastError : null;
}
