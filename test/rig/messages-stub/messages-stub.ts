import type {ServerResponse} from 'node:http';
import {listenOnLoopback, ModelStub, type RawRequest} from '../model-stub/model-stub.ts';
import {answerBy, errorBody, sendJson} from './message-answer.ts';
import {FREE, type MessageStep, outlastsRetries, say} from './message-step.ts';
import {type MessagesRequest, messagesRequest} from './messages-request.ts';

/**
 * The Anthropic Messages API, streamed and whole, as Claude Code and other agents use it. The API knows
 * no turns, so a turn is known by the prompts that have led to it.
 *
 * `requests` holds those of conversations; calls beside them are in `sideCalls` and get a plain answer.
 */
export class MessagesStub extends ModelStub<MessagesRequest, MessageStep> {
  readonly sideCalls: MessagesRequest[] = [];
  /** What calls beside the conversation get. They are free, so that a test can multiply the rest. */
  sideAnswer: MessageStep = say('A title', {usage: FREE});

  static async listen({port: wanted = 0}: {readonly port?: number} = {}): Promise<MessagesStub> {
    const {server, port} = await listenOnLoopback(wanted);
    return new MessagesStub(server, port, {
      turnOf: ({sessionId, prompts}) => JSON.stringify([sessionId, prompts]),
      // Two conversations may begin with the same words.
      isFirst: ({toolResults}) => toolResults.length === 0,
      outlastsRetries,
    });
  }

  /** For `ANTHROPIC_BASE_URL`; clients that want the version in it add `/v1`. */
  get baseUrl(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  protected async answer(raw: RawRequest, response: ServerResponse): Promise<void> {
    const {method, url} = raw;
    if (method === 'HEAD') return void response.writeHead(200).end(); // is anything there?
    if (method !== 'POST') throw new Error(`no such route: ${method} ${url.pathname}`);
    if (url.pathname === '/v1/messages/count_tokens') {
      return sendJson(response, 200, {input_tokens: Math.ceil(raw.body.length / 4)});
    }
    if (url.pathname !== '/v1/messages') throw new Error(`no such route: POST ${url.pathname}`);
    const request = messagesRequest(raw);
    if (request.isSideCall) {
      this.sideCalls.push(request);
      return answerBy(this.sideAnswer, request, response);
    }
    const step = await this.nextStep(request, JSON.stringify(request.prompt));
    await answerBy(step, request, response);
  }

  /** By a status that agents do not try again after. */
  protected refusal(message: string): {status: number; body: object} {
    return {status: 400, body: errorBody('invalid_request_error', message)};
  }
}
