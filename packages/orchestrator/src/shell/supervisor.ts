import {randomBytes} from 'node:crypto';
import {isDeepStrictEqual} from 'node:util';
import {NO_USAGE, type Workflow} from '@symphony-supervisor/protocol';
import {
  formatComplaint,
  type WorkflowContext,
  type WorkflowReading,
} from '@symphony-supervisor/protocol/workflow';
import type {Effect} from '../core/effect.ts';
import type {TimerName} from '../core/event.ts';
import {resumed} from '../core/resume.ts';
import {emptyState, type State} from '../core/state.ts';
import {InstanceLock, type Observe, openStore, type Store} from '../store/index.ts';
import {VERSION} from '../version.ts';
import {endFormerLife} from './former-life.ts';
import {FrontDesk} from './front-desk.ts';
import {Journal} from './journal.ts';
import type {Log} from './log.ts';
import {Loop} from './loop.ts';
import {Publisher} from './publisher.ts';
import {RecentEvents} from './recent-events.ts';
import {Runners} from './runners.ts';
import {REAL_CLOCK, Timers} from './timers.ts';
import {TrackerThread} from './tracker-thread.ts';
import {TrackerWork} from './tracker-work.ts';
import {WorkflowWatch} from './workflow-watch.ts';

export interface SupervisorOptions {
  readonly stateDir: string;
  readonly logsRoot: string;
  readonly workflows: readonly Workflow[];
  /** What changed workflow files are read against. */
  readonly context: WorkflowContext;
  readonly maxAgents: number | null;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The bundles of the runner and of the tracker thread. */
  readonly runnerPath: string;
  readonly trackerThreadPath: string;
  readonly log: Log;
  /** How often the store is written, and how long it takes. */
  readonly observeStore?: Observe;
}

/** The shell around the core: it owns the loop, and everything that acts. */
export class Supervisor implements AsyncDisposable {
  /** Resolves when a shutdown has come to its end. */
  readonly ended: Promise<void>;
  /** Where everybody from outside is served. */
  readonly desk: FrontDesk;
  readonly #options: SupervisorOptions;
  readonly #lock: AsyncDisposable;
  readonly #store: Store;
  readonly #loop: Loop;
  readonly #timers: Timers<TimerName>;
  readonly #thread: TrackerThread;
  readonly #work: TrackerWork;
  readonly #runners: Runners;
  readonly #publisher: Publisher;
  readonly #watches = new Map<string, WorkflowWatch>();
  #end: () => void = () => {};

  /** Takes the lock, ends what a former life left, and takes up what it had under way. */
  static async start(options: SupervisorOptions): Promise<Supervisor> {
    const lock = InstanceLock.take(options.stateDir, {pid: process.pid, startedAt: new Date()});
    const {store, damage} = openStore(
      options.stateDir,
      options.observeStore === undefined ? {} : {observe: options.observeStore},
    );
    if (damage !== null)
      options.log('error', {damage}, 'the store was damaged and has been rebuilt');
    const loaded = store.load();
    const openRuns = store.openRuns();
    const ended = await endFormerLife(loaded, openRuns);
    if (ended.length > 0) options.log('warn', {runs: ended}, 'ended what a former life left');
    closeOpenRuns(store, openRuns);
    const life = randomBytes(6).toString('hex');
    const state = resumed(
      {
        ...emptyState(life, options.maxAgents),
        books: loaded.books,
        pausedBefore: loaded.pausedProjects,
        ...(loaded.totals === null ? {} : {totals: loaded.totals}),
      },
      loaded.claims,
      REAL_CLOCK.now(),
    );
    const supervisor = new Supervisor(options, lock, store, state);
    await supervisor.#begin();
    return supervisor;
  }

