import type {AgentKind, AgentOptions} from '../agents/agent-job.ts';
import {AGENT_PROFILES} from '../agents/profiles.ts';
import {SHARED_DEFAULTS, type sharedKeys} from '../agents/shared-keys.ts';
import type {AgentSettings} from '../settings.ts';
import {stateKey} from '../wire/issue.ts';
import type {GivenSettings} from './keys/schema.ts';
import type {Findings} from './text/findings.ts';

type Shared = Pick<GivenSettings['agent'], keyof typeof sharedKeys>;

/** From the file's spelling to ours, with the defaults of the kind that the file names. */
export function resolveAgent(
  given: GivenSettings,
  secretNames: readonly string[],
  findings: Findings,
): AgentSettings {
  const {agent} = given;
  checkEnv(agent.env, secretNames, findings);
  const shared = joinSpellings(given, findings);
  const options = AGENT_PROFILES[agent.kind].resolve(given, agent.access, findings);
  return settingsOf(given, agent.kind, shared, options, findings);
}

/** Those settings of a role that say which agent it has. */
type RoleAgent = Pick<
  GivenSettings['roles'][string],
  'agent' | 'model' | 'effort' | 'max_turns' | 'access'
>;

/** The agent of a role. `own` is that of the file, which it has where it says nothing else. */
export function resolveRoleAgent(
  given: GivenSettings,
  role: RoleAgent,
  own: AgentSettings,
  findings: Findings,
): AgentSettings {
  const kind = role.agent ?? given.agent.kind;
  const access = role.access ?? given.agent.access;
  const isOfFile = kind === given.agent.kind;
  const options =
    isOfFile && access === own.access
      ? own.options
      : AGENT_PROFILES[kind].resolve(given, access, findings);
  const agent = isOfFile
    ? own
    : settingsOf(given, kind, ofOtherKind(given, kind), options, findings);
  return {
    ...agent,
    options,
    access,
    model: role.model ?? agent.model,
    effort: role.effort ?? agent.effort,
    maxTurns: role.max_turns ?? agent.maxTurns,
  };
}

function settingsOf(
  given: GivenSettings,
  kind: AgentKind,
  shared: Shared,
  options: AgentOptions,
  findings: Findings,
): AgentSettings {
  const {agent} = given;
  checkTokens(given, kind, findings);
  const defaults = {...SHARED_DEFAULTS, ...AGENT_PROFILES[kind].defaults};
  return {
    command: shared.command ?? commandOf(given, kind, findings),
    model: shared.model,
    effort: shared.effort,
    access: agent.access,
    turnTimeoutMs: shared.turn_timeout_ms ?? defaults.turn_timeout_ms,
    readTimeoutMs: shared.read_timeout_ms ?? defaults.read_timeout_ms,
    stallTimeoutMs: shared.stall_timeout_ms ?? defaults.stall_timeout_ms,
    onInput: shared.on_input ?? defaults.on_input,
    options,
    maxConcurrentAgents: agent.max_concurrent_agents,
    maxConcurrentAgentsByState: Object.fromEntries(
      Object.entries(agent.max_concurrent_agents_by_state).map(([state, most]) => [
        stateKey(state),
        most,
      ]),
    ),
    maxTurns: agent.max_turns,
    maxRetryBackoffMs: agent.max_retry_backoff_ms,
    maxConsecutiveFailures: agent.max_consecutive_failures,
    maxRuns: agent.max_runs,
    maxTokens: agent.max_tokens,
    maxIdleRuns: agent.max_idle_runs,
    maxIdleTurns: agent.max_idle_turns,
    env: agent.env,
    shell: agent.shell,
  };
}

/** Command, model and effort are those of one kind. The section of another kind may have its own. */
function ofOtherKind(given: GivenSettings, kind: AgentKind): Shared {
  // A kind without older spellings has none of these keys.
  const section = given[kind] as Partial<Shared>;
  const {turn_timeout_ms, read_timeout_ms, stall_timeout_ms, on_input} = given.agent;
  return {
    command: section.command ?? null,
    model: section.model ?? null,
    effort: section.effort ?? null,
    turn_timeout_ms: section.turn_timeout_ms ?? turn_timeout_ms,
    read_timeout_ms: section.read_timeout_ms ?? read_timeout_ms,
    stall_timeout_ms: section.stall_timeout_ms ?? stall_timeout_ms,
    on_input: section.on_input ?? on_input,
  };
}

/** If the file names no command: that of the kind, or of the preset in its section. */
function commandOf(given: GivenSettings, kind: AgentKind, findings: Findings): string {
  const {defaults, commandOf: implied} = AGENT_PROFILES[kind];
  const command = implied?.(given) ?? defaults.command;
  if (command !== null) return command;
  const message = `agent.command is missing; an agent of kind ${kind} needs it, or a preset in the section ${kind}`;
  findings.error('missing_setting', ['agent', 'command'], message);
  return '';
}

/** A limit that would never be reached is worse than none. */
function checkTokens({agent}: GivenSettings, kind: AgentKind, findings: Findings): void {
  if (agent.max_tokens === 0 || (AGENT_PROFILES[kind].isMeasured ?? true)) return;
  const key = ['agent', 'max_tokens'];
  const message = `${findings.asGiven(key)}, but how many tokens an agent of kind ${kind} uses is not known; leave it out and limit turns and runs`;
  findings.error('invalid_setting', key, message);
}

function checkEnv(
  names: readonly string[],
  secretNames: readonly string[],
  findings: Findings,
): void {
  for (const [index, name] of names.entries()) {
    if (!secretNames.includes(name)) continue;
    const problem = `agent.env names ${name}, which holds a secret of the tracker`;
    findings.error('invalid_setting', ['agent', 'env', index], `${problem}; remove it`);
  }
}

/** Older files give shared settings in the section of the kind. Both spellings are valid for good. */
function joinSpellings(given: GivenSettings, findings: Findings): Shared {
  const {agent} = given;
  // A kind without older spellings has none of these keys.
  const older: Readonly<Record<string, unknown>> = given[agent.kind];
  const join = <K extends keyof Shared>(key: K): Shared[K] => {
    const [ours, theirs] = [agent[key], older[key] ?? null] as [Shared[K], Shared[K]];
    if (ours !== null && theirs !== null && ours !== theirs) {
      const both = `${findings.asGiven(['agent', key])}, and ${findings.asGiven([agent.kind, key])}`;
      findings.error('invalid_setting', ['agent', key], `${both}; give only one of them`);
    }
    return ours ?? theirs;
  };
  return {
    command: join('command'),
    model: join('model'),
    effort: join('effort'),
    turn_timeout_ms: join('turn_timeout_ms'),
    read_timeout_ms: join('read_timeout_ms'),
    stall_timeout_ms: join('stall_timeout_ms'),
    on_input: join('on_input'),
  };
}
