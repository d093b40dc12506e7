import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {createServer, type Server, type Socket} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {createInterface} from 'node:readline';
import {setImmediate} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';
import {build} from 'esbuild';
import type {Session} from '../recording.ts';
import type {PlayReport} from './play-report.ts';

type Told = {readonly awaits: string} | {readonly report: PlayReport};

/** The agent program in one file: through a loader every start would take as long as a replay. */
export async function bundleAgent(): Promise<AsyncDisposable & {path: string}> {
  const folder = await mkdtemp(join(tmpdir(), 'symphony-replay-'));
  const path = join(folder, 'replay-agent.mjs');
  await build({
    entryPoints: [fileURLToPath(new URL('replay-agent.ts', import.meta.url))],
    outfile: path,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'warning',
  });
  return {path, [Symbol.asyncDispose]: () => rm(folder, {recursive: true, force: true})};
}

/** The test's end of one replay: the command to run, and what the process behind it tells. */
export class ReplayedCodex implements AsyncDisposable {
  readonly command: string;
  readonly #told: Promise<PlayReport>;
  readonly #server: Server;
  #hasConnected = false;

  static async prepare(
    agent: string,
    folder: string,
    session: Session,
    onAwaits: (method: string) => void,
  ): Promise<ReplayedCodex> {
    const script = join(folder, 'session.json');
    const socket = join(folder, 'replay.sock');
    await writeFile(script, JSON.stringify(session));
    const command = [process.execPath, agent, script, socket].map((word) => `'${word}'`).join(' ');
    const replayed = new ReplayedCodex(command, onAwaits);
    await new Promise<void>((resolve, reject) => {
      replayed.#server.once('error', reject);
      replayed.#server.listen(socket, resolve);
    });
    return replayed;
  }

  private constructor(command: string, onAwaits: (method: string) => void) {
    this.command = command;
    const server = createServer();
    this.#server = server;
    this.#told = new Promise((resolve, reject) => {
      server.once('connection', (line: Socket) => {
        this.#hasConnected = true;
        createInterface({input: line})
          .on('line', (text) => {
            const told = JSON.parse(text) as Told;
            if ('report' in told) resolve(told.report);
            else onAwaits(told.awaits);
          })
          .on('close', () => reject(new Error('the agent was ended before it could report')));
      });
    });
    this.#told.catch(() => {}); // a test that failed before does not ask for it
  }

  /** To be asked for when the runner, and so its agent, is gone. */
  async report(): Promise<PlayReport> {
    await setImmediate(); // a connection may have come together with the news of the exit
    if (!this.#hasConnected) throw new Error('the agent was never started');
    return this.#told;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
