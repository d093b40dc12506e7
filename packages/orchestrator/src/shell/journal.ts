import type {Claim, ClaimKey} from '../core/claim.ts';
import type {Decision} from '../core/draft.ts';
import type {Effect} from '../core/effect.ts';
import type {Event} from '../core/event.ts';
import type {State} from '../core/state.ts';
import type {Log} from './log.ts';
import type {RecentEvents} from './recent-events.ts';

/** What an agent says is written down at most this often for each run. */
const PROGRESS_MS = 1000;

interface Fields {
  readonly reason?: unknown;
  readonly [name: string]: unknown;
}

/**
 * One line for each event that changed a claim, and whatever the core wants told besides. Lines about an
 * issue always say which, and are kept for whoever looks at it.
 */
export class Journal {
  readonly #log: Log;
  readonly #recent: RecentEvents;
  readonly #progressAt = new Map<ClaimKey, number>();

  constructor(log: Log, recent: RecentEvents) {
    this.#log = log;
    this.#recent = recent;
  }

  note(before: State, event: Event, {state: after, effects, touched}: Decision): void {
    if (isProgress(event)) this.#noteProgress(after, event);
    else for (const key of touched.claims) this.#noteClaim(key, before, after, event);
    for (const effect of effects) if (effect.do === 'log') this.#tell(before, after, event, effect);
  }

  #noteProgress(after: State, event: Extract<Event, {type: 'runner.reported'}>): void {
    const {key, at} = event;
    const claim = after.claims.get(key);
    if (claim === undefined || at - (this.#progressAt.get(key) ?? 0) < PROGRESS_MS) return;
    this.#progressAt.set(key, at);
    const {event: name, message} =
      event.report.type === 'agent' ? event.report.progress : {event: null, message: null};
    const fields = {event: name ?? 'agent.progress', ...aboutClaim(claim), reason: message};
    this.#log('debug', fields, 'runner.reported');
    if (name !== null) this.#recent.add(key, {at: iso(at), event: name, message});
  }

  #noteClaim(key: ClaimKey, before: State, after: State, event: Event): void {
    const former = before.claims.get(key);
    const claim = after.claims.get(key);
    // A kept workspace is looked at again every hour: what comes of it is logged, the look is not.
    const isLook = [former, claim].every((one) => one === undefined || isCleaning(one));
    if (isLook && before.kept.has(key)) return;
    if (claim !== undefined) this.#noteChanged(key, former, claim, event);
    else if (former !== undefined) this.#noteReleased(key, former, event);
  }

  #noteChanged(key: ClaimKey, former: Claim | undefined, claim: Claim, event: Event): void {
    const told = telling(former, claim);
    if (told === null) return;
    const fields = {event: told.message, cause: event.type, ...aboutClaim(claim), ...told.fields};
    this.#log(told.level, fields, told.message);
    const message = told.fields.reason;
    if (told.level === 'debug') return;
    const text = typeof message === 'string' ? message : null;
    this.#recent.add(key, {at: iso(event.at), event: told.message, message: text});
  }

  #noteReleased(key: ClaimKey, claim: Claim, event: Event): void {
    this.#progressAt.delete(key);
    const fields = {event: 'claim.released', cause: event.type, ...aboutClaim(claim)};
    this.#log('info', fields, 'claim.released');
    this.#recent.add(key, {at: iso(event.at), event: 'claim.released', message: null});
  }

  #tell(before: State, after: State, event: Event, order: Extract<Effect, {do: 'log'}>): void {
    const {level, event: name, key, reason = null, project} = order;
    const claim = key === undefined ? undefined : (after.claims.get(key) ?? before.claims.get(key));
    const about =
      claim === undefined ? {...(project === undefined ? {} : {project})} : aboutClaim(claim);
    this.#log(level, {event: name, ...about, reason}, name);
    if (key !== undefined) this.#recent.add(key, {at: iso(event.at), event: name, message: reason});
  }
}

interface Told {
  readonly level: 'debug' | 'info' | 'warn';
  readonly message: string;
  readonly fields: Fields;
}

/** null: nothing that anybody would look for. */
function telling(former: Claim | undefined, claim: Claim): Told | null {
  switch (claim.is) {
    case 'running':
      if (former?.is !== 'running') return info('claim.reserved', {attempt: claim.run.attempt});
      if (former.run.step !== claim.run.step && claim.run.step === 'live')
        return info('run.started', {attempt: claim.run.attempt, pid: claim.run.process?.pid});
      return {level: 'debug', message: 'claim.changed', fields: {phase: claim.run.phase}};
    case 'stopping': {
      const {outcome, reason, next, step} = claim;
      if (former?.is === 'stopping' && former.step === step && former.next.do === next.do)
        return null;
      const ended = outcome !== null && (former?.is !== 'stopping' || former.outcome === null);
      return info(ended ? 'run.ended' : 'claim.stopping', {outcome, reason, next: next.do, step});
    }
    case 'retrying': {
      const {kind, attempt, dueAt, waitsFor, lastError} = claim;
      const isSame = former?.is === 'retrying' && former.dueAt === dueAt;
      if (isSame && former.waitsFor === waitsFor) return null;
      return info(isSame ? 'retry.waiting' : 'retry.scheduled', {
        ...{kind, attempt, due_at: iso(dueAt), reason: waitsFor ?? lastError},
      });
    }
    case 'held':
      return former?.is === 'held'
        ? null
        : {level: 'warn', message: 'claim.held', fields: {reason: claim.because.code}};
  }
}

function isCleaning(claim: Claim): boolean {
  return claim.is === 'stopping' && claim.run === null;
}

function info(message: string, fields: Fields): Told {
  return {level: 'info', message, fields};
}

function aboutClaim(claim: Claim): Fields {
  const {project, issue} = claim;
  const run = 'run' in claim ? claim.run : null;
  return {
    ...{project, issue_id: issue.id, issue_identifier: issue.identifier},
    ...(run === null ? {} : {run_id: run.id}),
    ...(run?.sessionId == null ? {} : {session_id: run.sessionId}),
  };
}

function isProgress(event: Event): event is Extract<Event, {type: 'runner.reported'}> {
  return (
    event.type === 'runner.reported' && ['agent', 'heartbeat', 'hello'].includes(event.report.type)
  );
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
