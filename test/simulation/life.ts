import {copyFileSync, existsSync, mkdirSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {Supervisor} from 'symphony-supervisor/supervisor';
import type {Outside} from '../../packages/orchestrator/src/shell/outside.ts';
import type {Clock} from '../../packages/orchestrator/src/shell/timers.ts';
import {letGoOfOldAndLook} from './simulated/retention.ts';
import {SimulatedHost} from './simulated/simulated-host.ts';
import {SimulatedTrackers} from './simulated/simulated-trackers.ts';
import {breakStoreForAWhile, mendStore} from './simulated/store-fault.ts';
import {CONTEXT} from './simulated/workflow-files.ts';
import {TIMERS_LATE_MS} from './surroundings/clock.ts';
import type {World} from './world.ts';

/** Where a supervisor can be killed or lose its store, apart from between two things that happen. */
export type Point = 'before a save' | 'after a save' | 'fork' | 'write' | 'answer';

const SHUTDOWN_MS = 30_000;

/** One life of the supervisor: the real one, in this world, on a folder of its own. */
export class Life {
  readonly number: number;
  readonly dir: string;
  readonly trackers: SimulatedTrackers;
  isAlive = true;
  isLeaving = false;
  /** When it last let go of what is too old; by the monotonic clock. */
  letGoAt = Number.NEGATIVE_INFINITY;
  supervisor: Supervisor | null = null;
  /** The so-manieth time that it comes there is one too many. */
  fuse: {point: Point; times: number; then: 'kill' | 'break the store'} | null = null;
  readonly #world: World;
  readonly #root: string;
  readonly #starting: Promise<Supervisor>;

  constructor(world: World, root: string, dir: string) {
    this.#world = world;
    this.#root = root;
    this.dir = dir;
    world.lives++;
    this.number = world.lives;
    world.life = this;
    this.trackers = new SimulatedTrackers(world, this);
    world.files.mendBroken(); // it would not start with a bad one
    world.tell(`life ${this.number} begins`);
    this.#starting = this.#start();
    this.#starting.then(
      (supervisor) => {
        if (this.isAlive) this.supervisor = supervisor;
      },
      (error: unknown) => world.watcher.fail(`it does not start: ${error}`),
    );
  }

  /** The process is gone, now: what is on the disk is all that is left of it. */
  kill(): void {
    if (!this.isAlive) return;
    const world = this.#world;
    world.tell(`life ${this.number} is killed`);
    world.watcher.noteKilled(this);
    const next = join(this.#root, `life-${this.number + 1}`);
    mkdirSync(next, {recursive: true, mode: 0o700});
    for (const name of ['symphony.db', 'symphony.db-wal']) {
      const path = join(this.dir, name);
      if (existsSync(path)) copyFileSync(path, join(next, name));
    }
    world.ledger.cut(world.clock.monotonic());
    this.#end(next);
    // What is left of it in this process does no longer count: it acts on a folder that nobody reads.
    void this.#starting
      .then((supervisor) => supervisor[Symbol.asyncDispose]())
      .then(() => rmSync(this.dir, {recursive: true, force: true}));
  }

  /** As on SIGTERM: within a bound, and then at once. */
  async leave(): Promise<void> {
    if (this.supervisor === null || this.isLeaving || !this.isAlive) return;
    const {supervisor} = this;
    this.isLeaving = true;
    this.#world.tell(`life ${this.number} is to leave`);
    supervisor.shutdown(SHUTDOWN_MS - 1_000);
    await Promise.race([supervisor.ended, this.#world.sleep(SHUTDOWN_MS)]);
    if (!this.isAlive) return;
    await supervisor[Symbol.asyncDispose]();
    if (!this.isAlive) return;
    this.#world.watcher.noteLeft(this);
    // What could not be written is as lost as after a kill.
    const {ledger, clock} = this.#world;
    if (ledger.unwritableSince !== null) ledger.cut(clock.monotonic());
    this.#end(this.dir);
  }

  /** Here it happens, if this is where it is to happen. */
  reach(point: Point): void {
    if (this.fuse?.point !== point || !this.isAlive) return;
    this.fuse.times--;
    if (this.fuse.times > 0) return;
    const {then} = this.fuse;
    this.fuse = null;
    if (then === 'kill') this.kill();
    else breakStoreForAWhile(this.#world);
  }

  #end(nextDir: string): void {
    this.isAlive = false;
    const world = this.#world;
    if (world.life === this) world.life = null;
    for (const runner of world.processes.values()) {
      if (runner.life === this) runner.loseSupervisor();
    }
    if (world.ledger.unwritableSince !== null) mendStore(world, nextDir);
    const downMs = world.weather.isCalm ? 1_000 : world.chance.span(500, 1_800_000);
    world.after(downMs, () => new Life(world, this.#root, nextDir));
  }

  #start(): Promise<Supervisor> {
    const world = this.#world;
    const workflows = world.files.projects.flatMap((project) => {
      const reading = world.files.read(world.files.pathOf(project));
      return reading.ok && reading.workflow.settings.name === project ? [reading.workflow] : [];
    });
    const options = {
      stateDir: this.dir,
      logsRoot: this.#logsRoot,
      workflows,
      context: CONTEXT,
      maxAgents: 4,
      environment: {},
      runnerPath: '',
      trackerThreadPath: '',
      log: (level: string, {event, reason}: Readonly<Record<string, unknown>>, message: string) => {
        if (this.isAlive) world.tell(`${level} ${message} ${event} ${reason}`);
        if (message === 'the event could not be decided and is ignored')
          world.watcher.fail(`an event was set aside: ${event}`);
      },
      observeStore: ({is}: {is: 'save-begun' | 'save-ended'}) =>
        this.reach(is === 'save-begun' ? 'before a save' : 'after a save'),
    };
    return Supervisor.start(options, this.#outside());
  }

  get #logsRoot(): string {
    return join(this.#root, 'logs');
  }

  #outside(): Outside {
    const world = this.#world;
    return {
      clock: this.#clock(),
      newLife: () => `life${this.number}`,
      openTrackers: () => this.trackers,
      openHost: ({logsRoot}) => new SimulatedHost(world, this, logsRoot),
      watchWorkflow: (path, onRead) => {
        let known = '';
        const check = async () => {
          const text = world.files.textOf(path);
          if (text === known || !this.isAlive) return;
          known = text;
          onRead(world.files.read(path));
        };
        return {check, [Symbol.asyncDispose]: async () => {}};
      },
      letGoOfOld: (options, now) =>
        world.waitFor(letGoOfOldAndLook(world, this, this.#logsRoot, options, now)),
    };
  }

  #clock(): Clock {
    const {clock, chance, weather} = this.#world;
    return {
      now: () => clock.now(),
      monotonic: () => clock.monotonic(),
      setTimeout: (wake, delayMs) => {
        const isLate = !weather.isCalm && chance.is(1);
        const lateMs = isLate ? chance.between(1, TIMERS_LATE_MS) : 0;
        return clock.setTimeout(() => {
          if (this.isAlive) wake();
        }, delayMs + lateMs);
      },
      clearTimeout: (timeout) => clock.clearTimeout(timeout),
    };
  }
}
