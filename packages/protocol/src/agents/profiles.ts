import {acpProfile} from './acp/profile.ts';
import type {AgentKind} from './agent-job.ts';
import {claudeProfile} from './claude/profile.ts';
import {codexProfile} from './codex/profile.ts';
import type {AgentProfile} from './profile.ts';

/** The kinds of agents that a workflow can name. */
export const AGENT_PROFILES: Readonly<Record<AgentKind, AgentProfile>> = {
  codex: codexProfile,
  claude: claudeProfile,
  acp: acpProfile,
};

export const DEFAULT_KIND: AgentKind = 'codex';
