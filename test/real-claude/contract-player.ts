import type {AgentJobOf} from '@symphony-supervisor/protocol';
import {claude} from '../../packages/runner/src/agent/claude/agent.ts';
import {claudePlayers} from '../../packages/runner/test/agent/contract/declared/claude.ts';
import {
  type Deed,
  hasPermissionRequest,
  type ModelFailure,
  type TurnDeeds,
} from '../../packages/runner/test/agent/contract/deed.ts';
import type {Actor, Player} from '../../packages/runner/test/agent/contract/player.ts';
import {
  FREE,
  hang,
  httpError,
  type MessageStep,
  promptTooLong,
  say,
  stopsBy,
  useTool,
} from '../rig/messages-stub/message-step.ts';
import {MessagesStub} from '../rig/messages-stub/messages-stub.ts';
import {aClaude, claudeEnvironment} from './claude-home.ts';

type ClaudeJob = AgentJobOf<'claude'>;

/** An agent that works has said something by then, on a busy machine, too. */
const SILENCE_MS = 5000;
/** Of the privileged ports, one that nothing here listens on. */
const CLOSED = 'http://127.0.0.1:1';
const NO_KEY = 'unset ANTHROPIC_API_KEY;';

/** The real Claude Code, with a stub in the place of its model. */
export const realClaude: Player<ClaudeJob> = {
  ...{kind: 'claude', agent: claude, ...claudePlayers.real, silenceMs: SILENCE_MS},
  enter: async (home) => {
    const stub = await MessagesStub.listen();
    const actor: Actor<ClaudeJob> = {
      env: claudeEnvironment(home, stub.baseUrl),
      job: (turns) => {
        const job = aClaude();
        if (isUnreachable(turns)) {
          return {...job, command: `ANTHROPIC_BASE_URL=${CLOSED} ${job.command}`};
        }
        for (const deeds of turns) stub.answers(stepsOf(deeds));
        return hasPermissionRequest(turns)
          ? {...job, access: 'read', permission_mode: 'manual', on_permission: 'ask'}
          : job;
      },
      refusing: () => aClaude({permission_mode: 'noSuchMode'}),
      loggedOut: () => aClaude({command: `${NO_KEY} ${aClaude().command}`}),
      [Symbol.asyncDispose]: () => stub[Symbol.asyncDispose](),
    };
    return actor;
  },
};

function isUnreachable(turns: readonly TurnDeeds[]): boolean {
  return turns.flat().some((deed) => deed.is === 'fail' && deed.by === 'connection-refused');
}

/** A model that has called a tool is asked once more. */
function stepsOf(deeds: TurnDeeds): MessageStep[] {
  const steps = deeds.map(stepOf);
  const last = deeds.at(-1)?.is ?? 'run';
  return ['run', 'call', 'ask'].includes(last) ? [...steps, say('done', {usage: FREE})] : steps;
}

function stepOf(deed: Deed): MessageStep {
  switch (deed.is) {
    case 'say':
      return say(deed.text, {usage: {...FREE, input: deed.tokens}});
    case 'run':
      return useTool('Bash', {command: deed.command, description: 'Works.'}, {usage: FREE});
    case 'call':
      return useTool(`mcp__symphony__${deed.tool}`, deed.args, {usage: FREE});
    case 'ask':
      return useTool('AskUserQuestion', questionOf(deed.question), {usage: FREE});
    case 'fail':
      return failureOf(deed.by, deed.reason);
    case 'hang':
      return hang();
    case 'flood':
    case 'garbage':
    case 'huge':
      throw new Error(`the real Claude Code cannot be made to send this: ${deed.is}`);
  }
}

const STATUS: Readonly<Partial<Record<ModelFailure, number>>> = {
  'bad-request-400': 400,
  'unauthorized-401': 401,
  'forbidden-403': 403,
  'rate-limited-429': 429,
  'server-error-500': 500,
  'overloaded-529': 529,
};

function failureOf(by: ModelFailure, message: string): MessageStep {
  const status = STATUS[by];
  if (status !== undefined) return httpError(status, {message});
  if (by === 'context-too-long') return promptTooLong();
  if (by === 'refusal') return stopsBy('refusal', '', {usage: FREE});
  throw new Error(`no answer of the model is this: ${by}`);
}

function questionOf(question: string): object {
  const options = [
    {label: 'Red', description: 'Like a rose.'},
    {label: 'Blue', description: 'Like the sky.'},
  ];
  return {questions: [{question, header: 'Colour', multiSelect: false, options}]};
}
