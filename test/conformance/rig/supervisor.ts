import assert from 'node:assert/strict';
import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {askControl, type Pointer} from '../../rig/control.ts';
import {SUPERVISOR_BIN} from '../../rig/supervisor-command.ts';
import type {IssuePage, State} from './answers.ts';
import {until} from './until.ts';

export interface Answer<T = unknown> {
  readonly status: number;
  readonly body: T;
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** A supervisor as its users have it: a process with a command line, and an API behind `supervisor.json`. */
export class Supervisor implements AsyncDisposable {
  readonly process: ChildProcess;
  readonly exited: Promise<{code: number | null; signal: NodeJS.Signals | null}>;
  readonly #folder: string;
  #output = '';

  constructor(folder: string, args: readonly string[] = [], env: Record<string, string> = {}) {
    this.#folder = folder;
    this.process = spawn(process.execPath, [SUPERVISOR_BIN, ...args], {
      cwd: folder,
      env: {...process.env, HOME: folder, ...env},
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.process.stdout, this.process.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        this.#output += chunk.toString();
      });
    }
    this.exited = once(this.process, 'exit').then(([code, signal]) => ({code, signal}));
  }

  /** Everything it has printed. */
  get output(): string {
    return this.#output;
  }

  get log(): Readonly<Record<string, unknown>>[] {
    const lines = this.#output.split('\n').filter((line) => /^\{.*\}$/.test(line));
    return lines.map((line) => JSON.parse(line));
  }

  /** Where the control listener is, as soon as this very process says so. */
  pointer(): Promise<Pointer> {
    return until('supervisor.json of this process', async () => {
      assert.equal(this.process.exitCode, null, `it has ended:\n${this.#output}`);
      const path = join(this.#folder, '.symphony/supervisor.json');
      const text = await readFile(path, 'utf8').catch(() => '{}');
      const pointer = JSON.parse(text) as Pointer;
      return pointer.pid === this.process.pid ? pointer : null;
    });
  }

  async token(): Promise<string> {
    return (await readFile((await this.pointer()).token_file, 'utf8')).trim();
  }

  /** By the control listener, with its token. */
  async ask<T = unknown>(method: Method, path: string, body?: unknown): Promise<Answer<T>> {
    const {status, headers, text} = await askControl(await this.pointer(), method, path, {body});
    const isJson = String(headers['content-type']).includes('application/json');
    return {status, body: (isJson ? JSON.parse(text) : text) as T};
  }

  async state(): Promise<State> {
    return (await this.ask<State>('GET', '/api/v1/state')).body;
  }

  async issue(identifier: string): Promise<IssuePage> {
    return (await this.ask<IssuePage>('GET', `/api/v1/issues/${identifier}`)).body;
  }

  async order(path: string, body?: unknown): Promise<void> {
    const {status, body: said} = await this.ask('POST', `/api/v1/${path}`, body);
    assert.equal(status, 202, JSON.stringify(said));
  }

  /** The first state in which there is what is looked for. */
  seen<T>(what: string, look: (state: State) => T | null | undefined | false): Promise<T> {
    return until(what, async () => look(await this.state()));
  }

  async kill(): Promise<void> {
    this.process.kill('SIGKILL');
    await this.exited;
  }

  async end(): Promise<void> {
    this.process.kill('SIGTERM');
    await this.exited;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
  }
}

export async function send<T = unknown>(
  method: Method,
  url: URL,
  {headers = {}, body}: {headers?: Record<string, string>; body?: unknown} = {},
): Promise<Answer<T>> {
  const json = body === undefined ? {} : {'content-type': 'application/json'};
  const response = await fetch(url, {
    method,
    headers: {...json, ...headers},
    ...(body === undefined ? {} : {body: JSON.stringify(body)}),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('application/json') === true;
  return {
    status: response.status,
    body: (isJson ? JSON.parse(text) : text) as T,
  };
}
