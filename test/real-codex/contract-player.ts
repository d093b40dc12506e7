import type {AgentJobOf} from '@symphony-supervisor/protocol';
import {codex} from '../../packages/runner/src/agent/codex/agent.ts';
import {codexPlayers} from '../../packages/runner/test/agent/contract/declared/codex.ts';
import {
  type Deed,
  hasPermissionRequest,
  type ModelFailure,
  type TurnDeeds,
} from '../../packages/runner/test/agent/contract/deed.ts';
import type {Actor, Player} from '../../packages/runner/test/agent/contract/player.ts';
import {CodexHome} from './binary/codex-home.ts';
import {ResponsesStub} from './stub/responses-stub.ts';
import {cut, failed, hang, httpError, type Step, say, shell, tool} from './stub/stub-step.ts';

type CodexJob = AgentJobOf<'codex'>;

const FREE = {input: 0, cached: 0, output: 0, reasoning: 0};
/** An agent that works has said something by then, on a busy machine, too. */
const SILENCE_MS = 5000;
/** Of the privileged ports, one that nothing here listens on. */
const CLOSED = 'http://127.0.0.1:1/v1';

/** The real Codex, with a stub in the place of its model. */
export const realCodex: Player<CodexJob> = {
  ...{kind: 'codex', agent: codex, ...codexPlayers.real, silenceMs: SILENCE_MS},
  enter: async () => {
    const stub = await ResponsesStub.listen();
    const homes = [await CodexHome.create({baseUrl: stub.baseUrl})];
    const jobIn = async (settings: Parameters<typeof CodexHome.create>[0]): Promise<CodexJob> => {
      const home = await CodexHome.create(settings);
      homes.push(home);
      return jobOf(home.command);
    };
    const [usual] = homes;
    const actor: Actor<CodexJob> = {
      env: {},
      job: async (turns) => {
        if (isUnreachable(turns)) return jobIn({baseUrl: CLOSED});
        for (const deeds of turns) stub.answers(stepsOf(deeds));
        const asks = hasPermissionRequest(turns);
        return {...jobOf(usual?.command ?? ''), approval_policy: asks ? 'untrusted' : 'never'};
      },
      refusing: () => jobIn({baseUrl: stub.baseUrl, toml: 'this is no TOML'}),
      loggedOut: () => jobIn({baseUrl: stub.baseUrl, provider: 'openai'}),
      [Symbol.asyncDispose]: async () => {
        await stub[Symbol.asyncDispose]();
        for (const home of homes) await home[Symbol.asyncDispose]();
      },
    };
    return actor;
  },
};

function jobOf(command: string): CodexJob {
  return {
    ...{kind: 'codex', approval_policy: 'never', thread_sandbox: 'danger-full-access'},
    ...{turn_sandbox_policy: null, model: null, effort: null, access: 'write'},
    ...{turn_timeout_ms: 60_000, read_timeout_ms: 60_000},
    command: `exec env ${command} -c features.default_mode_request_user_input=true`,
  };
}

function isUnreachable(turns: readonly TurnDeeds[]): boolean {
  return turns.flat().some((deed) => deed.is === 'fail' && deed.by === 'connection-refused');
}

/** A model that has called a tool is asked once more. */
function stepsOf(deeds: TurnDeeds): Step[] {
  const steps = deeds.map(stepOf);
  const last = deeds.at(-1)?.is ?? 'run';
  return ['run', 'call', 'ask'].includes(last) ? [...steps, say('done', {usage: FREE})] : steps;
}

function stepOf(deed: Deed): Step {
  switch (deed.is) {
    case 'say':
      return say(deed.text, {usage: {...FREE, input: deed.tokens}});
    case 'run':
      return shell(deed.command, {usage: FREE});
    case 'call':
      return tool(deed.tool, deed.args, {usage: FREE});
    case 'ask':
      return tool('request_user_input', questionOf(deed.question), {usage: FREE});
    case 'fail':
      return failureOf(deed.by, deed.reason);
    case 'hang':
      return hang();
    case 'flood':
      return say('drop '.repeat(deed.messages), {usage: FREE});
    case 'garbage':
    case 'huge':
      throw new Error(`the real Codex cannot be made to send this: ${deed.is}`);
  }
}

function failureOf(by: ModelFailure, message: string): Step {
  switch (by) {
    case 'bad-request-400':
      return httpError(400, 'invalid_request_error', {message});
    case 'unauthorized-401':
      return httpError(401, 'invalid_api_key', {message});
    case 'forbidden-403':
      return httpError(403, 'forbidden', {message});
    case 'rate-limited-429':
      return httpError(429, 'rate_limit_exceeded', {message});
    case 'server-error-500':
      return httpError(500, 'server_error', {message});
    case 'overloaded-529':
      return httpError(529, 'overloaded_error', {message});
    case 'stream-cut':
      return cut();
    case 'context-too-long':
      return failed('context_length_exceeded', message);
    case 'connection-refused':
    case 'refusal':
      throw new Error(`no answer of the model is this: ${by}`);
  }
}

function questionOf(question: string): object {
  const options = [
    {label: 'Red', description: 'Like a rose.'},
    {label: 'Blue', description: 'Like the sky.'},
  ];
  return {questions: [{id: 'colour', header: 'Colour', question, options}]};
}
