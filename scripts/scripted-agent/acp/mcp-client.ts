import {spawn} from 'node:child_process';
import {createInterface} from 'node:readline';
import {type Fields, fieldsOf} from '../json.ts';

type Send = (message: object) => Promise<Fields>;

/** What an agent needs of an MCP client: it connects, asks which tools there are, and calls them. */
export class McpClient {
  readonly #send: Send;
  #nextId = 0;

  private constructor(send: Send) {
    this.#send = send;
  }

  /** By an entry of `mcpServers`. null, as with the real agents: a server that cannot be reached is left out in silence. */
  static async connect(entry: Fields): Promise<McpClient | null> {
    const client = new McpClient(entry.type === 'http' ? overHttp(entry) : overStdio(entry));
    try {
      const clientInfo = {name: 'scripted-agent', version: '1'};
      await client.#request('initialize', {
        ...{protocolVersion: '2025-11-25', capabilities: {}, clientInfo},
      });
      await client.#send({jsonrpc: '2.0', method: 'notifications/initialized'});
      await client.#request('tools/list', {});
      return client;
    } catch {
      return null;
    }
  }

  call(name: string, args: unknown): Promise<Fields> {
    return this.#request('tools/call', {name, arguments: args});
  }

  async #request(method: string, params: object): Promise<Fields> {
    const answer = await this.#send({jsonrpc: '2.0', id: this.#nextId++, method, params});
    if (answer.error !== undefined) throw new Error(JSON.stringify(answer.error));
    return fieldsOf(answer.result);
  }
}

function overHttp({url, headers}: Fields): Send {
  const given = Array.isArray(headers) ? headers.map(fieldsOf) : [];
  const own = Object.fromEntries(given.map(({name, value}) => [String(name), String(value)]));
  return async (message) => {
    const response = await fetch(String(url), {
      method: 'POST',
      headers: {...own, 'content-type': 'application/json'},
      body: JSON.stringify(message),
    });
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    const text = await response.text();
    return text === '' ? {} : JSON.parse(text);
  };
}

function overStdio({command, args, env}: Fields): Send {
  const given = Array.isArray(env) ? env.map(fieldsOf) : [];
  const own = Object.fromEntries(given.map(({name, value}) => [String(name), String(value)]));
  const child = spawn(String(command), Array.isArray(args) ? args.map(String) : [], {
    env: {...process.env, ...own},
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const waiting = new Map<unknown, {done: (answer: Fields) => void; fail: (why: Error) => void}>();
  const gone = (why: Error): void => {
    for (const {fail} of waiting.values()) fail(why);
  };
  child.on('error', gone).on('exit', () => gone(new Error('the tool server has ended')));
  createInterface({input: child.stdout}).on('line', (line) => {
    const answer = fieldsOf(JSON.parse(line));
    waiting.get(answer.id)?.done(answer);
    waiting.delete(answer.id);
  });
  return (message) => {
    child.stdin.write(`${JSON.stringify(message)}\n`);
    const {id} = fieldsOf(message);
    if (id === undefined) return Promise.resolve({});
    return new Promise((done, fail) => waiting.set(id, {done, fail}));
  };
}
