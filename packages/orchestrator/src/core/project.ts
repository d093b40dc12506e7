import type {Workflow} from '@symphony-supervisor/protocol';
import {standingOf} from './dispatch/eligibility.ts';
import type {Draft} from './draft.ts';
import {newAgents, reloadedAgents} from './life/agent.ts';
import {isMendedByReload, releaseHold} from './run/hold.ts';
import {armStallClock} from './run/stall.ts';
import type {Project} from './state.ts';
import {onSweepDue} from './tracker/sweep.ts';
import {onTickAsked} from './tracker/tick.ts';

/** A valid workflow file was read: for the first time, or after a change. */
export function onProjectLoaded(draft: Draft, workflow: Workflow): void {
  const {name} = workflow.settings;
  const known = draft.project(name);
  if (known === null) {
    const isPaused = draft.state.pausedBefore.includes(name);
    const added = draft.addProject({...newProject(workflow, draft.at), isPaused});
    draft.order({do: 'open-tracker', project: name, scope: 0});
    onSweepDue(draft, added);
    onTickAsked(draft, draft.loaded(name));
  } else reload(draft, known, workflow);
}

/** The last valid version stays in force; dispatch waits, reconciliation continues. */
export function onProjectBroken(draft: Draft, project: Project, problem: string): void {
  if (project.problem === problem) return; // once per change
  draft.writeProject(project.name, {problem, lastError: problem});
  const {name} = project;
  draft.order({
    do: 'log',
    level: 'error',
    event: 'workflow.broken',
    project: name,
    reason: problem,
  });
}

function reload(draft: Draft, project: Project, workflow: Workflow): void {
  const {scope} = draft.writeProject(project.name, {
    workflow,
    problem: null,
    trackerError: null,
    ...(isOtherScope(project.workflow, workflow) ? nextScope(project, draft.at) : {}),
    // Another agent, or one that was missing: it is asked again before the next dispatch.
    ...reloadedAgents(project, workflow),
  });
  draft.order({do: 'open-tracker', project: project.name, scope});
  for (const [key, claim] of [...draft.claims]) {
    if (claim.project !== project.name) continue;
    if (claim.is === 'held' && isMendedByReload(claim)) {
      releaseHold(draft, key, claim, standingOf(claim.issue, workflow.settings.tracker));
    }
    if (claim.is === 'running') armStallClock(draft, key);
  }
  const about = {do: 'log', project: project.name} as const;
  draft.order({...about, level: 'info', event: 'workflow.reloaded'});
  if (!isSameServer(project.workflow, workflow)) {
    const reason = 'server.* changed: that needs a restart';
    draft.order({...about, level: 'warn', event: 'server.unchanged', reason});
  }
  // Immediately, so that new states, labels, limits and the new interval apply from now on.
  onTickAsked(draft, draft.loaded(project.name));
}

/** Whether the file now names another tracker, or another scope of it; a new key does not count. */
function isOtherScope(before: Workflow, after: Workflow): boolean {
  const scopeOf = ({settings: {tracker}}: Workflow) =>
    JSON.stringify([tracker.kind, tracker.provider]);
  return scopeOf(before) !== scopeOf(after);
}

/** Claims stay with their tracker; a current tick there ends, and a new one begins here. */
function nextScope({scope, formerScopes}: Project, at: number): Partial<Project> {
  return {
    scope: scope + 1,
    formerScopes: [...formerScopes, scope],
    candidates: [],
    malformed: null,
    notBefore: null,
    budget: null,
    poll: {is: 'waiting', nextAt: at},
    askedTickAt: at,
    failedTicks: 0,
  };
}

function newProject(workflow: Workflow, at: number): Project {
  return {
    name: workflow.settings.name,
    workflow,
    problem: null,
    isPaused: false,
    scope: 0,
    formerScopes: [],
    isSweeping: false,
    shortage: null,
    poll: {is: 'waiting', nextAt: at},
    askedTickAt: at,
    failedTicks: 0,
    tickedAt: at,
    candidates: [],
    candidatesAskedAt: 0,
    notBefore: null,
    budget: null,
    ...newAgents(workflow),
    trackerError: null,
    malformed: null,
    firstRead: null,
  };
}

function isSameServer(before: Workflow, after: Workflow): boolean {
  return JSON.stringify(before.settings.server) === JSON.stringify(after.settings.server);
}
