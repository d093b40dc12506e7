import {type Failure, type ProbeResult, policyOf} from '@symphony-supervisor/protocol';
import type {Draft} from '../draft.ts';
import {backoffMs} from '../run/backoff.ts';
import type {AgentState, Project} from '../state.ts';

/** Asks once whether agents can be started here; nothing is dispatched until that is known. */
export function ensureProbe(draft: Draft, {name}: Project): void {
  // As it is by now: the same event may have asked already.
  if (draft.loaded(name).agent.is === 'probing' || draft.state.isShuttingDown) return;
  draft.writeProject(name, {agent: {is: 'probing', again: false}});
  draft.order({do: 'probe-agent', project: name});
}

/** Another agent is named, or the one that was missing may be there: nothing is known of it yet. */
export function unproved(agent: AgentState): AgentState {
  return agent.is === 'probing' ? {is: 'probing', again: true} : {is: 'unknown'};
}

export function onAgentProbed(draft: Draft, project: Project, result: ProbeResult): void {
  // Blocked meanwhile: a run has just seen what the check has not.
  if (project.agent.is !== 'probing') return;
  if (project.agent.again) {
    return ensureProbe(draft, draft.writeProject(project.name, {agent: {is: 'unknown'}}));
  }
  if (result.failure === null) {
    const {version} = result;
    draft.writeProject(project.name, {agent: {is: 'ready', version}, lastError: null});
    draft.refill();
  } else block(draft, project, result.failure);
}

/** A failure of the host stops the project's dispatch until a check passes or the limit resets. */
export function onRunJudged(draft: Draft, project: Project, failure: Failure | null): void {
  if (failure !== null && policyOf(failure.code) === 'host') block(draft, project, failure);
  else if (project.hostFailures > 0) draft.writeProject(project.name, {hostFailures: 0});
}

export function onProbeDue(draft: Draft, project: Project): void {
  if (project.agent.is === 'blocked' && project.agent.until <= draft.at)
    ensureProbe(draft, project);
}

/** Limits of accounts reset within a week. A later time is nonsense, and would block the project for ever. */
const LONGEST_RESET_MS = 8 * 24 * 60 * 60_000;

/** null: the agent did not say, or not what can be true. */
function resetOf({resets_at}: Failure, at: number): number | null {
  const resets = resets_at === undefined ? Number.NaN : Date.parse(resets_at);
  return resets > at && resets <= at + LONGEST_RESET_MS ? resets : null;
}

function block(draft: Draft, project: Project, failure: Failure): void {
  const hostFailures = project.hostFailures + 1;
  const {maxRetryBackoffMs} = project.workflow.settings.agent;
  const until = resetOf(failure, draft.at) ?? draft.at + backoffMs(hostFailures, maxRetryBackoffMs);
  const why = `${failure.code}: ${failure.message}`;
  draft.writeProject(project.name, {
    agent: {is: 'blocked', why, until},
    hostFailures,
    lastError: why,
  });
  draft.order(
    {do: 'set-timer', timer: `probe ${project.name}`, at: until},
    {do: 'log', level: 'error', event: 'agent.blocked', project: project.name, reason: why},
  );
}
