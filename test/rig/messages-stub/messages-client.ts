import assert from 'node:assert/strict';
import {request as httpRequest} from 'node:http';
import type {TestContext} from 'node:test';
import {MessagesStub} from './messages-stub.ts';

// The agent's side of the Messages API, for tests of the stub itself.

const TOOLS = [{name: 'Bash'}, {name: 'Write'}];

interface WholeAnswer {
  readonly content: readonly Readonly<Record<string, unknown>>[];
  readonly stop_reason: string;
  readonly usage: Readonly<Record<string, unknown>>;
}

export async function aStub(t: TestContext) {
  const stub = await MessagesStub.listen();
  t.after(() => stub[Symbol.asyncDispose]());
  const ask = (messages: readonly object[], fields: object = {}, headers: object = {}) =>
    fetch(`${stub.baseUrl}/v1/messages?beta=true`, {
      method: 'POST',
      headers: {'content-type': 'application/json', ...headers},
      body: bodyOf(messages, fields),
    });
  const whole = async (messages: readonly object[], fields: object = {}) => {
    const response = await ask(messages, {...fields, stream: false});
    return (await response.json()) as WholeAnswer;
  };
  return {stub, ask, whole};
}

function bodyOf(messages: readonly object[], fields: object = {}): string {
  return JSON.stringify({
    ...{model: 'claude-stub', max_tokens: 1000, stream: true, tools: TOOLS, messages},
    ...fields,
  });
}

/** A request that is under way. */
export async function hanging(stub: MessagesStub) {
  let isOver = false;
  const request = httpRequest(`${stub.baseUrl}/v1/messages`, {method: 'POST'});
  request.on('response', () => {
    isOver = true;
  });
  request.on('error', () => {
    isOver = true;
  });
  request.end(bodyOf([user('Hang.')]));
  const [socket] = await new Promise<[{destroy(): void}]>((resolve) =>
    request.once('socket', (one) => resolve([one])),
  );
  return {socket, isOver: () => isOver};
}

export function hasCode(code: string) {
  return (error: unknown) =>
    error instanceof Error && (error.cause as NodeJS.ErrnoException | undefined)?.code === code;
}

export function user(content: string | readonly object[]): object {
  return {role: 'user', content};
}

export function assistant(content: string | readonly object[]): object {
  return {role: 'assistant', content};
}

export interface StreamEvent {
  readonly type: string;
  readonly index?: number;
  readonly message?: {readonly usage: {readonly output_tokens: number}};
  readonly delta?: Readonly<Record<string, string>>;
  readonly usage?: {readonly output_tokens: number};
  readonly error?: {readonly type: string};
}

/** Each event is one line with its name and one with its data. */
export function eventsIn(text: string): StreamEvent[] {
  return text
    .split('\n\n')
    .filter((block) => block !== '')
    .map((block) => {
      const [, name, data] = /^event: (.*)\ndata: (.*)$/.exec(block) ?? [];
      const event: StreamEvent = JSON.parse(data ?? '');
      assert.equal(event.type, name);
      return event;
    });
}
