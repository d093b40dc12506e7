import type {AgentJobOf} from '@symphony-supervisor/protocol';
import type {Agent} from '../agent.ts';
import {probeClaude} from './probe.ts';
import {ClaudeSession} from './session.ts';
import {SANDBOX_LITTER} from './start/sandbox-litter.ts';

export const claude: Agent<AgentJobOf<'claude'>> = {
  environmentPrefixes: ['ANTHROPIC_', 'CLAUDE_'],
  litter: SANDBOX_LITTER,
  isMeasured: () => true,
  open: (job, options) => new ClaudeSession(job, options),
  probe: probeClaude,
};
