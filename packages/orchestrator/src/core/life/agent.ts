import {
  type AgentKind,
  type AgentSettings,
  agentNamed,
  type Failure,
  otherAgentsOf,
  policyOf,
  type Workflow,
} from '@symphony-supervisor/protocol';
import type {Draft} from '../draft.ts';
import type {Event} from '../event.ts';
import {backoffMs} from '../run/backoff.ts';
import type {AgentHealth, AgentState, Project} from '../state.ts';

/** The kind of agent that a role has. */
export function kindOf({workflow}: Pick<Project, 'workflow'>, role: string): AgentKind {
  return agentNamed(workflow, role).options.kind;
}

/** What is not known as another agent is the file's own. */
export function healthOf(project: Project, kind: AgentKind): AgentHealth {
  return project.otherAgents.get(kind) ?? project;
}

function writeHealth(
  draft: Draft,
  {name}: Project,
  kind: AgentKind,
  change: Partial<AgentHealth>,
): Project {
  const {otherAgents} = draft.loaded(name);
  const other = otherAgents.get(kind);
  if (other === undefined) return draft.writeProject(name, change);
  return draft.writeProject(name, {
    otherAgents: new Map([...otherAgents, [kind, {...other, ...change}]]),
  });
}

/** Asks once whether the agents of this project can be started; nothing of theirs is dispatched until that is known. */
export function ensureProbes(draft: Draft, project: Project): void {
  if (project.agent.is === 'unknown') ensureProbe(draft, project, ownKind(project));
  for (const [kind, {agent}] of project.otherAgents) {
    if (agent.is === 'unknown') ensureProbe(draft, project, kind);
  }
}

/** Whether one of its agents has never been asked for. */
export function isUnproved(project: Project): boolean {
  return agentsOf(project).some(({agent}) => agent.is === 'unknown');
}

export function isProbing(project: Project): boolean {
  return agentsOf(project).some(({agent}) => agent.is === 'probing');
}

/** The file's own first. */
export function agentsOf(project: Project): readonly AgentHealth[] {
  return [project, ...project.otherAgents.values()];
}

function ownKind({workflow}: Project): AgentKind {
  return workflow.settings.agent.options.kind;
}

function ensureProbe(draft: Draft, project: Project, kind: AgentKind): void {
  const {name} = project;
  // As it is by now: the same event may have asked already.
  const {agent} = healthOf(draft.loaded(name), kind);
  if (agent.is === 'probing' || draft.state.isShuttingDown) return;
  writeHealth(draft, project, kind, {agent: {is: 'probing', again: false}});
  draft.order({do: 'probe-agent', project: name, agentKind: kind});
}

/** Another agent is named, or the one that was missing may be there: nothing is known of it yet. */
function unproved(agent: AgentState): AgentState {
  return agent.is === 'probing' ? {is: 'probing', again: true} : {is: 'unknown'};
}

const UNKNOWN: AgentHealth = {agent: {is: 'unknown'}, hostFailures: 0, lastError: null};

type Agents = AgentHealth & Pick<Project, 'otherAgents'>;

/** Of a project that is new. */
export function newAgents(workflow: Workflow): Agents {
  const others = [...otherAgentsOf(workflow).keys()];
  return {...UNKNOWN, otherAgents: new Map(others.map((kind) => [kind, UNKNOWN]))};
}

/** After a change of the file. What is blocked is asked again, and so is an agent with another command. */
export function reloadedAgents(project: Project, workflow: Workflow): Agents {
  const others = otherAgentsOf(workflow);
  // What was asked about an agent that nothing uses any more is answered to the file's own.
  const isOfOthers = others.has(ownKind(project));
  const former = isOfOthers ? UNKNOWN : {...healthIn(project), agent: unproved(project.agent)};
  const otherAgents = [...others].map(
    ([kind, settings]) => [kind, stillOf(project, settings) ?? UNKNOWN] as const,
  );
  return {
    ...(stillOf(project, workflow.settings.agent) ?? former),
    otherAgents: new Map(otherAgents),
  };
}

