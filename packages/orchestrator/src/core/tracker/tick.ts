import {inOrder} from '../dispatch/eligibility.ts';
import type {Draft} from '../draft.ts';
import type {Event, TrackerAnswer} from '../event.ts';
import {ensureProbes} from '../life/agent.ts';
import {isOver} from '../life/once.ts';
import type {Project} from '../state.ts';
import {noteMalformed} from './malformed.ts';
import {reconcile} from './reconcile.ts';
import {noteFirstRead} from './refusal.ts';

/** Minimum pause between the end of a tick and a requested one; longer after failed ticks. */
const SMALLEST_DISTANCE_MS = 1_000;

/**
 * A tick is requested before the next poll. Simultaneous requests cause one tick, and a request during a
 * tick causes one more. However many there are, the tracker is polled at most once a second.
 */
export function onTickAsked(draft: Draft, project: Project): void {
  if (project.poll.is !== 'waiting') {
    draft.writeProject(project.name, {poll: {...project.poll, again: true}});
  } else if (draft.at >= project.askedTickAt) onPollDue(draft, project);
  else if (project.askedTickAt < project.poll.nextAt)
    waitUntil(draft, project, project.askedTickAt);
}

/** Step 1: read all claimed issues. */
export function onPollDue(draft: Draft, project: Project): void {
  if (draft.state.isShuttingDown || isOver(draft.state, project.name)) return;
  if (project.poll.is !== 'waiting') return;
  readFormerScopes(draft, project);
  const {name, scope} = project;
  const ids = claimedIds(draft, name, scope);
  if (ids.length === 0) {
    return readCandidates(draft, draft.loaded(name), {again: false, hasFailed: false});
  }
  draft.writeProject(name, {poll: {is: 'reading-claimed', again: false}});
  draft.order({do: 'read-claimed', project: name, scope, ids});
}

/** Claims stay with their tracker; a tracker without claims is closed. */
function readFormerScopes(draft: Draft, {name, formerScopes}: Project): void {
  const kept = formerScopes.filter((scope) => {
    const ids = claimedIds(draft, name, scope);
    if (ids.length > 0) draft.order({do: 'read-claimed', project: name, scope, ids});
    else draft.order({do: 'close-tracker', project: name, scope});
    return ids.length > 0;
  });
  if (kept.length < formerScopes.length) draft.writeProject(name, {formerScopes: kept});
}

function claimedIds(draft: Draft, project: string, scope: number): string[] {
  return [...draft.claims.values()]
    .filter((claim) => claim.project === project && claim.scope === scope)
    .map((claim) => claim.issue.id);
}

/** Steps 1 to 3. A failed read stops nothing: it is repeated with the next tick. */
export function onClaimedRead(
  draft: Draft,
  project: Project,
  {scope, ids, askedAt, answer}: Extract<Event, {type: 'claimed.read'}>,
): void {
  // During a shutdown the rest of a tick is skipped.
  if (draft.state.isShuttingDown) return;
  if (answer.ok) {
    reconcile(draft, {project: project.name, scope, ids, askedAt, found: answer.value});
  }
  if (scope !== project.scope) return draft.refill();
  if (project.poll.is !== 'reading-claimed') return;
  noteAnswer(draft, project.name, answer);
  draft.refill();
  const {again} = project.poll;
  const current = draft.loaded(project.name);
  const hasFailed = !answer.ok;
  if (mayFetch(draft, current)) return readCandidates(draft, current, {again, hasFailed});
  if (!hasFailed) forgetError(draft, project.name);
  endTick(draft, current, {again, hasFailed});
}

