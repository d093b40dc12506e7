import type {AgentJob, AgentJobOf, AgentKind} from '@symphony-supervisor/protocol';
import type {Agent} from './agent.ts';
import {codex} from './codex/agent.ts';
import {rehearsedCodex} from './codex/rehearsal.ts';

/**
 * The kinds of agents that this runner can work with. Codex is part of the snapshot that runners start from; the code of
 * any other kind is evaluated only in a run that needs it.
 */
const AGENTS: {readonly [Kind in AgentKind]: () => Promise<Agent<AgentJobOf<Kind>>>} = {
  codex: async () => codex,
  claude: async () => (await import('./claude/agent.ts')).claude,
  acp: async () => (await import('./acp/agent.ts')).acp,
};

/** For the rehearsal before a snapshot: the kind that most runs use. */
export const REHEARSED_AGENT: AgentJob = rehearsedCodex;

export function agentOf<Kind extends AgentKind>({
  kind,
}: {
  readonly kind: Kind;
}): Promise<Agent<AgentJobOf<Kind>>> {
  return AGENTS[kind]();
}
