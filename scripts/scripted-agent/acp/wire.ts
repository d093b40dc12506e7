import {type Fields, fieldsOf} from '../json.ts';
import {type Answer, type Refusal, Wire} from '../server/wire.ts';
import {type Asked, askedOf} from './asked.ts';
import type {McpClient} from './mcp-client.ts';
import {updateOf} from './updates.ts';

const INTERNAL_ERROR = -32603;
const AUTHENTICATION_REQUIRED = -32000;

/**
 * The same scripted server, heard in the words of the Agent Client Protocol: what it says and asks in those of Codex is
 * translated on its way out, and answers on their way in. So every step of a script means the same in both.
 */
export class AcpWire extends Wire {
  /** The tool servers of each session. */
  readonly tools = new Map<unknown, readonly McpClient[]>();
  readonly #asked = new Map<unknown, (answer: Answer) => void>();
  readonly #prompts = new Map<unknown, unknown>();
  readonly #items = new Map<unknown, Fields>();
  #nextId = 0;

  /** The prompt of a session is answered when its turn has ended. */
  promptBegins(sessionId: unknown, id: unknown): void {
    this.#prompts.set(sessionId, id);
  }

  override notify(method: string, params: object): void {
    const fields = fieldsOf(params);
    const {threadId: sessionId, ...others} = fields;
    if (method === 'item/started') this.#items.set(fieldsOf(fields.item).id, fieldsOf(fields.item));
    if (method === 'turn/completed') return this.#answerPrompt(sessionId, fieldsOf(fields.turn));
    // A notification of this protocol, which a script sends by itself.
    if (/^(session\/|_)/.test(method)) return this.#send({method, params: {sessionId, ...others}});
    const update = updateOf(method, fields);
    if (update !== null) this.#send({method: 'session/update', params: {sessionId, update}});
  }

  override respond(id: unknown, result: object): void {
    this.#send({id, result});
  }

  override refuse(id: unknown, {code, message, data}: Refusal): void {
    this.#send({id, error: {code, message, data}});
  }

  override request(method: string, params: object): {id: number; answer: Promise<Answer>} {
    const fields = fieldsOf(params);
    const id = this.#nextId++;
    if (method === 'item/tool/call') return {id, answer: this.#callTool(fields)};
    const asked = askedOf(method, fields, this.#items);
    return {id, answer: this.#ask(id, asked)};
  }

  override settle(message: Fields): void {
    const resolve = this.#asked.get(message.id);
    this.#asked.delete(message.id);
    resolve?.(
      'error' in message ? {error: fieldsOf(message.error)} : {result: fieldsOf(message.result)},
    );
  }

  async #ask(id: number, {method, params, read}: Asked): Promise<Answer> {
    const answer = new Promise<Answer>((resolve) => this.#asked.set(id, resolve));
    this.#send({method, id, params});
    const given = await answer;
    return 'error' in given ? given : {result: read(given.result)};
  }

  async #callTool({threadId, tool, arguments: args}: Fields): Promise<Answer> {
    for (const client of this.tools.get(threadId) ?? []) {
      const result = await client.call(String(tool), args);
      const texts = Array.isArray(result.content) ? result.content.map(fieldsOf) : [];
      const contentItems = texts.map(({text}) => ({type: 'inputText', text}));
      return {result: {contentItems, success: result.isError !== true}};
    }
    return {error: {message: 'there is no tool server'}};
  }

  #answerPrompt(sessionId: unknown, turn: Fields): void {
    const id = this.#prompts.get(sessionId);
    if (id === undefined) return;
    this.#prompts.delete(sessionId);
    if (turn.status !== 'failed') {
      return this.respond(id, {
        stopReason: turn.status === 'completed' ? 'end_turn' : 'cancelled',
      });
    }
    const {message, codexErrorInfo: info, additionalDetails: details} = fieldsOf(turn.error);
    const {stopReason} = fieldsOf(info);
    if (typeof stopReason === 'string') return this.respond(id, {stopReason});
    const code = info === 'unauthorized' ? AUTHENTICATION_REQUIRED : INTERNAL_ERROR;
    const data = details === null ? undefined : {details};
    this.#send({id, error: {code, message: `Internal error: ${message}`, data}});
  }

  #send(message: object): void {
    this.line({jsonrpc: '2.0', ...message});
  }
}
