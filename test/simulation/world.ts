import {createHash} from 'node:crypto';
import {Ledger} from './ledger.ts';
import type {Life} from './life.ts';
import type {SimulatedRunner} from './simulated/simulated-runner.ts';
import {WorkflowFiles} from './simulated/workflow-files.ts';
import type {Chance} from './surroundings/chance.ts';
import {WorldClock} from './surroundings/clock.ts';
import {Issues} from './surroundings/issues.ts';
import {Weather} from './surroundings/weather.ts';
import {Watcher} from './watcher.ts';

/** So many lines are kept to show what led to a broken promise. */
const LINES_KEPT = 60;

/** Everything that outlives a supervisor: time, the tracker, the disk, processes, files, and the books. */
export class World {
  readonly clock = new WorldClock();
  readonly chance: Chance;
  readonly weather = new Weather();
  readonly issues = new Issues(() => this.clock.now());
  readonly files = new WorkflowFiles();
  /** Workspaces on the disk: whose they are, and which runner has locked them. */
  readonly disk = new Map<string, {readonly issueId: string; lockedBy: string | null}>();
  /** Runners that live, whoever started them. */
  readonly processes = new Map<string, SimulatedRunner>();
  readonly ledger = new Ledger();
  readonly watcher = new Watcher(this);
  /** The present life of the supervisor; null while it is down. */
  life: Life | null = null;
  lives = 0;
  pids = 100_000;
  readonly #digest = createHash('sha256');
  readonly #lines: string[] = [];
  readonly #underWay = new Set<Promise<unknown>>();
  lineCount = 0;

  constructor(chance: Chance) {
    this.chance = chance;
  }

  /** Everything of note, in order: the same seed must tell the same story. */
  tell(line: string): void {
    const told = `${this.clock.monotonic()} ${line}`;
    this.#digest.update(told);
    this.lineCount++;
    this.#lines.push(told);
    if (this.#lines.length > LINES_KEPT) this.#lines.shift();
  }

  get story(): string {
    return this.#lines.join('\n');
  }

  digest(): string {
    return this.#digest.copy().digest('hex');
  }

  after(delayMs: number, act: () => void): void {
    this.clock.setTimeout(act, delayMs);
  }

  /** The clock stands still until it is done. */
  waitFor<T>(something: Promise<T>): Promise<T> {
    this.#underWay.add(something);
    void something.finally(() => this.#underWay.delete(something));
    return something;
  }

  /** All that was set in motion comes to rest: whatever waits longer, waits for the clock. */
  async settle(): Promise<void> {
    do {
      await Promise.all(this.#underWay);
      await new Promise(setImmediate);
    } while (this.#underWay.size > 0);
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.after(ms, resolve));
  }
}

/** Somebody sets the clock, forward or back, or the machine slept. */
export function setClock(world: World, byMs: number): void {
  world.tell(`the clock jumps by ${byMs} ms`);
  world.clock.jump(byMs);
}