/** What is still known about the agents of that kind; null: there were none. */
function stillOf(project: Project, {command, options}: AgentSettings): AgentHealth | null {
  const {kind} = options;
  const isOwn = kind === ownKind(project);
  const known = isOwn ? project : project.otherAgents.get(kind);
  if (known === undefined) return null;
  const {settings} = project.workflow;
  const former = isOwn ? settings.agent : otherAgentsOf(project.workflow).get(kind);
  const isSame = command === former?.command && known.agent.is !== 'blocked';
  return {...healthIn(known), agent: isSame ? known.agent : unproved(known.agent)};
}

/** Without errors: a good file begins without. */
function healthIn({agent, hostFailures}: AgentHealth): AgentHealth {
  return {agent, hostFailures, lastError: null};
}

export function onAgentProbed(
  draft: Draft,
  project: Project,
  {agentKind: kind = ownKind(project), result}: Extract<Event, {type: 'agent.probed'}>,
): void {
  const {agent} = healthOf(project, kind);
  // Blocked meanwhile: a run has just seen what the check has not.
  if (agent.is !== 'probing') return;
  const isOther = project.otherAgents.has(kind);
  if (agent.again) {
    const asked = isOther ? kind : ownKind(project);
    const now = writeHealth(draft, project, asked, {agent: {is: 'unknown'}});
    return ensureProbe(draft, now, asked);
  }
  // Nothing uses such an agent any more.
  if (!isOther && kind !== ownKind(project)) return;
  const {version, failure} = result;
  if (failure !== null) return block(draft, project, kind, failure);
  writeHealth(draft, project, kind, {agent: {is: 'ready', version}, lastError: null});
  draft.refill();
}

/** A failure of the host stops the dispatch to its agent until a check passes or the limit resets. */
export function onRunJudged(
  draft: Draft,
  project: Project,
  kind: AgentKind,
  failure: Failure | null,
): void {
  if (failure !== null && policyOf(failure.code) === 'host') block(draft, project, kind, failure);
  else if (healthOf(project, kind).hostFailures > 0) {
    writeHealth(draft, project, kind, {hostFailures: 0});
  }
}

/** The check of a blocked agent is due. Other agents are told by their kind. */
export function onProbeDue(draft: Draft, project: Project, other: string | null): void {
  const kind = [...project.otherAgents.keys()].find((one) => one === other);
  // Nothing uses such an agent any more.
  if (other !== null && kind === undefined) return;
  const asked = kind ?? ownKind(project);
  const {agent} = healthOf(project, asked);
  if (agent.is === 'blocked' && agent.until <= draft.at) ensureProbe(draft, project, asked);
}

/** Limits of accounts reset within a week. A later time is invalid, and would block the project forever. */
const LONGEST_RESET_MS = 8 * 24 * 60 * 60_000;

/** null: the agent gave no time, or an invalid one. */
function resetOf({resets_at}: Failure, at: number): number | null {
  const resets = resets_at === undefined ? Number.NaN : Date.parse(resets_at);
  return resets > at && resets <= at + LONGEST_RESET_MS ? resets : null;
}

function block(draft: Draft, project: Project, kind: AgentKind, failure: Failure): void {
  const {name} = project;
  const hostFailures = healthOf(project, kind).hostFailures + 1;
  const {maxRetryBackoffMs} = project.workflow.settings.agent;
  const until = resetOf(failure, draft.at) ?? draft.at + backoffMs(hostFailures, maxRetryBackoffMs);
  const why = `${failure.code}: ${failure.message}`;
  writeHealth(draft, project, kind, {
    agent: {is: 'blocked', why, until},
    hostFailures,
    lastError: why,
  });
  const asked = project.otherAgents.has(kind) ? `${name}/${kind}` : name;
  draft.order(
    {do: 'set-timer', timer: `probe ${asked}`, at: until},
    {do: 'log', level: 'error', event: 'agent.blocked', project: name, reason: why},
  );
}
