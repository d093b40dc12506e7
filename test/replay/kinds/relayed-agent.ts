import {createServer, type Server, type Socket} from 'node:net';
import {join} from 'node:path';
import {createInterface} from 'node:readline';
import {fileURLToPath} from 'node:url';

const RELAY = fileURLToPath(new URL('relay.mjs', import.meta.url));

/** What a process in the agent's place can be told to do. */
export interface Puppet {
  say(line: string): void;
  complain(text: string): void;
  exit(code: number, signal: NodeJS.Signals | null): void;
}

export interface PuppetEvents {
  /** It was started with these arguments, beside those of the command. */
  readonly onStart: (puppet: Puppet, args: readonly string[]) => void;
  readonly onHeard: (line: string) => void;
  /** Its input has ended. */
  readonly onClosed: () => void;
}

/** The test's end of a command that stands in for an agent. */
export class RelayedAgent implements AsyncDisposable {
  readonly command: string;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(command: string, server: Server, on: PuppetEvents) {
    this.command = command;
    this.#server = server;
    server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.on('error', () => {}).on('close', () => this.#sockets.delete(socket));
      const order = (what: object) => void socket.write(`${JSON.stringify(what)}\n`);
      const puppet: Puppet = {
        say: (line) => order({say: line}),
        complain: (text) => order({complain: text}),
        exit: (code, signal) => order({exit: {code, signal}}),
      };
      createInterface({input: socket}).on('line', (line) => {
        const {args, heard, closed} = JSON.parse(line);
        if (args !== undefined) on.onStart(puppet, args);
        if (heard !== undefined) on.onHeard(heard);
        if (closed === true) on.onClosed();
      });
    });
  }

  static async listen(folder: string, on: PuppetEvents): Promise<RelayedAgent> {
    const path = join(folder, 'relay.sock');
    const server = createServer();
    const words = [process.execPath, RELAY, path].map((word) => `'${word}'`);
    const agent = new RelayedAgent(`exec ${words.join(' ')}`, server, on);
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(path, resolve);
    });
    return agent;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }
}
