import type {AgentJobOf} from '@symphony-supervisor/protocol';
import type {Agent} from '../agent.ts';
import {probeAcp} from './probe.ts';
import {AcpSession} from './session.ts';

export const acp: Agent<AgentJobOf<'acp'>> = {
  // Any program can be behind the protocol; `agent.env` names what it needs.
  environmentPrefixes: [],
  litter: [],
  // Of two agents that were measured one tells the last request of a turn, the other leaves some out.
  isMeasured: () => false,
  open: (job, options) => new AcpSession(job, options),
  probe: probeAcp,
};
