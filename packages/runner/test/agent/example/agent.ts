import type {AgentBasics} from '@symphony-supervisor/protocol';
import type {Agent, ProbeAnswer, ProbeOptions} from '../../../src/agent/agent.ts';
import {TeletypeLine} from './line.ts';
import {TeletypeSession} from './session.ts';

export interface TeletypeJob extends AgentBasics {
  readonly kind: 'teletype';
}

export const teletype: Agent<TeletypeJob> = {
  environmentPrefixes: ['TELETYPE_'],
  litter: [],
  isMeasured: () => true,
  open: (job, options) => new TeletypeSession(job, options),
  probe: probeTeletype,
};

async function probeTeletype(job: TeletypeJob, options: ProbeOptions): Promise<ProbeAnswer> {
  const line = new TeletypeLine(job, options, {onMessage: () => {}, onMalformed: () => {}});
  try {
    const version = await options.stop.orStopped(line.greet());
    return {version, logged_in: null, howToLogIn: ''};
  } finally {
    await line.process.end();
  }
}
