import type {AgentKind} from './agents/agent-job.ts';
import type {AgentSettings, DispatchRule, Workflow} from './settings.ts';
import {type Issue, stateKey} from './wire/issue.ts';

/** The role that a workflow file describes by itself. */
export const WORKER = 'worker';

/** Who runs an issue. */
export interface RunProfile {
  readonly role: string;
  /** What a run of this role is given: agent, prompt, hooks, limits. */
  readonly workflow: Workflow;
}

/** The first role of the file whose rule fits the issue; else the file itself. */
export function profileOf(workflow: Workflow, issue: Issue): RunProfile {
  const role = workflow.roles?.find(({when}) => when !== null && fits(when, issue));
  return profileNamed(workflow, role?.name ?? WORKER);
}

/** The profile of that name; one that the file does not have is the file itself. */
export function profileNamed(workflow: Workflow, name: string): RunProfile {
  const role = workflow.roles?.find((one) => one.name === name);
  if (role === undefined) return {role: WORKER, workflow};
  const {agent, prompt} = role;
  return {role: name, workflow: {...workflow, prompt, settings: {...workflow.settings, agent}}};
}

/** The agent of that role. */
export function agentNamed({settings, roles}: Workflow, name: string): AgentSettings {
  return roles?.find((one) => one.name === name)?.agent ?? settings.agent;
}

/** One agent of each kind that only roles have: the file's own kind is not among them. */
export function otherAgentsOf({settings, roles}: Workflow): ReadonlyMap<AgentKind, AgentSettings> {
  const own = settings.agent.options.kind;
  const others = (roles ?? []).map(({agent}) => [agent.options.kind, agent] as const);
  return new Map(others.filter(([kind]) => kind !== own));
}

function fits({labels, states, priority, title}: DispatchRule, issue: Issue): boolean {
  const text = issue.title.toLowerCase();
  return (
    (labels === null || labels.some((label) => label !== '' && issue.labels.includes(label))) &&
    (states === null || states.includes(stateKey(issue.state))) &&
    (priority === null || (issue.priority !== null && priority.includes(issue.priority))) &&
    (title === null || title.some((part) => text.includes(part)))
  );
}
