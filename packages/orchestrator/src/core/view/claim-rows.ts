import {
  type HeldRow,
  type KeptRow,
  measureOf,
  type RetryingRow,
  type RunningRow,
  type StoppingRow,
} from '@symphony-supervisor/protocol';
import type {Claim, Dismissed, Held, Run} from '../claim.ts';
import type {Kept} from '../life/kept.ts';
import {stallLimitOf} from '../run/stall.ts';
import {loadedProject, type State} from '../state.ts';

// Each kind of claim as shown outside.

export function runningRow(state: State, claim: Extract<Claim, {is: 'running'}>): RunningRow {
  const {run} = claim;
  return {
    ...issueRef(claim),
    phase: run.phase,
    session_id: run.sessionId,
    run_id: run.id,
    host: run.host,
    role: run.role,
    agent: run.agent ?? claim.thread?.agent ?? null,
    model: run.model ?? null,
    attempt: run.attempt,
    turn_count: run.turn,
    last_event: run.lastEvent,
    last_message: run.lastMessage,
    started_at: iso(run.startedAt),
    last_event_at: run.lastEventAt === null ? null : iso(run.lastEventAt),
    stalls_at: stallsAt(state, claim.project, run),
    workspace_path: claim.workspace?.path ?? null,
    tokens: run.usage,
    usage: measureOf(run.isMeasured),
  };
}

function stallsAt(state: State, project: string, run: Run): string | null {
  const limit = stallLimitOf(loadedProject(state, project), run);
  return limit === null || run.lastHeardAt === null ? null : iso(run.lastHeardAt + limit);
}

export function stoppingRow(claim: Extract<Claim, {is: 'stopping'}>): StoppingRow {
  const {run, reason, step, next, workspace} = claim;
  return {
    ...issueRef(claim),
    ...{run_id: run?.id ?? null, host: run?.host ?? workspace?.host ?? null},
    role: run?.role ?? claim.authorRole,
    ...{reason, step, next: next.do, workspace_path: workspace?.path ?? null},
  };
}

export function retryingRow(claim: Extract<Claim, {is: 'retrying'}>): RetryingRow {
  const {attempt, dueAt, waitsFor, lastError: failed} = claim;
  const kind = kindOf(claim);
  const role = claim.authorRole;
  return {...issueRef(claim), role, attempt, due_at: iso(dueAt), error: waitsFor ?? failed, kind};
}

export function kindOf(claim: Extract<Claim, {is: 'retrying'}>): RetryingRow['kind'] {
  return claim.undelivered === null ? claim.kind : 'delivery';
}

export function heldRow(claim: Held): HeldRow {
  const {because, question, since} = claim;
  return {
    ...{...issueRef(claim), role: claim.authorRole},
    ...{reason: because.code, message: because.message, question, since: iso(since)},
  };
}

/** Like a held issue: a reason and since when. */
export function dismissedRow(claim: Dismissed): HeldRow {
  const message = 'dismissed by an operator; a change in the tracker or a retry ends it';
  return {
    ...{...issueRef(claim), role: claim.authorRole},
    ...{reason: 'dismissed', message, question: null, since: iso(claim.since)},
  };
}

export function keptRow(project: string, kept: Kept): KeptRow {
  const {issue, host, path, reason, since} = kept;
  return {
    ...issueRef({issue, project}),
    ...{host, workspace_path: path, reason, since: iso(since)},
  };
}

export function issueRef({issue, project}: Pick<Claim, 'issue' | 'project'>) {
  return {
    issue_id: issue.id,
    issue_identifier: issue.identifier,
    issue_title: issue.title,
    issue_url: issue.url,
    project,
    state: issue.state,
  };
}

export function iso(at: number): string {
  return new Date(at).toISOString();
}
