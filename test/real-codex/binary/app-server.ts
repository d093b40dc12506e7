import {type ChildProcessByStdio, spawn} from 'node:child_process';
import {once} from 'node:events';
import {createInterface} from 'node:readline';
import type {Readable, Writable} from 'node:stream';
import type {CodexHome} from './codex-home.ts';

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Params;
  readonly result?: Params;
  readonly error?: {readonly message: string};
}

// Only as much of the protocol as tests of the stub look at.
export interface Params {
  readonly thread?: {readonly id: string};
  readonly turn?: Turn;
  readonly item?: {readonly type: string; readonly text?: string; readonly status?: string};
  readonly tokenUsage?: {
    readonly total: {readonly inputTokens: number; readonly outputTokens: number};
  };
  readonly requiresOpenaiAuth?: boolean;
  readonly rateLimits?: {readonly primary: {readonly usedPercent: number} | null};
}

interface Turn {
  readonly id: string;
  readonly status: string;
  readonly error: {readonly message: string; readonly codexErrorInfo: unknown} | null;
}

/**
 * The least client that can hold a turn, so that stub, home and binary can be tried without the
 * runner. It answers no requests of the server.
 */
export class AppServer {
  readonly #process: ChildProcessByStdio<Writable, Readable, null>;
  readonly #messages: Message[] = [];
  readonly #checks = new Set<() => void>();
  #nextId = 0;

  constructor(home: CodexHome, cwd: string, tmp: string) {
    const {PATH, HOME} = process.env;
    this.#process = spawn('bash', ['-lc', home.command], {
      cwd,
      env: {PATH, HOME, TMPDIR: tmp, ...home.env},
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    createInterface({input: this.#process.stdout}).on('line', (line) => {
      this.#messages.push(JSON.parse(line));
      for (const check of this.#checks) check();
    });
  }

  async openThread(params: object): Promise<string> {
    const clientInfo = {name: 'symphony-test', version: '0'};
    await this.call('initialize', {clientInfo, capabilities: {experimentalApi: true}});
    this.#send({method: 'initialized'});
    const {thread} = await this.call('thread/start', params);
    if (thread === undefined) throw new Error('thread/start returned no thread');
    return thread.id;
  }

  async call(method: string, params: object): Promise<Params> {
    const id = this.#nextId++;
    this.#send({method, id, params});
    const answer = await this.#until((message) => message.id === id && !message.method);
    if (answer.error) throw new Error(`${method}: ${answer.error.message}`);
    return answer.result ?? {};
  }

  /** Starts a turn and waits for its end. */
  async turn(threadId: string, prompt: string): Promise<Turn> {
    const input = [{type: 'text', text: prompt}];
    const {turn: started} = await this.call('turn/start', {threadId, input});
    const {params} = await this.#until(
      ({method, params}) => method === 'turn/completed' && params?.turn?.id === started?.id,
    );
    if (params?.turn === undefined) throw new Error('turn/completed had no turn');
    return params.turn;
  }

  notices(method: string): Params[] {
    return this.#messages.flatMap((message) =>
      message.method === method ? [message.params ?? {}] : [],
    );
  }

  /** A closed stdin ends Codex; the wait is for its last writes to its home. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const exited = once(this.#process, 'exit');
    this.#process.stdin.end();
    await exited;
  }

  #send(message: object): void {
    this.#process.stdin.write(`${JSON.stringify(message)}\n`);
  }

  #until(matches: (message: Message) => boolean): Promise<Message> {
    return new Promise((resolve, reject) => {
      const check = () => {
        const found = this.#messages.find(matches);
        if (found === undefined) return;
        this.#checks.delete(check);
        this.#process.off('exit', gone);
        resolve(found);
      };
      const gone = () => reject(new Error('Codex ended while it was waited for'));
      this.#process.once('exit', gone);
      this.#checks.add(check);
      check();
    });
  }
}
