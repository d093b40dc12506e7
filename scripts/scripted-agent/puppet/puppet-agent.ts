import type {Socket} from 'node:net';
import {type Fields, fieldsOf, lineSplitter} from '../json.ts';
import type {Step} from '../script/step.ts';
import type {Order, Report} from './control-line.ts';
import {Gate} from './gate.ts';
import {Mailbox} from './mailbox.ts';
import {PuppetTurn} from './puppet-turn.ts';

interface Pending {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** One agent process, seen and steered by the test. */
export class PuppetAgent {
  readonly pid: number;
  /** Resolves when the process has ended. */
  readonly gone: Promise<void>;
  readonly #socket: Socket;
  readonly #messages: Fields[] = [];
  readonly #turns = new Mailbox<PuppetTurn>();
  readonly #overs = new Map<string, Gate>();
  readonly #pending = new Map<number, Pending>();
  readonly #watchers = new Set<() => void>();
  readonly #gatesReached = new Set<string>();
  readonly #onTurn: (turn: PuppetTurn) => void;
  #orders = 0;
  #isGone = false;

  constructor(pid: number, socket: Socket, onTurn: (turn: PuppetTurn) => void) {
    this.pid = pid;
    this.#socket = socket;
    this.#onTurn = onTurn;
    this.gone = new Promise((resolve) => socket.once('close', () => resolve()));
    void this.gone.then(() => this.#end());
  }

  /** The turns of this agent, each once. Rejects when the agent ends first. */
  nextTurn(): Promise<PuppetTurn> {
    return this.#turns.next();
  }

  /** What the client has sent so far: requests and notifications of that method. */
  received(method: string): readonly Fields[] {
    return this.#messages.filter((message) => message.method === method);
  }

  /** What the client has answered so far to requests of ours. */
  get answers(): readonly Fields[] {
    return this.#messages.filter((message) => message.method === undefined);
  }

  get initializeParams(): Fields | null {
    return this.#paramsOf('initialize');
  }

  get threadStartParams(): Fields | null {
    return this.#paramsOf('thread/start');
  }

  /** Resolves with the first message of that method, come or still to come. */
  async hears(method: string): Promise<Fields> {
    await this.#until(() => this.received(method).length > 0, method);
    return this.received(method)[0] ?? {};
  }

  /** Resolves when a script has come to that gate. */
  waitsAt(gate: string): Promise<void> {
    return this.#until(() => this.#gatesReached.has(gate), gate);
  }

  /** A step that needs no turn; obeyed at once, whatever else is going on. */
  performs(step: Step): Promise<unknown> {
    return this.perform(step, null);
  }

  async sends(line: string): Promise<void> {
    await this.performs({raw: line});
  }

  /** Killed, as if by the system. */
  async dies(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    void this.performs({signal});
    await this.gone;
  }

  async exits(code: number): Promise<void> {
    void this.performs({exit: code});
    await this.gone;
  }

  perform(step: Step, turnId: string | null): Promise<unknown> {
    const id = ++this.#orders;
    const performed = new Promise((resolve, reject) => {
      if (this.#isGone) reject(new Error('the agent is gone'));
      else this.#pending.set(id, {resolve, reject});
    });
    performed.catch(() => {}); // an order may be left unawaited; a caller that awaits it still gets the error
    this.order({order: 'perform', id, turnId, step});
    return performed;
  }

  order(order: Order): void {
    if (!this.#isGone) this.#socket.write(`${JSON.stringify(order)}\n`);
  }

  hear(report: Report): void {
    switch (report.report) {
      case 'received':
        this.#messages.push(report.message);
        break;
      case 'waiting':
        this.#gatesReached.add(report.gate);
        break;
      case 'turn': {
        const over = new Gate();
        this.#overs.set(report.turnId, over);
        const turn = new PuppetTurn(this, report, over.passed);
        this.#turns.put(turn);
        this.#onTurn(turn);
        break;
      }
      case 'turn-over':
        this.#overs.get(report.turnId)?.open();
        break;
      case 'performed':
        this.#settle(report.id)?.resolve(report.result);
        break;
      case 'not-performed':
        this.#settle(report.id)?.reject(new Error(report.because));
        break;
    }
    for (const watch of this.#watchers) watch();
  }

  #settle(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    return pending;
  }

  #paramsOf(method: string): Fields | null {
    const [first] = this.received(method);
    return first === undefined ? null : fieldsOf(first.params);
  }

  #until(holds: () => boolean, what: string): Promise<void> {
    if (holds()) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const watch = () => {
        if (!holds() && !this.#isGone) return;
        this.#watchers.delete(watch);
        if (holds()) resolve();
        else reject(new Error(`the agent ended before ${what}`));
      };
      this.#watchers.add(watch);
    });
  }

  #end(): void {
    this.#isGone = true;
    const gone = new Error('the agent is gone');
    this.#turns.close(gone);
    for (const {reject} of this.#pending.values()) reject(gone);
    for (const over of this.#overs.values()) over.open();
    for (const watch of this.#watchers) watch();
  }
}

/** Waits for the hello of a process, then hands over everything it reports. */
export function greet(
  socket: Socket,
  onHello: (agent: PuppetAgent) => void,
  onTurn: (turn: PuppetTurn) => void,
): void {
  let agent: PuppetAgent | null = null;
  socket.setEncoding('utf8');
  socket.on('error', () => {}); // 'close' follows
  socket.on(
    'data',
    lineSplitter((line) => {
      const report: Report = JSON.parse(line);
      if (report.report === 'hello') {
        agent = new PuppetAgent(report.pid, socket, onTurn);
        onHello(agent);
      } else {
        agent?.hear(report);
      }
    }),
  );
}
