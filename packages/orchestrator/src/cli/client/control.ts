import {once} from 'node:events';
import {readFileSync} from 'node:fs';
import {type IncomingMessage, request} from 'node:http';
import {userInfo} from 'node:os';
import {isAbsolute, join} from 'node:path';
import {text as textOf} from 'node:stream/consumers';
import {identify} from '@symphony-supervisor/protocol/processes';
import * as z from 'zod/mini';
import {socketPathIn} from '../../http/control-socket.ts';
import {EXIT, ExitWith} from '../exit.ts';
import {stateDirFor} from '../places.ts';
import type {ClientOptions} from './client-commands.ts';

/** How to reach a running supervisor. */
const Pointer = z.object({
  pid: z.int(),
  started_at: z.string(),
  url: z.string(),
  token_file: z.string(),
});
type Pointer = z.infer<typeof Pointer>;

const ErrorBody = z.object({error: z.object({code: z.string(), message: z.string()})});

/** The supervisor answers from memory; a longer wait means that it hangs. */
const ANSWER_MS = 10_000;

/** A running supervisor as the commands see it. */
export class Control {
  readonly #url: string;
  readonly #token: string;
  readonly #pid: number;

  private constructor(pointer: Pointer, token: string) {
    this.#url = pointer.url;
    this.#token = token;
    this.#pid = pointer.pid;
  }

  /** The supervisor of this state directory; ends the command if there is none. */
  static reach({stateDir: given}: Pick<ClientOptions, 'stateDir'>): Control {
    const stateDir = stateDirFor([], given);
    const pointer = readPointer(stateDir);
    if (identify(pointer.pid) === null) {
      const path = join(stateDir, 'supervisor.json');
      const what = `the supervisor of ${stateDir} (process ${pointer.pid}) has crashed or was killed`;
      const remedy = `${path} is stale; start it again, and it continues where it stopped`;
      throw new ExitWith(EXIT.unexpected, `${what}\n${remedy}`);
    }
    return new Control(pointer, readToken(stateDir, pointer));
  }

  get<T>(path: string, schema: z.ZodMiniType<T>): Promise<T> {
    return this.#ask('GET', path, undefined, schema);
  }

  post<T>(path: string, body: unknown, schema: z.ZodMiniType<T>): Promise<T> {
    return this.#ask('POST', path, body, schema);
  }

  /** Where to connect. A socket has no host name, so `Host` is one that the listener accepts. */
  get #target() {
    const socketPath = socketPathIn(this.#url);
    if (socketPath !== null) return {socketPath};
    const {hostname, port} = new URL(this.#url);
    return {hostname, port};
  }

  async #ask<T>(method: string, path: string, body: unknown, schema: z.ZodMiniType<T>): Promise<T> {
    const {status, text} = await this.#send(method, path, body);
    const answer = asJson(text);
    if (status < 200 || status > 299) throw refused(path, status, answer);
    const parsed = schema.safeParse(answer);
    if (parsed.success) return parsed.data;
    const what = `the supervisor sent a response to ${path} that this version cannot read`;
    throw new ExitWith(EXIT.unexpected, `${what}\nuse the version that runs, or restart it`, {
      cause: parsed.error,
    });
  }

  /** Without `fetch`: loading it takes longer than the rest of a command. */
  async #send(
    method: string,
    path: string,
    body: unknown,
  ): Promise<{status: number; text: string}> {
    const signal = AbortSignal.timeout(ANSWER_MS);
    const headers = {
      authorization: `Bearer ${this.#token}`,
      ...(body === undefined
        ? {}
        : {'content-type': 'application/json', 'x-symphony-by': `cli ${userName()}`}),
    };
    try {
      const sent = request({...this.#target, path, method, headers, signal, agent: false});
      sent.end(body === undefined ? undefined : JSON.stringify(body));
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      return {status: response.statusCode ?? 0, text: await textOf(response)};
    } catch (cause) {
      const why = signal.aborted
        ? `did not respond within ${ANSWER_MS / 1000} s`
        : 'cannot be reached';
      const what = `the supervisor (process ${this.#pid}, ${this.#url}) ${why}`;
      throw new ExitWith(EXIT.unexpected, `${what}\ncheck its log: symphony-supervisor logs`, {
        cause,
      });
    }
  }
}

/** Recorded with orders. An account without an entry in the user database has only a number. */
function userName(): string {
  try {
    return userInfo()
      .username.replace(/[^\w.@+-]/g, '-')
      .slice(0, 60);
  } catch {
    return String(process.getuid?.() ?? 'unknown');
  }
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function readPointer(stateDir: string): Pointer {
  const path = join(stateDir, 'supervisor.json');
  try {
    return Pointer.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (cause) {
    const isMissing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
    const what = isMissing ? `no supervisor runs with ${stateDir}` : `${path} cannot be read`;
    const remedy = 'start one with `symphony-supervisor`, or give its folder with --state-dir';
    throw new ExitWith(EXIT.unexpected, `${what}\n${remedy}`, {cause});
  }
}

function readToken(stateDir: string, {token_file: file}: Pointer): string {
  const path = isAbsolute(file) ? file : join(stateDir, file);
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (cause) {
    const what = `the control token ${path} cannot be read`;
    throw new ExitWith(EXIT.unexpected, `${what}\nonly its owner may give orders`, {cause});
  }
}

/** The path names the issue, and the answer repeats it. */
function refused(path: string, status: number, answer: unknown): ExitWith {
  const error = ErrorBody.safeParse(answer);
  const told = error.success ? error.data.error.message : `the supervisor answered ${status}`;
  const issue = /^\/api\/v1\/issues\/([^/?]+)/.exec(path)?.[1];
  const about = issue === undefined ? '' : `${decodeURIComponent(issue)}: `;
  return new ExitWith(EXIT.unexpected, `${about}${told}`);
}
