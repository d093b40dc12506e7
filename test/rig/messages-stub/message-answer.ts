import type {ServerResponse} from 'node:http';
import {setTimeout as sleep} from 'node:timers/promises';
import type {Block, MessageStep, MessageUsage} from './message-step.ts';
import type {MessagesRequest} from './messages-request.ts';

type WholeMessage = Extract<MessageStep, {is: 'message'}>;

/** Answers one request by one step, in the words of the Messages API: as a stream or, if the agent wants that, whole. */
export async function answerBy(
  step: MessageStep,
  request: MessagesRequest,
  response: ServerResponse,
): Promise<void> {
  switch (step.is) {
    case 'hang':
      return;
    case 'reset':
      response.socket?.resetAndDestroy();
      return;
    case 'http-error':
      sendJson(response, step.status, errorBody(step.type, step.message), step.headers);
      return;
    case 'error-event':
      if (request.body.stream === true) new EventStream(request, response).fail(step);
      else sendJson(response, 500, errorBody(step.type, step.message));
      return;
    case 'cut':
      if (request.body.stream === true) await new EventStream(request, response).cut();
      else await cutWhole(response);
      return;
    case 'message':
      if (request.body.stream === true) await new EventStream(request, response).play(step);
      else sendJson(response, 200, wholeMessage(request, step));
  }
}

export function errorBody(type: string, message: string): object {
  return {type: 'error', error: {type, message}, request_id: 'req_stub'};
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, {
    ...{'content-type': 'application/json', 'request-id': 'req_stub'},
    ...headers,
  });
  response.end(JSON.stringify(body));
}

/** A body that is shorter than its announced length. */
async function cutWhole(response: ServerResponse): Promise<void> {
  response.writeHead(200, {'content-type': 'application/json', 'content-length': '1000'});
  await new Promise<void>((resolve) => response.write('{"id":"msg', () => resolve()));
  response.destroy();
}

function wholeMessage(request: MessagesRequest, {blocks, stopReason, usage}: WholeMessage): object {
  const content = blocks.map((block, at) => wholeBlock(request, block, at));
  return {...head(request), content, stop_reason: stopReason, usage: apiUsage(usage)};
}

function head({index, body}: MessagesRequest): object {
  return {
    ...{id: `msg_stub_${index}`, type: 'message', role: 'assistant', model: body.model},
    ...{content: [], stop_reason: null, stop_sequence: null},
  };
}

function wholeBlock({index}: MessagesRequest, block: Block, at: number): object {
  if (block.type === 'thinking') return {...block, signature: 'c3R1Yg=='};
  if (block.type === 'text') return block;
  return {...block, id: `toolu_stub_${index}_${at}`};
}

function apiUsage({input, cacheWrite, cacheRead, output}: MessageUsage): object {
  return {
    input_tokens: input,
    cache_creation_input_tokens: cacheWrite,
    cache_read_input_tokens: cacheRead,
    output_tokens: output,
    service_tier: 'standard',
  };
}

const HALF_A_MESSAGE = {input: 100, cacheWrite: 20, cacheRead: 30, output: 1};

/** The server-sent events of one answer. What is written after the client has gone is dropped. */
class EventStream {
  readonly #request: MessagesRequest;
  readonly #response: ServerResponse;

  constructor(request: MessagesRequest, response: ServerResponse) {
    this.#request = request;
    this.#response = response;
    response.writeHead(200, {
      ...{'content-type': 'text/event-stream', 'cache-control': 'no-cache'},
      'request-id': 'req_stub',
    });
  }

  async play({blocks, gapMs, stopReason, usage}: WholeMessage): Promise<void> {
    this.#begin(usage);
    for (const [at, block] of blocks.entries()) await this.#block(at, block, gapMs);
    this.#send('message_delta', {
      delta: {stop_reason: stopReason, stop_sequence: null},
      usage: apiUsage(usage),
    });
    this.#send('message_stop', {});
    this.#response.end();
  }

  fail({type, message}: {readonly type: string; readonly message: string}): void {
    this.#begin(HALF_A_MESSAGE);
    this.#send('error', {error: {type, message}});
    this.#response.end();
  }

  /** Breaks off only when the first half of a message is on its way. */
  async cut(): Promise<void> {
    this.#begin(HALF_A_MESSAGE);
    this.#send('content_block_start', {index: 0, content_block: {type: 'text', text: ''}});
    this.#send('content_block_delta', {index: 0, delta: {type: 'text_delta', text: 'half a mess'}});
    await new Promise<void>((resolve) => this.#response.write(': \n\n', () => resolve()));
    this.#response.destroy();
  }

  #begin(usage: MessageUsage): void {
    // The number of output tokens is final only in `message_delta`, as with the real API.
    const message = {...head(this.#request), usage: apiUsage({...usage, output: 1})};
    this.#send('message_start', {message});
  }

  async #block(index: number, block: Block, gapMs: number): Promise<void> {
    const start = (content_block: object) =>
      this.#send('content_block_start', {index, content_block});
    const delta = (one: object) => this.#send('content_block_delta', {index, delta: one});
    switch (block.type) {
      case 'text':
        start({type: 'text', text: ''});
        for (const word of block.text.match(/\s*\S+\s*/g) ?? []) {
          delta({type: 'text_delta', text: word});
          if (gapMs > 0) await sleep(gapMs);
        }
        break;
      case 'thinking':
        start({type: 'thinking', thinking: '', signature: ''});
        delta({type: 'thinking_delta', thinking: block.thinking});
        delta({type: 'signature_delta', signature: 'c3R1Yg=='});
        break;
      case 'tool_use':
        start({...wholeBlock(this.#request, block, index), input: {}});
        delta({type: 'input_json_delta', partial_json: JSON.stringify(block.input)});
    }
    this.#send('content_block_stop', {index});
  }

  #send(type: string, fields: object): void {
    if (this.#response.destroyed) return;
    this.#response.write(`event: ${type}\ndata: ${JSON.stringify({type, ...fields})}\n\n`);
  }
}
