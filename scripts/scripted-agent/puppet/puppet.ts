import {mkdtemp, rm} from 'node:fs/promises';
import {createServer, type Server} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {Mailbox} from './mailbox.ts';
import {greet, type PuppetAgent} from './puppet-agent.ts';
import type {PuppetTurn} from './puppet-turn.ts';

/** The bundle, as `npm run build` leaves it. */
const PROGRAM = fileURLToPath(new URL('../../dist/scripted-agent.js', import.meta.url));

const WAKE_MS = 20;
const GRACE_MS = 5_000;

export interface PuppetOptions {
  /** Further arguments: a script, a way to misbehave. */
  readonly args?: readonly string[];
  readonly program?: string;
}

/**
 * The test's end of the control line: running `command` starts an agent that this test sees and
 * steers. All agents of a puppet share one home, so that a later one can resume an earlier thread.
 */
export class AgentPuppet implements AsyncDisposable {
  readonly home: string;
  /** Program and arguments, to start it without a shell. */
  readonly argv: readonly [string, ...string[]];
  readonly #folder: string;
  readonly #server: Server;
  readonly #agents = new Set<PuppetAgent>();
  readonly #connections = new Mailbox<PuppetAgent>();
  readonly #turns = new Mailbox<PuppetTurn>();
  readonly #openGates = new Set<string>();

  static async listen(options: PuppetOptions = {}): Promise<AgentPuppet> {
    const folder = await mkdtemp(join(tmpdir(), 'puppet-'));
    const puppet = new AgentPuppet(folder, options);
    await new Promise<void>((resolve, reject) => {
      puppet.#server.once('error', reject);
      puppet.#server.listen(puppet.#socketPath, resolve);
    });
    return puppet;
  }

  private constructor(folder: string, {args = [], program = PROGRAM}: PuppetOptions) {
    this.#folder = folder;
    this.home = join(folder, 'home');
    this.argv = [
      process.execPath,
      program,
      ...['--control', this.#socketPath],
      ...['--home', this.home],
      ...args,
    ];
    this.#server = createServer((socket) => {
      greet(
        socket,
        (agent) => this.#welcome(agent),
        (turn) => this.#turns.put(turn),
      );
    });
  }

  /** For `codex.command`, which a shell reads. */
  get command(): string {
    return this.argv.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
  }

  /** The agent processes in the order of their start, each once. */
  connection(): Promise<PuppetAgent> {
    return this.#connections.next();
  }

  /** The turns of all agents, each once: for tests that do not care which process it is. */
  nextTurn(): Promise<PuppetTurn> {
    return this.#turns.next();
  }

  /** Lets every script past `{wait: name}`, now and later. */
  release(name: string): void {
    this.#openGates.add(name);
    for (const agent of this.#agents) agent.order({order: 'open', gate: name});
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const over = new Error('the puppet was disposed of');
    this.#connections.close(over);
    this.#turns.close(over);
    await Promise.all([...this.#agents].map(endAgent));
    await new Promise((resolve) => this.#server.close(resolve));
    await rm(this.#folder, {recursive: true, force: true});
  }

  get #socketPath(): string {
    return join(this.#folder, 'control.sock');
  }

  #welcome(agent: PuppetAgent): void {
    this.#agents.add(agent);
    void agent.gone.then(() => this.#agents.delete(agent));
    for (const gate of this.#openGates) agent.order({order: 'open', gate});
    this.#connections.put(agent);
  }
}

/** Asks an agent to end, with its shells; one that does not within the grace period is killed. */
async function endAgent(agent: PuppetAgent): Promise<void> {
  agent.order({order: 'end'});
  // A stopped process reads no orders, and one may be about to stop just now.
  const wake = setInterval(() => signal(agent, 'SIGCONT'), WAKE_MS);
  const force = setTimeout(() => signal(agent, 'SIGKILL'), GRACE_MS);
  await agent.gone;
  clearInterval(wake);
  clearTimeout(force);
}

function signal(agent: PuppetAgent, name: NodeJS.Signals): void {
  try {
    process.kill(agent.pid, name);
  } catch {
    // It ended a moment ago.
  }
}