  private constructor(
    options: SupervisorOptions,
    lock: AsyncDisposable,
    store: Store,
    state: State,
  ) {
    this.#options = options;
    this.#lock = lock;
    this.#store = store;
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    const {log, environment, logsRoot, runnerPath, trackerThreadPath} = options;
    this.#timers = new Timers((timer) => void this.#onTimer(timer));
    const recent = new RecentEvents();
    this.#publisher = new Publisher(() => this.state, REAL_CLOCK, {
      version: VERSION,
      pid: process.pid,
      started_at: new Date(REAL_CLOCK.now()).toISOString(),
    });
    this.#loop = new Loop({
      state,
      store,
      clock: REAL_CLOCK,
      log,
      journal: new Journal(log, recent),
      perform: (effect) => this.#perform(effect),
      onDecided: () => this.#publisher.noteChange(),
    });
    this.desk = new FrontDesk({
      ...{loop: this.#loop, store, publisher: this.#publisher, recent, logsRoot},
    });
    const loop = () => this.#loop;
    this.#thread = new TrackerThread({
      filename: trackerThreadPath,
      environment,
      onTrouble: (reason) => log('error', {reason}, 'trouble with the tracker thread'),
    });
    this.#work = new TrackerWork(this.#thread, loop, REAL_CLOCK);
    const runners = {path: runnerPath, environment, logsRoot, life: state.life};
    this.#runners = new Runners(runners, loop, this.#thread, this.#work);
  }

  get state(): State {
    return this.#loop.state;
  }

  shutdown(afterRunMs: number): void {
    this.#loop.post({type: 'shutdown.requested', afterRunMs});
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const watch of this.#watches.values()) await watch[Symbol.asyncDispose]();
    await this.#runners[Symbol.asyncDispose]();
    this.#timers[Symbol.dispose]();
    this.#publisher[Symbol.dispose]();
    this.#loop.flush();
    await this.#thread[Symbol.asyncDispose]();
    await this.#store[Symbol.asyncDispose]();
    await this.#lock[Symbol.asyncDispose]();
  }

  async #begin(): Promise<void> {
    for (const workflow of this.#options.workflows) {
      const {name} = workflow.settings;
      await this.#openTracker(workflow);
      this.#loop.post({type: 'project.loaded', workflow});
      await this.#thread.watch(name, () => this.#loop.post({type: 'poll.due', project: name}));
      const watch = new WorkflowWatch(workflow.path, this.#options.context, (reading) =>
        this.#onWorkflowRead(name, reading),
      );
      this.#watches.set(name, watch);
    }
    this.#loop.post({type: 'supervisor.started'});
    const projects = this.#options.workflows.map(({settings}) => settings.name);
    this.#options.log('info', {event: 'supervisor.started', projects}, 'supervisor.started');
  }

  async #openTracker({settings}: Workflow): Promise<void> {
    const opened = await this.#thread.open(settings.name, settings.tracker);
    if (opened.ok) return;
    this.#options.log('error', {failure: opened.failure}, 'the tracker cannot be opened');
  }

  /** A watch can be lost without a word, so the file is looked at before every tick as well. */
  async #onTimer(timer: TimerName): Promise<void> {
    if (timer.startsWith('poll ')) await this.#watches.get(timer.slice('poll '.length))?.check();
    this.#loop.post({type: 'timer.fired', timer});
  }

  #onWorkflowRead(project: string, reading: WorkflowReading): void {
    const known = this.state.projects.get(project);
    if (!reading.ok) {
      const problem = reading.errors.map(formatComplaint).join('; ');
      return this.#loop.post({type: 'project.broken', project, problem});
    }
    const {workflow} = reading;
    if (workflow.settings.name !== project) {
      const problem = `the project is now called ${workflow.settings.name}; that needs a restart`;
      return this.#loop.post({type: 'project.broken', project, problem});
    }
    if (known?.problem === null && isDeepStrictEqual(known.workflow, workflow)) return;
    // The calls keep their order, so whatever the new settings ask for meets the new tracker.
    void this.#openTracker(workflow);
    this.#loop.post({type: 'project.loaded', workflow});
  }

  #perform(effect: Effect): void {
    switch (effect.do) {
      case 'read-claimed':
        return void this.#work.readClaimed(effect);
      case 'read-candidates':
        return void this.#work.readCandidates(effect);
      case 'read-issue':
        return void this.#work.readIssue(effect);
      case 'write-state':
        return void this.#work.writeState(effect);
      case 'start-run':
        return void this.#runners.start(effect.key, effect.run);
      case 'stop-run':
        return this.#runners.stop(effect.runId, effect.reason, effect.afterRunMs);
      case 'kill-run':
        return this.#runners.kill(effect.runId);
      case 'finish-run':
        return void this.#runners.finish(effect.key, effect.runId, effect.outcome);
      case 'clean-workspace':
        return void this.#runners.clean(effect.key, effect.path);
      case 'probe-agent':
        return void this.#runners.probe(effect.project);
      case 'set-timer':
        return this.#timers.set(effect.timer, effect.at);
      case 'clear-timer':
        return this.#timers.clear(effect.timer);
      case 'record-run':
      case 'log':
        return; // written down with the decision that ordered it
      case 'exit':
        return this.#end();
    }
  }
}

/** A run on record that nobody claims to run any more. */
function closeOpenRuns(store: Store, openRuns: ReturnType<Store['openRuns']>): void {
  const endedAt = REAL_CLOCK.now();
  store.save({
    runsEnded: openRuns.map(({key, runId, attempt, startedAt}) => ({
      ...{key, runId, attempt, startedAt, endedAt, outcome: 'interrupted', failure: null, turns: 0},
      usage: NO_USAGE,
    })),
  });
}
