import type {Workflow} from '@symphony-supervisor/protocol';
import type {Draft} from './draft.ts';
import {isMendedByReload, letGo} from './hold.ts';
import {armStallClock} from './stall.ts';
import type {Project} from './state.ts';
import {onPollDue} from './tick.ts';

/** A workflow file was read and is good: for the first time, or after a change. */
export function onProjectLoaded(draft: Draft, workflow: Workflow): void {
  const {name} = workflow.settings;
  const known = draft.project(name);
  if (known === null) {
    const isPaused = draft.state.pausedBefore.includes(name);
    draft.addProject({...newProject(workflow, draft.at), isPaused});
    const added = draft.project(name);
    if (added !== null) onPollDue(draft, added);
  } else reload(draft, known, workflow);
}

/** The last good version stays in force; dispatch waits, reconciliation goes on. */
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
  const isOtherAgent = workflow.settings.codex.command !== project.workflow.settings.codex.command;
  draft.writeProject(project.name, {
    workflow,
    problem: null,
    lastError: null,
    // Another agent, or one that was missing: it is asked again before the next dispatch.
    ...(isOtherAgent || project.agent.is === 'blocked' ? {agent: {is: 'unknown'}} : {}),
  });
  for (const [key, claim] of [...draft.claims]) {
    if (claim.project !== project.name) continue;
    if (claim.is === 'held' && isMendedByReload(claim)) letGo(draft, key);
    if (claim.is === 'running') armStallClock(draft, key);
  }
  draft.order({do: 'log', level: 'info', event: 'workflow.reloaded', project: project.name});
  const current = draft.project(project.name);
  // At once, so that new states, labels, limits and the new interval hold from now on.
  if (current !== null) onPollDue(draft, current);
}

function newProject(workflow: Workflow, at: number): Project {
  return {
    name: workflow.settings.name,
    workflow,
    problem: null,
    isPaused: false,
    poll: {is: 'waiting', nextAt: at},
    candidates: [],
    notBefore: null,
    budget: null,
    agent: {is: 'unknown'},
    hostFailures: 0,
    lastError: null,
  };
}
