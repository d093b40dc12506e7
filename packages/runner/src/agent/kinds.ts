import type {AgentJob, AgentJobOf, AgentKind} from '@symphony-supervisor/protocol';
import type {Agent} from './agent.ts';
import {codex} from './codex/agent.ts';
import {rehearsedCodex} from './codex/rehearsal.ts';

/** The kinds of agents that this runner can work with. */
const AGENTS: {readonly [Kind in AgentKind]: Agent<AgentJobOf<Kind>>} = {codex};

/** For the rehearsal before a snapshot: the kind that most runs use. */
export const REHEARSED_AGENT: AgentJob = rehearsedCodex;

export function agentOf<Kind extends AgentKind>({
  kind,
}: {
  readonly kind: Kind;
}): Agent<AgentJobOf<Kind>> {
  return AGENTS[kind];
}
