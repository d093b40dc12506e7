import type {ServerResponse} from 'node:http';
import {setTimeout as sleep} from 'node:timers/promises';
import type {ModelRequest} from './model-request.ts';
import type {Step, StepUsage} from './stub-step.ts';
import {toolCall} from './stub-tool-call.ts';

type OutputItem = Readonly<Record<string, unknown>> & {readonly type: string; readonly id: string};

/** Answers one request by one step, in the words of the Responses API. */
export async function playStep(
  step: Step,
  request: ModelRequest,
  response: ServerResponse,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  if (step.is === 'http-error') {
    const error = {message: step.message, type: step.type, code: step.type, ...step.details};
    response.writeHead(step.status, {
      'content-type': 'application/json',
      ...headers,
      ...step.headers,
    });
    response.end(JSON.stringify({error}));
    return;
  }
  // Before the head is sent: a call that cannot be made is an error, not a broken stream.
  const call = step.is === 'shell' || step.is === 'patch' || step.is === 'tool';
  const item = call ? toolCall(step, request) : null;
  const stream = new EventStream(request, response, headers);
  switch (step.is) {
    case 'hang':
      return;
    case 'cut':
      await stream.cut();
      return;
    case 'failed':
      stream.fail(step.code, step.message);
      return;
    case 'say':
      await saySlowly(step, stream);
      break;
    default:
      if (item !== null) stream.wholeItem(item);
  }
  stream.complete(step.usage);
}

async function saySlowly(step: Extract<Step, {is: 'say'}>, stream: EventStream): Promise<void> {
  if (step.reasoning !== null) stream.reason(step.reasoning);
  const message = stream.beginMessage();
  for (const word of step.text.match(/\s*\S+\s*/g) ?? []) {
    stream.messageDelta(message, word);
    if (step.gapMs > 0) await sleep(step.gapMs);
  }
  stream.endMessage(message, step.text);
}

/** The server-sent events of one response. What is written after the client has gone is dropped. */
class EventStream {
  readonly #response: ServerResponse;
  readonly #index: number;
  readonly #base: {readonly id: string; readonly object: 'response'; readonly model: string};
  readonly #output: OutputItem[] = [];
  #sequence = 0;

  constructor(
    {index, body}: ModelRequest,
    response: ServerResponse,
    headers: Readonly<Record<string, string>>,
  ) {
    this.#response = response;
    this.#index = index;
    this.#base = {id: `resp_${index}`, object: 'response', model: body.model};
    response.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache',
      'x-request-id': `req_stub_${index}`,
      ...headers,
    });
    this.#send('response.created', {
      response: {...this.#base, status: 'in_progress', output: []},
    });
  }

  reason(text: string): void {
    const id = `rs_${this.#index}`;
    const place = {item_id: id, output_index: this.#output.length, summary_index: 0};
    const part = {type: 'summary_text', text};
    const item = {type: 'reasoning', id, summary: [part], encrypted_content: 'c3R1Yg=='};
    this.#added({...item, summary: []});
    this.#send('response.reasoning_summary_part.added', {...place, part: {...part, text: ''}});
    this.#send('response.reasoning_summary_text.delta', {...place, delta: text});
    this.#send('response.reasoning_summary_text.done', {...place, text});
    this.#done(item);
  }

  beginMessage(): OutputItem {
    const message = {type: 'message', id: `msg_${this.#index}`, role: 'assistant'};
    this.#added({...message, status: 'in_progress', content: []});
    return message;
  }

  messageDelta({id}: OutputItem, delta: string): void {
    const place = {item_id: id, output_index: this.#output.length, content_index: 0};
    this.#send('response.output_text.delta', {...place, delta});
  }

  endMessage(message: OutputItem, text: string): void {
    const content = [{type: 'output_text', text, annotations: []}];
    this.#done({...message, status: 'completed', content});
  }

  wholeItem(item: OutputItem): void {
    this.#added(item);
    this.#done(item);
  }

  complete(usage: StepUsage): void {
    this.#send('response.completed', {
      response: {
        ...this.#base,
        status: 'completed',
        output: this.#output,
        usage: {
          input_tokens: usage.input,
          input_tokens_details: {cached_tokens: usage.cached},
          output_tokens: usage.output,
          output_tokens_details: {reasoning_tokens: usage.reasoning},
          total_tokens: usage.input + usage.output,
        },
      },
    });
    this.#response.end();
  }

  fail(code: string, message: string): void {
    const response = {...this.#base, status: 'failed', error: {code, message}};
    this.#send('response.failed', {response});
    this.#response.end();
  }

  /** Breaks off only when the first half of a message is on its way. */
  async cut(): Promise<void> {
    const message = this.beginMessage();
    this.messageDelta(message, 'half a mess');
    await new Promise<void>((resolve) => this.#response.write(': \n\n', () => resolve()));
    this.#response.destroy();
  }

  #added(item: OutputItem): void {
    this.#send('response.output_item.added', {output_index: this.#output.length, item});
  }

  #done(item: OutputItem): void {
    this.#send('response.output_item.done', {output_index: this.#output.length, item});
    this.#output.push(item);
  }

  #send(type: string, fields: object): void {
    if (this.#response.destroyed) return;
    const data = JSON.stringify({type, ...fields, sequence_number: this.#sequence++});
    this.#response.write(`event: ${type}\ndata: ${data}\n\n`);
  }
}
