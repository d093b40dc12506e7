import {request} from 'node:http';
import {text} from 'node:stream/consumers';
import {targetOf} from '../../../../test/rig/control.ts';

export interface RawAnswer {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: string;
}

/** A request with any header and any path: `fetch` sets and tidies some of them itself. */
export async function rawRequest(
  url: string,
  path: string,
  {method = 'GET', headers = {}, body = ''}: RawOptions = {},
): Promise<RawAnswer> {
  const sent = request({...targetOf(url), path, method, headers, agent: false});
  sent.end(body);
  const answer = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve);
    sent.once('error', reject);
  });
  return {status: answer.statusCode ?? 0, headers: answer.headers, body: await text(answer)};
}

export interface RawOptions {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** The code of a refusal, as every refusal tells it. */
export function codeOf({body}: RawAnswer): string {
  const {error} = JSON.parse(body) as {error: {code: string; message: string}};
  if (typeof error.message !== 'string') throw new Error(`no message in ${body}`);
  return error.code;
}