/** Step 4: fetch, sort, dispatch. */
export function onCandidatesRead(
  draft: Draft,
  project: Project,
  {scope, askedAt, answer, budget = project.budget}: Extract<Event, {type: 'candidates.read'}>,
): void {
  if (project.poll.is !== 'reading-candidates' || scope !== project.scope) return;
  if (draft.state.isShuttingDown) return;
  draft.writeProject(project.name, {budget});
  if (answer.ok) {
    const candidates = inOrder(answer.value);
    draft.writeProject(project.name, {candidates, candidatesAskedAt: askedAt});
    noteMalformed(draft, project, answer.malformed ?? null);
  }
  noteAnswer(draft, project.name, answer);
  if (answer.ok && !project.poll.hasFailed) forgetError(draft, project.name);
  draft.refill();
  // Lists and reads by id may have separate limits: as long as claims can be read, they are.
  const mayReconcile = !project.poll.hasFailed && claimedIds(draft, project.name, scope).length > 0;
  const hasFailed = project.poll.hasFailed || !answer.ok;
  endTick(draft, draft.loaded(project.name), {again: project.poll.again, hasFailed, mayReconcile});
}

function readCandidates(
  draft: Draft,
  project: Project,
  soFar: {readonly again: boolean; readonly hasFailed: boolean},
): void {
  if (!mayFetch(draft, project)) return endTick(draft, project, soFar);
  draft.writeProject(project.name, {poll: {is: 'reading-candidates', ...soFar}});
  draft.order({do: 'read-candidates', project: project.name, scope: project.scope});
}

/** With an invalid workflow, or while paused, there is nothing to fetch for. */
function mayFetch(draft: Draft, project: Project): boolean {
  ensureProbes(draft, project);
  if (isPutOff(project, draft.at) || draft.state.isShuttingDown) return false;
  return project.problem === null && !project.isPaused;
}

function isPutOff({notBefore}: Project, at: number): boolean {
  return notBefore !== null && notBefore > at;
}

interface TickEnd {
  readonly again: boolean;
  readonly hasFailed: boolean;
  readonly mayReconcile?: boolean;
}

function endTick(draft: Draft, project: Project, end: TickEnd): void {
  const {intervalMs} = project.workflow.settings.polling;
  const failedTicks = end.hasFailed ? project.failedTicks + 1 : 0;
  const askedTickAt = draft.at + distanceMs(failedTicks, intervalMs);
  const notBefore = end.mayReconcile === true ? 0 : (project.notBefore ?? 0);
  const pollAt = Math.max(draft.at + intervalMs, notBefore);
  // A tick that the tracker asked to postpone has read nothing.
  const hasRead = !end.hasFailed && !isPutOff(project, draft.at);
  const tickedAt = hasRead ? draft.at : project.tickedAt;
  const ended = draft.writeProject(project.name, {failedTicks, askedTickAt, tickedAt});
  waitUntil(draft, ended, end.again ? Math.min(askedTickAt, pollAt) : pollAt);
}

/** Doubles with every failed tick: many requests do not increase the load on an unreachable tracker. */
function distanceMs(failedTicks: number, intervalMs: number): number {
  const longest = Math.max(SMALLEST_DISTANCE_MS, intervalMs);
  return Math.min(SMALLEST_DISTANCE_MS * 2 ** failedTicks, longest);
}

function waitUntil(draft: Draft, {name}: Project, nextAt: number): void {
  draft.writeProject(name, {poll: {is: 'waiting', nextAt}});
  draft.order({do: 'set-timer', timer: `poll ${name}`, at: nextAt});
}

/** Every read of this tick was answered. */
function forgetError(draft: Draft, project: string): void {
  draft.writeProject(project, {trackerError: null});
}

function noteAnswer(draft: Draft, project: string, answer: TrackerAnswer<unknown>): void {
  noteFirstRead(draft, project, answer);
  if (answer.ok) draft.writeProject(project, {notBefore: null});
  else {
    draft.writeProject(project, {trackerError: answer.message, notBefore: answer.notBefore});
    const reason = answer.message;
    draft.order({do: 'log', level: 'warn', event: 'tracker.failed', project, reason});
  }
}
