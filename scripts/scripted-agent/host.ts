import type {Output} from './output.ts';
import type {Report} from './puppet/control-line.ts';
import {Gate} from './puppet/gate.ts';
import type {Step} from './script/step.ts';

/** What can ask this process to end, and what it can be told to be deaf to. */
export type EndOfLife = 'SIGTERM' | 'stdin';

/** This process: what outlives a turn, and the ways in which it ends. Each protocol has its own. */
export abstract class Host {
  readonly output: Output;
  readonly home: string;
  /** Turns under way, each as a place for orders of the test. */
  readonly turns = new Map<string, {readonly perform: (step: Step) => unknown}>();
  /** Reports events to the test, if there is a control connection. */
  report: (report: Report) => void = () => {};
  readonly #deafTo = new Set<EndOfLife>();
  readonly #gates = new Map<string, Gate>();

  constructor(output: Output, home: string) {
    this.output = output;
    this.home = home;
  }

  /** A step that needs no turn. */
  abstract perform(step: Step): unknown;

  /** The commands of the agent end. */
  protected abstract killShells(): void;

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
    if (!this.#deafTo.has(end)) this.quit(end);
  }

  /** A clean end, and the commands of the agent end too. */
  quit(_end: EndOfLife | null = null): void {
    this.killShells();
    process.exit(0);
  }
}
