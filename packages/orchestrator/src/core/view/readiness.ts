import {agentsOf} from '../life/agent.ts';
import type {AgentHealth, Project, State} from '../state.ts';

/** Why work cannot be done; the names are part of the HTTP API. */
export const READINESS_CODES = [
  'store_unwritable',
  'shutting_down',
  'tracker_thread_ended',
  'workflow_invalid',
  'disk_full',
  'agent_blocked',
  'no_tick',
] as const;
export type ReadinessCode = (typeof READINESS_CODES)[number];

export interface Hindrance {
  readonly code: ReadinessCode;
  /** null: it concerns all projects. */
  readonly project: string | null;
  readonly message: string;
}

/** With a shorter interval a slow tick would look like a missing one. */
const LEAST_TICK_LIMIT_MS = 10_000;
const INTERVALS = 3;

/** Everything that currently prevents work; empty if nothing does. */
export function hindrancesOf(state: State, at: number): Hindrance[] {
  const found: Hindrance[] = [];
  if (!state.storeIsWritable)
    found.push(general('store_unwritable', 'the store cannot be written'));
  if (state.isShuttingDown) found.push(general('shutting_down', 'the supervisor is shutting down'));
  for (const project of state.projects.values()) found.push(...ofProject(project, at));
  return found;
}

export function general(code: ReadinessCode, message: string): Hindrance {
  return {code, project: null, message};
}

function ofProject(project: Project, at: number): Hindrance[] {
  const found: Hindrance[] = [];
  const add = (code: ReadinessCode, message: string | null) => {
    if (message !== null) found.push({code, project: project.name, message});
  };
  add('workflow_invalid', project.problem);
  add('disk_full', project.shortage);
  for (const agent of agentsOf(project)) add('agent_blocked', agentTrouble(agent));
  add('no_tick', missingTick(project, at));
  return found;
}

/** An agent that failed is not ready while it is checked again. */
function agentTrouble({agent, hostFailures, lastError}: AgentHealth): string | null {
  if (agent.is === 'blocked') return agent.why;
  return agent.is === 'probing' && hostFailures > 0 ? lastError : null;
}

function missingTick({workflow, tickedAt, trackerError}: Project, at: number): string | null {
  const limitMs = Math.max(INTERVALS * workflow.settings.polling.intervalMs, LEAST_TICK_LIMIT_MS);
  const sinceMs = at - tickedAt;
  if (sinceMs <= limitMs) return null;
  const seconds = Math.floor(sinceMs / 1000);
  return `no tick has read the tracker for ${seconds} s${trackerError === null ? '' : `: ${trackerError}`}`;
}
