import type {Claim} from '../claim.ts';
import {iso, kindOf} from './claim-rows.ts';

/** Log lines for a changed claim. */
export interface ClaimLine {
  readonly level: 'debug' | 'info' | 'warn';
  readonly event: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** null: not interesting for a person. */
export function claimLine(former: Claim | undefined, claim: Claim): ClaimLine | null {
  switch (claim.is) {
    case 'running':
      if (former?.is !== 'running') return info('claim.reserved', {attempt: claim.run.attempt});
      if (former.run.step !== claim.run.step && claim.run.step === 'live')
        return info('run.started', {attempt: claim.run.attempt, pid: claim.run.process?.pid});
      return {level: 'debug', event: 'claim.changed', fields: {phase: claim.run.phase}};
    case 'stopping': {
      const {outcome, reason, next, step} = claim;
      if (former?.is === 'stopping' && former.step === step && former.next.do === next.do)
        return null;
      const isEnd = outcome !== null && (former?.is !== 'stopping' || former.outcome === null);
      return info(isEnd ? 'run.ended' : 'claim.stopping', {outcome, reason, next: next.do, step});
    }
    case 'retrying': {
      const {attempt, dueAt, waitsFor, lastError} = claim;
      const isSame = former?.is === 'retrying' && former.dueAt === dueAt;
      if (isSame && former.waitsFor === waitsFor) return null;
      return info(isSame ? 'retry.waiting' : 'retry.scheduled', {
        ...{kind: kindOf(claim), attempt, due_at: iso(dueAt), reason: waitsFor ?? lastError},
      });
    }
    case 'held':
      return former?.is === 'held'
        ? null
        : {level: 'warn', event: 'claim.held', fields: {reason: claim.because.code}};
    case 'dismissed':
      return former?.is === 'dismissed' ? null : info('claim.dismissed', {});
  }
}

/** Issue, run and session of a line: the same fields in every line. */
export function aboutClaim(claim: Claim): Readonly<Record<string, string>> {
  const {project, issue} = claim;
  const run = 'run' in claim ? claim.run : null;
  return {
    ...{project, issue_id: issue.id, issue_identifier: issue.identifier},
    role: run?.role ?? claim.authorRole,
    ...(run === null ? {} : {run_id: run.id}),
    ...(run === null || run.sessionId === null ? {} : {session_id: run.sessionId}),
  };
}

/** Its run has ended and is dropped: only its workspaces are left. */
export function isCleaning(claim: Claim): boolean {
  return claim.is === 'stopping' && claim.run === null;
}

function info(event: string, fields: ClaimLine['fields']): ClaimLine {
  return {level: 'info', event, fields};
}
