import {type ChildProcess, spawn} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {type Fields, fieldsOf, lineSplitter} from '../../scripted-agent/json.ts';
import type {StepOrWord} from '../../scripted-agent/script/step.ts';
import {bundleAgent} from './scripted-agent-bundle.ts';

const bundle = bundleAgent();
/** What has not come by then does not come; long, because machines can be busy. */
const PATIENCE_MS = 20_000;

export interface End {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

interface Watcher {
  readonly check: () => boolean;
  readonly fail: (error: Error) => void;
}

/** A client that keeps all it is told, and waits for facts in it. */
export class AgentClient implements AsyncDisposable {
  readonly folder: string;
  readonly child: ChildProcess;
  readonly exited: Promise<End>;
  /** Everything the agent said, parsed; lines that are no JSON are kept as text. */
  readonly messages: (Fields | string)[] = [];
  stderr = '';
  readonly #watchers = new Set<Watcher>();
  /** Requests of the agent that a test has picked up. */
  readonly #taken = new WeakSet<Fields>();
  #ids = 0;

  static async start(args: readonly string[], folder = newFolder()): Promise<AgentClient> {
    const home = ['--home', join(folder, 'home')];
    const child = spawn(process.execPath, [await bundle, ...home, ...args], {
      cwd: folder,
      stdio: 'pipe',
    });
    return new AgentClient(child, folder);
  }

  /** For a process that another part started. */
  static attach(child: ChildProcess): AgentClient {
    return new AgentClient(child, newFolder());
  }

  /** Started, shaken hands with, and one thread begun. */
  static async withThread(
    script: readonly StepOrWord[] | readonly (readonly StepOrWord[])[],
    args: readonly string[] = [],
  ): Promise<{client: AgentClient; threadId: string}> {
    const client = await AgentClient.start(['--script-json', JSON.stringify(script), ...args]);
    return client.begun();
  }

  /** Shakes hands and begins a thread; ends the agent if that fails. */
  async begun(): Promise<{client: AgentClient; threadId: string}> {
    try {
      await this.initialize();
      return {client: this, threadId: await this.startThread()};
    } catch (error) {
      await this[Symbol.asyncDispose]();
      throw error;
    }
  }

  private constructor(child: ChildProcess, folder: string) {
    this.child = child;
    this.folder = folder;
    child.stdin?.on('error', () => {}); // the agent may be gone
    child.stdout?.setEncoding('utf8').on(
      'data',
      lineSplitter((line) => {
        this.messages.push(parsed(line));
        this.#look();
      }),
    );
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
      this.#look();
    });
    this.exited = new Promise((resolve) => {
      child.once('exit', (code, signal) => resolve({code, signal}));
    });
    child.once('close', () => {
      for (const {fail} of this.#watchers) fail(new Error(`the agent ended: ${this.stderr}`));
    });
  }

  write(text: string): void {
    this.child.stdin?.write(text);
  }

  send(message: Fields): void {
    this.write(`${JSON.stringify(message)}\n`);
  }

  /** Sends a request; resolves with the whole response, be it a result or an error. */
  async request(method: string, params?: Fields): Promise<Fields> {
    const id = `c${++this.#ids}`;
    this.send({method, id, ...(params === undefined ? {} : {params})});
    return this.find((message) => message.id === id && message.method === undefined);
  }

  async initialize(capabilities: Fields = {experimentalApi: true}): Promise<Fields> {
    const response = await this.request('initialize', {
      clientInfo: {name: 'test', title: null, version: '1'},
      capabilities,
    });
    this.send({method: 'initialized'});
    return response;
  }

  async startThread(params: Fields = {}): Promise<string> {
    const {result} = await this.request('thread/start', {
      cwd: this.folder,
      approvalPolicy: 'never',
      sandbox: 'danger-full-access',
      ...params,
    });
    return String(fieldsOf(fieldsOf(result).thread).id);
  }

  /** Starts a turn and returns its id as soon as it may be interrupted. */
  async startTurn(threadId: string, text = 'go'): Promise<string> {
    const {result} = await this.request('turn/start', {threadId, input: [{type: 'text', text}]});
    const turnId = String(fieldsOf(fieldsOf(result).turn).id);
    await this.find(({method, params}) => {
      return method === 'turn/started' && fieldsOf(fieldsOf(params).turn).id === turnId;
    });
    return turnId;
  }

  /** Runs a turn to its end; resolves with `turn` of `turn/completed`. */
  async turn(threadId: string, text = 'go'): Promise<Fields> {
    return this.end(await this.startTurn(threadId, text));
  }

  async end(turnId: string): Promise<Fields> {
    const {params} = await this.find(({method, params}) => {
      return method === 'turn/completed' && fieldsOf(fieldsOf(params).turn).id === turnId;
    });
    return fieldsOf(fieldsOf(params).turn);
  }

  /** The next request of the agent that was not taken yet. */
  async requested(method: string): Promise<{id: unknown; params: Fields}> {
    const request = await this.find((message) => {
      return message.method === method && message.id !== undefined && !this.#taken.has(message);
    });
    this.#taken.add(request);
    return {id: request.id, params: fieldsOf(request.params)};
  }

  answer(id: unknown, result: Fields): void {
    this.send({id, result});
  }

  /** Params of all notifications of that method so far. */
  told(method: string): Fields[] {
    return this.messages
      .filter((message): message is Fields => typeof message !== 'string')
      .filter((message) => message.method === method && message.id === undefined)
      .map((message) => fieldsOf(message.params));
  }

  /** Completed items of that type so far. */
  items(type: string): Fields[] {
    return this.told('item/completed')
      .map(({item}) => fieldsOf(item))
      .filter((item) => item.type === type);
  }

  /** The first message, come or still to come, for which that holds. */
  async find(holds: (message: Fields) => boolean): Promise<Fields> {
    let found: Fields | undefined;
    await this.until(() => {
      found = this.messages.find((message): message is Fields => {
        return typeof message !== 'string' && holds(message);
      });
      return found !== undefined;
    });
    if (found === undefined) throw new Error('unreachable');
    return found;
  }

  until(holds: () => boolean): Promise<void> {
    if (holds()) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const giveUp = () => reject(new Error(`in vain: ${this.#lastWords()}`));
      const patience = setTimeout(giveUp, PATIENCE_MS);
      this.#watchers.add({
        check: () => {
          if (!holds()) return false;
          clearTimeout(patience);
          resolve();
          return true;
        },
        fail: (error) => {
          clearTimeout(patience);
          reject(error);
        },
      });
    });
  }

  #lastWords(): string {
    return `${JSON.stringify(this.messages.slice(-3))} ${this.stderr}`;
  }

  close(): Promise<End> {
    this.child.stdin?.end();
    return this.exited;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.child.kill('SIGKILL');
    await this.exited;
    rmSync(this.folder, {recursive: true, force: true});
  }

  #look(): void {
    for (const watcher of this.#watchers) if (watcher.check()) this.#watchers.delete(watcher);
  }
}

export function newFolder(): string {
  return mkdtempSync(join(tmpdir(), 'agent-client-'));
}

function parsed(line: string): Fields | string {
  try {
    return fieldsOf(JSON.parse(line));
  } catch {
    return line;
  }
}
