import {
  type Issue,
  NO_USAGE,
  profileNamed,
  profileOf,
  type RunProfile,
} from '@symphony-supervisor/protocol';
import {
  type Claim,
  claimKey,
  commonOf,
  LOCAL_HOST,
  newCommon,
  type Retrying,
  type Run,
} from '../claim.ts';
import type {Draft} from '../draft.ts';
import {ensureProbes, isUnproved} from '../life/agent.ts';
import {isOver} from '../life/once.ts';
import type {Project} from '../state.ts';
import {blockOf, roleBlockOf, waitReasonOf} from './dispatch-block.ts';
import {unfitness} from './eligibility.ts';
import {Slots} from './slots.ts';

/**
 * Fills the free slots: due retries before new issues, the project with the smallest used share of its
 * limit first. Each chosen issue is reserved and read again; the result of that read decides.
 */
export function fillSlots(draft: Draft): void {
  const slots = new Slots(draft.claims, draft.state.maxAgents, draft.at);
  const queues = [...draft.state.projects.values()]
    .filter(({name}) => !isOver(draft.state, name))
    .filter((project) => mayDispatch(draft, project))
    .map((project) => ({
      project,
      next: startable(draft, project, slots),
      fresh: new Set<string>(),
    }));
  for (;;) {
    queues.sort((a, b) => slots.share(a.project) - slots.share(b.project));
    const taken = queues.some(({project, next, fresh}) => {
      const found = next.next();
      if (found.done) return false;
      slots.take(project.name, found.value.issue.state);
      reserve(draft, project, found.value);
      if (found.value.retry === null) fresh.add(found.value.issue.id);
      return true;
    });
    if (!taken) break;
  }
  for (const {project, fresh} of queues) forgetCandidates(draft, project, fresh);
  noteWaiting(draft, slots);
}

function mayDispatch(draft: Draft, project: Project): boolean {
  const block = blockOf(draft.state, project, draft.at);
  if (isUnproved(project) && hasWork(draft, project)) ensureProbes(draft, project);
  return block === null;
}

function hasWork(draft: Draft, project: Project): boolean {
  if (project.candidates.length > 0) return true;
  for (const claim of draft.claims.values()) {
    if (claim.project === project.name && waitsForAgent(claim)) return true;
  }
  return false;
}

interface Startable {
  readonly issue: Issue;
  readonly retry: Retrying | null;
}

/** One pass is enough: an issue that finds no slot in it finds none later. */
function* startable(draft: Draft, project: Project, slots: Slots): Generator<Startable, undefined> {
  for (const retry of dueRetries(draft, project.name)) {
    if (!hasAgent(draft, project, retry.issue, retry.authorRole)) continue;
    if (slots.lacking(project, retry.issue.state) === null) yield {issue: retry.issue, retry};
  }
  const {tracker} = project.workflow.settings;
  for (const issue of project.candidates) {
    if (slots.full(project) !== null) return;
    if (draft.claims.has(claimKey(project.name, issue.id))) continue;
    if (unfitness(issue, tracker) !== null) continue;
    if (slots.lacking(project, issue.state) !== null) continue;
    if (hasAgent(draft, project, issue)) yield {issue, retry: null};
  }
}

/** An agent that is missing keeps only the roles that need it from starting. `claimed`: by that role. */
function hasAgent(
  {state, at}: Draft,
  project: Project,
  issue: Issue,
  claimed: string | null = null,
): boolean {
  if (project.otherAgents.size === 0) return true;
  const role = claimed ?? profileOf(project.workflow, issue).role;
  return roleBlockOf(state, project, role, at) === null;
}

/** A delivery takes no slot, and is started by itself. */
function waitsForAgent(claim: Claim): claim is Retrying {
  return claim.is === 'retrying' && claim.undelivered === null;
}

function dueRetries(draft: Draft, project: string): Retrying[] {
  const due: Retrying[] = [];
  for (const claim of draft.claims.values()) {
    if (waitsForAgent(claim) && claim.project === project && claim.dueAt <= draft.at)
      due.push(claim);
  }
  return due.sort((a, b) => a.dueAt - b.dueAt);
}

/** A due retry that cannot start records the reason, and keeps its attempt number. */
function noteWaiting(draft: Draft, slots: Slots): void {
  for (const [key, claim] of draft.claims) {
    if (!waitsForAgent(claim) || claim.dueAt > draft.at) continue;
    const project = draft.project(claim.project);
    if (project === null) continue;
    const waiting = {issue: claim.issue, role: claim.authorRole};
    const why = waitReasonOf(draft.state, project, waiting, slots, draft.at);
    if (why !== null && why !== claim.waitsFor) draft.put(key, {...claim, waitsFor: why});
  }
}

function reserve(draft: Draft, project: Project, {issue, retry}: Startable): void {
  const key = claimKey(project.name, issue.id);
  const {workflow} = project;
  const profile =
    retry === null ? profileOf(workflow, issue) : profileNamed(workflow, retry.authorRole);
  const {role} = profile;
  const run = newRun(draft.nextRunId(), profile, draft.at, retry);
  const {name, scope, candidatesAskedAt} = project;
  const common =
    retry === null ? newCommon(name, scope, issue, candidatesAskedAt, role) : commonOf(retry);
  draft.put(key, {is: 'running', ...common, run});
  if (role !== common.authorRole) {
    const reason = `the workflow file has no role ${common.authorRole}; ${role} goes on`;
    draft.order({do: 'log', level: 'warn', event: 'role.missing', key, reason});
  }
  if (retry !== null) draft.order({do: 'clear-timer', timer: `retry ${key}`});
  draft.order({do: 'read-issue', key, runId: run.id, issue});
}

/** Until the next fetch: an issue that was taken, and perhaps refused, must not be taken again from an old list. */
export function forgetCandidates(
  draft: Draft,
  {name, candidates}: Project,
  taken: ReadonlySet<string>,
): void {
  if (taken.size === 0) return;
  draft.writeProject(name, {candidates: candidates.filter(({id}) => !taken.has(id))});
}

function newRun(id: string, profile: RunProfile, at: number, retry: Retrying | null): Run {
  const {options, model} = profile.workflow.settings.agent;
  return {
    id,
    host: retry?.workspace?.host ?? LOCAL_HOST,
    role: profile.role,
    agent: options.kind,
    model,
    attempt: retry?.attempt ?? null,
    retry: retry === null || retry.kind === 'resume' ? null : retry.kind,
    lastError: retry?.lastError ?? null,
    counts: retry?.counts ?? true,
    startedAt: at,
    phase: 'dispatching',
    step: 'reading',
    process: null,
    agentPid: null,
    sessionId: null,
    turn: 0,
    isMeasured: true,
    usage: NO_USAGE,
    lastHeardAt: null,
    signsOfLife: 0,
    heartbeatAt: at,
    lastEvent: null,
    lastMessage: null,
    lastEventAt: null,
    callsUnderWay: 0,
    movedTo: null,
    conflicts: 0,
    result: null,
  };
}
