import {type AgentJobOf, RunFailure} from '@symphony-supervisor/protocol';
import {type Loose, loose, text} from '@symphony-supervisor/protocol/transcript';
import type {ProcessOptions} from '../../agent.ts';
import {type ControlHandlers, ControlledProcess, RefusedControl} from './control.ts';
import {refusalOf} from './refusal.ts';

/** Said by its command line, which knows no failure results. */
const WRONG_COMMAND_LINE =
  /error: (unknown option|option '.*' argument|unknown command)|cannot be used with root/;

/** What it answers to the handshake. */
export interface Hello {
  readonly version: string | null;
  /** null: it did not say. */
  readonly isLoggedIn: boolean | null;
}

/** A process of Claude Code from its start to the end of the handshake, and beyond. */
export class Startup {
  readonly control: ControlledProcess;
  readonly #limitMs: number;
  #failed: Loose | null = null;
  #isOpen = false;

  constructor(
    job: AgentJobOf<'claude'>,
    command: string,
    options: ProcessOptions,
    on: ControlHandlers,
  ) {
    this.#limitMs = job.read_timeout_ms;
    this.control = new ControlledProcess(command, options, {
      ...on,
      onMessage: (message) => {
        // Before the handshake a result can only say why there will be none.
        if (!this.#isOpen && message.type === 'result') this.#failed = message;
        else on.onMessage(message);
      },
    });
  }

  /** The handshake; it asks nothing of the model. */
  async greet(servers: readonly string[]): Promise<Hello> {
    try {
      const request = {subtype: 'initialize', sdkMcpServers: servers};
      const answer = await this.control.request(request, this.#limitMs);
      this.#isOpen = true;
      return {
        version: text(answer.claude_code_version) || null,
        isLoggedIn: loginOf(loose(answer.account)),
      };
    } catch (error) {
      throw this.#failureOf(error);
    }
  }

  #failureOf(error: unknown): RunFailure {
    if (error instanceof RefusedControl) {
      return new RunFailure('agent_incompatible', `the agent refused to start: ${error.message}`);
    }
    if (!(error instanceof RunFailure)) throw error;
    if (error.failure.code !== 'port_exit') return error;
    if (this.#failed !== null) return refusalOf(this.#failed);
    if (WRONG_COMMAND_LINE.test(error.message)) {
      const message = `this version of the agent does not know our flags, or agent.command is wrong: ${error.message}`;
      return new RunFailure('agent_incompatible', message);
    }
    return error;
  }
}

/** `{tokenSource: "none"}` and no key: not logged in. */
function loginOf(account: Loose): boolean | null {
  const {tokenSource, apiKeySource, apiProvider} = account;
  if (tokenSource === undefined && apiKeySource === undefined) {
    return text(apiProvider) === '' ? null : true;
  }
  const has = (source: unknown): boolean => text(source) !== '' && source !== 'none';
  const isElsewhere = text(apiProvider) !== '' && apiProvider !== 'firstParty';
  return has(tokenSource) || has(apiKeySource) || isElsewhere;
}
