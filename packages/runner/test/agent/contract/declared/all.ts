import type {AgentKind} from '@symphony-supervisor/protocol';
import type {Declaration} from '../player.ts';
import {acpPlayers} from './acp.ts';
import {claudePlayers} from './claude.ts';
import {codexPlayers} from './codex.ts';

/** What plays each kind of agent, and what it cannot. A new kind does not compile until it is here. */
export const DECLARED: {
  readonly [Kind in AgentKind]: Readonly<Record<string, Declaration>>;
} = {
  codex: codexPlayers,
  claude: claudePlayers,
  acp: acpPlayers,
};
