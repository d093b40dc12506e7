import {once} from 'node:events';
import {readFile} from 'node:fs/promises';
import {type IncomingMessage, request} from 'node:http';
import {join} from 'node:path';
import {text} from 'node:stream/consumers';

/** What `supervisor.json` says. */
export interface Pointer {
  readonly pid: number;
  readonly started_at: string;
  /** `unix://<path>` or `http://…`. */
  readonly url: string;
  readonly token_file: string;
  readonly dashboard_url: string | null;
}

export interface ControlAnswer {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly text: string;
}

export async function readPointer(stateDir: string): Promise<Pointer> {
  return JSON.parse(await readFile(join(stateDir, 'supervisor.json'), 'utf8'));
}

/** Where `http.request` connects to. */
export function targetOf(url: string) {
  const [, socketPath] = /^unix:\/\/(.*)$/.exec(url) ?? [];
  if (socketPath !== undefined) return {socketPath};
  const {hostname, port} = new URL(url);
  return {hostname, port};
}

/** By the control listener, with or without its token. */
export async function askControl(
  {url, token_file: tokenFile}: Pointer,
  method: string,
  path: string,
  {body, hasToken = true}: {body?: unknown; hasToken?: boolean} = {},
): Promise<ControlAnswer> {
  const headers: Record<string, string> = {};
  if (hasToken) headers['authorization'] = `Bearer ${(await readFile(tokenFile, 'utf8')).trim()}`;
  if (body !== undefined) headers['content-type'] = 'application/json';
  const sent = request({...targetOf(url), path, method, headers, agent: false});
  sent.end(body === undefined ? undefined : JSON.stringify(body));
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  return {status: answer.statusCode ?? 0, headers: answer.headers, text: await text(answer)};
}
