import type {Workflow} from '@symphony-supervisor/protocol';
import type {Complaint} from '@symphony-supervisor/protocol/workflow';
import type {TimerName} from '../core/event.ts';
import type {State} from '../core/state.ts';
import type {Observe, SessionTable, Store} from '../store/index.ts';
import {VERSION} from '../version.ts';
import {SupervisorApi} from './api/supervisor-api.ts';
import type {Host} from './host/host.ts';
import {Journal} from './journal.ts';
import type {Log} from './log.ts';
import {type Announce, Loop} from './loop.ts';
import {type Outside, type RealOutsideOptions, realOutside, type Trackers} from './outside.ts';
import {type Actors, perform} from './perform.ts';
import {Publisher} from './publisher.ts';
import {RecentEvents} from './recent-events.ts';
import {type TakenOver, takeOver} from './recovery/take-over.ts';
import {Runners} from './runners/runners.ts';
import {Timers} from './timers.ts';
import {ProjectTrackers} from './trackers/project-trackers.ts';
import {TrackerWork} from './trackers/tracker-work.ts';
import {Housekeeping} from './upkeep/housekeeping.ts';
import {WatchedWorkflows} from './upkeep/watched-workflows.ts';

export interface SupervisorOptions extends RealOutsideOptions {
  readonly stateDir: string;
  readonly logsRoot: string;
  readonly workflows: readonly Workflow[];
  /** Warnings of their files from the first read. */
  readonly warnings?: readonly Complaint[];
  readonly maxAgents: number | null;
  /** One tick, and the end of what it started. */
  readonly once?: boolean;
  readonly log: Log;
  /** How often the store is written, and how long it takes. */
  readonly observeStore?: Observe;
  /** Receives the announcements of every decision, for metrics. Must be fast, and must not throw. */
  readonly observe?: Announce;
}

/** Time limit for a pending write to the tracker; after it the next supervisor reads its result. */
const WRITES_MS = 5_000;

/** The shell around the core: it owns the loop, and everything that acts. */
export class Supervisor implements AsyncDisposable {
  /** Resolves at the end of a shutdown. */
  readonly ended: Promise<void>;
  /** What HTTP, terminal and command line call. */
  readonly api: SupervisorApi;
  readonly webhooks: Pick<ProjectTrackers, 'screenWebhook' | 'judgeWebhook'>;
  readonly #options: SupervisorOptions;
  readonly #lock: AsyncDisposable;
  readonly #store: Store;
  readonly #loop: Loop;
  readonly #timers: Timers<TimerName>;
  readonly #outside: Outside;
  readonly #thread: Trackers;
  readonly #work: TrackerWork;
  readonly #runners: Runners;
  readonly #publisher: Publisher;
  readonly #housekeeping: Housekeeping;
  readonly #host: Host;
  readonly #workflows: WatchedWorkflows;
  /** By the monotonic clock; no limit before a shutdown is requested. */
  #endBy = Number.POSITIVE_INFINITY;
  #end: () => void = () => {};

  static async start(
    options: SupervisorOptions,
    outside: Outside = realOutside(options),
  ): Promise<Supervisor> {
    const host = outside.openHost(options);
    const taken = await takeOver(options, outside, host).catch(async (error: unknown) => {
      await host[Symbol.asyncDispose]();
      throw error;
    });
    const supervisor = new Supervisor(options, outside, host, taken);
    await supervisor.#start();
    return supervisor;
  }

