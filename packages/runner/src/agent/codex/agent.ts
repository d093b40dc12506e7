import type {AgentJobOf} from '@symphony-supervisor/protocol';
import type {Agent} from '../agent.ts';
import {probeCodex} from './probe.ts';
import {CodexSession} from './session.ts';

export const codex: Agent<AgentJobOf<'codex'>> = {
  environmentPrefixes: ['CODEX_', 'OPENAI_'],
  // Its sandbox makes them, and leaves them there when it is stopped.
  litter: ['.agents', '.aws', '.codex', '.git'],
  isMeasured: () => true,
  open: (job, options) => new CodexSession(job, options),
  probe: probeCodex,
};
