import {type Fields, fieldsOf, isFields} from '../json.ts';
import type {Options} from '../options.ts';
import type {Script} from '../script/script.ts';
import type {Step} from '../script/step.ts';
import type {ClaudeHost} from './claude-host.ts';
import {ClaudeTurn, VERSION} from './claude-turn.ts';
import {listTools, mcp} from './mcp.ts';
import {performAll, performInTurn} from './repertoire.ts';

/** Takes the client's lines in their order: messages, requests, and answers to requests of ours. */
export class ClaudeServer {
  readonly #host: ClaudeHost;
  readonly #options: Options;
  readonly #script: Script;
  #plan: Step[] = [];
  #turns = 0;

  constructor(host: ClaudeHost, options: Options, script: Script) {
    this.#host = host;
    this.#options = options;
    this.#script = script;
  }

  /** A conversation that is not there, or is there already, ends the process before it has said a word. */
  refusesToStart(): string | null {
    const {flags, store} = this.#host;
    const {resume, sessionId} = flags;
    if (resume !== null && (this.#options['refuse-resume'] || !store.has(resume))) {
      return `No conversation found with session ID: ${resume}`;
    }
    return sessionId !== null && store.has(sessionId)
      ? `Error: Session ID ${sessionId} is already in use.`
      : null;
  }

  receive(line: string): void {
    const message = parsed(line);
    if (message === null) {
      process.stderr.write(`scripted-agent: not a message: ${line.slice(0, 200)}\n`);
      return;
    }
    this.#host.report({report: 'received', message});
    if (this.#options.silent) return;
    if (message.type === 'control_response') this.#host.settle(message);
    else if (message.type === 'control_request') void this.#answer(message);
    else if (message.type === 'user') this.#hear(message);
  }

  async #answer({request_id, request}: Fields): Promise<void> {
    const {subtype, sdkMcpServers} = fieldsOf(request);
    const answer = (response: Fields) =>
      this.#host.output.line({type: 'control_response', response: {request_id, ...response}});
    if (subtype === 'initialize') {
      if (this.#options['fail-initialize'])
        return answer({subtype: 'error', error: 'scripted to fail'});
      await this.#connect(Array.isArray(sdkMcpServers) ? sdkMcpServers.map(String) : []);
      return answer({subtype: 'success', response: this.#hello()});
    }
    if (subtype === 'interrupt') {
      answer({subtype: 'success', response: {still_queued: []}});
      const {turn} = this.#host;
      for (const shell of this.#host.shells) shell.kill();
      turn?.end('interrupted');
      return;
    }
    answer({subtype: 'error', error: `Unsupported control request subtype: ${subtype}`});
  }

  #hello(): Fields {
    const key = this.#options['not-logged-in'] ? {} : {apiKeySource: 'ANTHROPIC_API_KEY'};
    const account = {tokenSource: 'none', ...key, apiProvider: 'firstParty'};
    return {commands: [], models: [], account, pid: process.pid, claude_code_version: VERSION};
  }

  async #connect(servers: readonly string[]): Promise<void> {
    this.#host.servers = servers;
    for (const name of servers) {
      await mcp(this.#host, name, 'initialize', {protocolVersion: '2025-11-25', capabilities: {}});
    }
  }

  #hear(message: Fields): void {
    const host = this.#host;
    const input = textOf(message);
    if (host.turn !== null) {
      void this.#steer(host.turn, input);
      return;
    }
    const turn = new ClaudeTurn(host, typeof message.uuid === 'string' ? message.uuid : null);
    host.turn = turn;
    void this.#play(turn, input);
  }

  /** A turn from its first message to its result. */
  async #play(turn: ClaudeTurn, input: string): Promise<void> {
    const host = this.#host;
    const gate = this.#options['started-gate'];
    if (gate !== undefined) await host.gate(gate).passed;
    if (this.#turns === 0) await listTools(host);
    turn.begin();
    host.turns.set(turn.id, {perform: (step) => performInTurn(step, turn, host)});
    host.report({report: 'turn', turnId: turn.id, threadId: host.sessionId, input});
    try {
      this.#plan = [...(await this.#script.stepsOf(this.#turns++, input))];
      await performAll(this.#plan, turn, host);
      turn.end('completed');
    } catch (error) {
      blame(turn, error);
    } finally {
      host.turns.delete(turn.id);
      host.report({report: 'turn-over', turnId: turn.id, status: turn.status});
    }
  }

  async #steer(turn: ClaudeTurn, input: string): Promise<void> {
    const steps = await this.#script.stepsAfterSteering(input);
    if (steps !== null) this.#plan.splice(0, Number.POSITIVE_INFINITY, ...steps);
    if (!turn.isOver) turn.steer();
  }
}

/** A step that the end of its turn cut short is no fault; any other error is the script's, and shown. */
function blame(turn: ClaudeTurn, error: unknown): void {
  if (turn.isOver) return;
  const text = `script: ${error instanceof Error ? error.message : String(error)}`;
  turn.end('failed', {error: 'unknown', status: null, terminal: 'api_error', text});
}

function textOf(message: Fields): string {
  const {content} = fieldsOf(message.message);
  if (typeof content === 'string') return content;
  const blocks = Array.isArray(content) ? content.map(fieldsOf) : [];
  return blocks.map(({text}) => (typeof text === 'string' ? text : '')).join('\n');
}

function parsed(line: string): Fields | null {
  try {
    const message: unknown = JSON.parse(line);
    return isFields(message) ? message : null;
  } catch {
    return null;
  }
}