  private constructor(
    options: SupervisorOptions,
    outside: Outside,
    host: Host,
    {lock, store, state}: TakenOver,
  ) {
    this.#options = options;
    this.#outside = outside;
    this.#host = host;
    this.#lock = lock;
    this.#store = store;
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    const {log} = options;
    const {clock} = outside;
    this.#timers = new Timers(
      (timer) => void this.#onTimer(timer),
      clock,
      (byMs) => this.#loop.post({type: 'clock.jumped', byMs}),
    );
    const recent = new RecentEvents();
    const journal = new Journal(log, recent);
    this.#publisher = new Publisher(() => this.state, clock, {
      version: VERSION,
      pid: process.pid,
      started_at: new Date(clock.now()).toISOString(),
      get left_processes() {
        return [...host.leftProcesses];
      },
      get login() {
        return host.login;
      },
    });
    this.#loop = new Loop({
      state,
      store,
      clock,
      // Otherwise timers set after a jump would be moved by it once more.
      now: () => this.#timers.now(),
      log,
      announce: (announcements, after) => {
        journal.tell(announcements);
        options.observe?.(announcements, after);
      },
      perform: (effect) => perform(effect, actors),
      onDecided: () => this.#publisher.noteChange(),
    });
    this.api = new SupervisorApi({
      ...{loop: this.#loop, store, publisher: this.#publisher, recent, host},
      now: () => this.#timers.now(),
      monotonic: () => outside.clock.monotonic(),
      trackersAreDown: () => this.#thread.isDown,
    });
    const loop = () => this.#loop;
    this.#housekeeping = new Housekeeping({
      ...{host, store, loop, outside, log},
      isAtWork: (runId) => this.#runners.isAtWork(runId),
    });
    this.#thread = outside.openTrackers((reason) =>
      log('error', {event: 'tracker_thread.trouble', reason}, 'the tracker thread has a problem'),
    );
    this.#work = new TrackerWork(this.#thread, loop, {clock, host}, store, log);
    const runners = {host, clock, life: state.life, log};
    this.#runners = new Runners(runners, loop, this.#thread, this.#work);
    this.#workflows = new WatchedWorkflows({
      ...{given: options.workflows, warnings: options.warnings ?? [], loop, log},
      watchWorkflow: outside.watchWorkflow,
      onChanged: () => this.#renewLogin(),
    });
    const {profiles} = options.context;
    const trackers = new ProjectTrackers({threads: this.#thread, loop, profiles, log});
    this.webhooks = trackers;
    const actors: Actors = {
      ...{trackers, work: this.#work, runners: this.#runners},
      ...{housekeeping: this.#housekeeping, timers: this.#timers},
      exit: () => void this.#exit(),
    };
  }

  get state(): State {
    return this.#loop.state;
  }

  /** Signed-in browsers, as in the store. */
  get sessions(): SessionTable {
    return this.#store.sessions;
  }

  /** Time for runs to end, including `after_run`; then they are killed. */
  shutdown(withinMs: number): void {
    this.#endBy = Math.min(this.#endBy, this.#outside.clock.monotonic() + withinMs);
    this.#loop.post({type: 'shutdown.requested', withinMs});
  }

  /** Reads the workflow files and the login environment again. */
  async reload(): Promise<void> {
    this.#renewLogin();
    await this.#workflows.checkAll();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#workflows[Symbol.asyncDispose]();
    // In parallel: a runner without its job waits for the login environment of its host.
    await Promise.all([this.#host[Symbol.asyncDispose](), this.#runners[Symbol.asyncDispose]()]);
    this.#timers[Symbol.dispose]();
    this.#publisher[Symbol.dispose]();
    this.#loop[Symbol.dispose]();
    await this.#thread[Symbol.asyncDispose]();
    await this.#store[Symbol.asyncDispose]();
    await this.#lock[Symbol.asyncDispose]();
  }

  async #start(): Promise<void> {
    const {workflows, log} = this.#options;
    // In parallel with the rest of the start; a runner gets its job when this is done.
    this.#renewLogin();
    for (const workflow of workflows) {
      this.#workflows.load(workflow);
      await this.#housekeeping.checkDisk(workflow);
      this.#housekeeping.warnOfSweptRoot(workflow, this.#options.context.tmpDir);
      this.#workflows.watch(workflow);
    }
    this.#loop.post({type: 'supervisor.started'});
    void this.#housekeeping.letGoOfOld();
    const projects = workflows.map(({settings}) => settings.name);
    log('info', {event: 'supervisor.started', projects}, 'supervisor.started');
  }

  #renewLogin(): void {
    this.#host.renewLogin(this.#workflows.current());
  }

  /** File and disk are checked before every tick: neither has to report its change. */
  async #onTimer(timer: TimerName): Promise<void> {
    if (timer.startsWith('poll ')) {
      const project = timer.slice('poll '.length);
      await this.#workflows.check(project);
      const workflow = this.state.projects.get(project)?.workflow;
      if (workflow !== undefined) await this.#housekeeping.checkDisk(workflow);
      this.#housekeeping.closeForgottenRuns();
    } else if (timer.startsWith('sweep ')) await this.#housekeeping.letGoOfOld();
    // A requested tick has begun and ended in the meantime, and set the next one: this one would come too soon.
    if (this.#timers.isSet(timer)) return;
    this.#loop.post({type: 'timer.fired', timer});
  }

  /** The result of a write is still recorded, if it arrives in time. */
  async #exit(): Promise<void> {
    await this.#work.writesDone(this.#writesLimit());
    this.#end();
  }

  #writesLimit(): number {
    return Math.min(WRITES_MS, Math.max(0, this.#endBy - this.#outside.clock.monotonic()));
  }
}
