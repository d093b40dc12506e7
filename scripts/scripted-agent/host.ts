import type {Report} from './puppet/control-line.ts';
import {Gate} from './puppet/gate.ts';
import type {Thread} from './server/thread.ts';
import type {Turn} from './server/turn.ts';
import type {Wire} from './server/wire.ts';

/** What can ask this process to end, and what it can be told to be deaf to. */
export type EndOfLife = 'SIGTERM' | 'stdin';

/** This process: what outlives a turn, and the ways in which it ends. */
export class Host {
  readonly wire: Wire;
  readonly home: string;
  readonly threads = new Map<string, Thread>();
  readonly turns = new Map<string, Turn>();
  /** Reports events to the test, if there is a control connection. */
  report: (report: Report) => void = () => {};
  readonly #deafTo = new Set<EndOfLife>();
  readonly #gates = new Map<string, Gate>();

  constructor(wire: Wire, home: string) {
    this.wire = wire;
    this.home = home;
  }

  /** A place where a script waits for the test. Once opened, it stays open. */
  gate(name: string): Gate {
    const gate = this.#gates.get(name) ?? new Gate();
    this.#gates.set(name, gate);
    return gate;
  }

  ignore(end: EndOfLife): void {
    this.#deafTo.add(end);
    // A process with a closed stdin has nothing to wait for and would end by itself.
    setInterval(() => {}, 60_000);
  }

  endBy(end: EndOfLife): void {
    if (!this.#deafTo.has(end)) this.quit();
  }

  /** A clean end: exit code 0, and the commands of the agent end too. */
  quit(): void {
    for (const thread of this.threads.values()) thread.killTerminals();
    process.exit(0);
  }
}
