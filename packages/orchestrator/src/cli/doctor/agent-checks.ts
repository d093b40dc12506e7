import type {AgentKind, AgentOptions, AgentSettings} from '@symphony-supervisor/protocol';
import {acpChecks} from './acp.ts';
import type {Check} from './check.ts';
import {claudeChecks} from './claude.ts';
import {codexChecks} from './codex.ts';

/** What an agent starts with; null: our own, by a login shell if the workflow says so. */
export type Environment = Readonly<Record<string, string>> | null;

/** The settings of an agent of one kind. */
export interface AgentOf<Kind extends AgentKind> extends AgentSettings {
  readonly options: Extract<AgentOptions, {kind: Kind}>;
}

/** What doctor knows of one kind of agent. */
export interface AgentChecks<Kind extends AgentKind = AgentKind> {
  /** What to do, by failure code. */
  readonly remedies: Readonly<Record<string, string>>;
  /** Which protection is in force, without starting anything. */
  protection(agent: AgentOf<Kind>): Check;
  /** Whether its own sandbox works on this machine. Asked only of an agent that answers. */
  trySandbox(agent: AgentOf<Kind>, environment: Environment): Promise<Check>;
}

const CHECKS: {readonly [Kind in AgentKind]: AgentChecks<Kind>} = {
  codex: codexChecks,
  claude: claudeChecks,
  acp: acpChecks,
};

export function checksOf<Kind extends AgentKind>(agent: AgentOf<Kind>): AgentChecks<Kind> {
  return CHECKS[agent.options.kind];
}
