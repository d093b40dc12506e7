import type {AgentJobOf} from '@symphony-supervisor/protocol';
import {acp} from '../../packages/runner/src/agent/acp/agent.ts';
import {acpPlayers} from '../../packages/runner/test/agent/contract/declared/acp.ts';
import {
  type Deed,
  hasPermissionRequest,
  type ModelFailure,
  type TurnDeeds,
} from '../../packages/runner/test/agent/contract/deed.ts';
import type {Player} from '../../packages/runner/test/agent/contract/player.ts';
import {
  FREE,
  hang,
  httpError,
  type MessageStep,
  say,
  stopsBy,
  useTool,
} from '../rig/messages-stub/message-step.ts';
import {MessagesStub} from '../rig/messages-stub/messages-stub.ts';
import {opencodeCommand} from './opencode-home.ts';

type AcpJob = AgentJobOf<'acp'>;

/** On a busy machine it takes that long from a prompt to its first word. */
const SILENCE_MS = 15_000;

/** The real opencode, with a stub in the place of its model. */
export const realOpencode: Player<AcpJob> = {
  ...{kind: 'acp', agent: acp, ...acpPlayers.opencode, silenceMs: SILENCE_MS},
  enter: async (home) => {
    const stub = await MessagesStub.listen();
    const command = await opencodeCommand(home, stub.baseUrl);
    const job = (turns: readonly TurnDeeds[]): AcpJob => {
      for (const deeds of turns) stub.answers(stepsOf(deeds));
      return {...jobOf(command), permissions: hasPermissionRequest(turns) ? 'ask' : 'allow'};
    };
    return {
      ...{env: {}, job, refusing: () => job([]), loggedOut: () => job([])},
      [Symbol.asyncDispose]: () => stub[Symbol.asyncDispose](),
    };
  },
};

export function jobOf(command: string): AcpJob {
  return {
    ...{kind: 'acp', preset: 'opencode', mode: null, permissions: 'allow', command},
    ...{trust_repository: false, start_timeout_ms: 120_000},
    ...{model: null, effort: null, access: 'write'},
    ...{turn_timeout_ms: 120_000, read_timeout_ms: 5_000},
  };
}

/** A model that has called a tool is asked once more. */
function stepsOf(deeds: TurnDeeds): MessageStep[] {
  const steps = deeds.map(stepOf);
  const last = deeds.at(-1)?.is ?? 'run';
  return ['run', 'call'].includes(last) ? [...steps, say('done', {usage: FREE})] : steps;
}

function stepOf(deed: Deed): MessageStep {
  switch (deed.is) {
    case 'say':
      return say(deed.text, {usage: {...FREE, input: deed.tokens}});
    case 'run':
      return useTool('bash', {command: deed.command, description: 'A step.'}, {usage: FREE});
    case 'call':
      return useTool(`symphony_${deed.tool}`, deed.args, {usage: FREE});
    case 'fail':
      return failureOf(deed.by, deed.reason);
    case 'hang':
      return hang();
    default:
      throw new Error(`opencode cannot be made to do this: ${deed.is}`);
  }
}

function failureOf(by: ModelFailure, message: string): MessageStep {
  switch (by) {
    case 'bad-request-400':
      return httpError(400, {message});
    case 'unauthorized-401':
      return httpError(401, {message});
    case 'forbidden-403':
      return httpError(403, {message});
    case 'refusal':
      return stopsBy('refusal', message);
    default:
      throw new Error(`opencode takes too long over this: ${by}`);
  }
}
