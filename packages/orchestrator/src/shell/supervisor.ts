import {resolve} from 'node:path';
import {isDeepStrictEqual} from 'node:util';
import type {Workflow} from '@symphony-supervisor/protocol';
import {
  type Complaint,
  formatComplaint,
  type WorkflowReading,
} from '@symphony-supervisor/protocol/workflow';
import type {WebhookDelivery} from '@symphony-supervisor/tracker';
import type {Effect} from '../core/effect.ts';
import type {TimerName} from '../core/event.ts';
import type {State} from '../core/state.ts';
import {hasBegun} from '../core/tracker/first-tick.ts';
import type {Observe, SessionTable, Store} from '../store/index.ts';
import {VERSION} from '../version.ts';
import {SupervisorApi} from './api/supervisor-api.ts';
import {Journal} from './journal.ts';
import type {Log} from './log.ts';
import {Loop} from './loop.ts';
import {
  type Outside,
  type RealOutsideOptions,
  realOutside,
  type StartRunner,
  type Trackers,
  type Watch,
} from './outside.ts';
import {Publisher} from './publisher.ts';
import {RecentEvents} from './recent-events.ts';
import {type TakenOver, takeOver} from './recovery/take-over.ts';
import {LeftProcesses} from './runners/left-processes.ts';
import {LoginShell} from './runners/login-shell.ts';
import type {RunnerEvents} from './runners/runner-process.ts';
import {Runners} from './runners/runners.ts';
import {Timers} from './timers.ts';
import {type ScreenedOut, screenWebhook} from './trackers/screen-webhook.ts';
import {trackerName} from './trackers/tracker-name.ts';
import {TrackerWork} from './trackers/tracker-work.ts';
import {Housekeeping} from './upkeep/housekeeping.ts';
import {WorkflowWarnings} from './upkeep/workflow-warnings.ts';

export interface SupervisorOptions extends RealOutsideOptions {
  readonly stateDir: string;
  readonly logsRoot: string;
  readonly workflows: readonly Workflow[];
  /** What their files were warned of when they were read. */
  readonly warnings?: readonly Complaint[];
  readonly maxAgents: number | null;
  /** One tick, and the end of what it started. */
  readonly once?: boolean;
  readonly log: Log;
  /** How often the store is written, and how long it takes. */
  readonly observeStore?: Observe;
  /** Hears of every decision, for measurements. Must be quick, and must not throw. */
  readonly observe?: Journal['note'];
}

/** A write on its way to the tracker is waited for so long; then the next life reads what became of it. */
const WRITES_MS = 5_000;

/** The shell around the core: it owns the loop, and everything that acts. */
export class Supervisor implements AsyncDisposable {
  /** Resolves when the first tick is over, and its runs have been started. */
  readonly begun: Promise<void>;
  /** Resolves when a shutdown has come to its end. */
  readonly ended: Promise<void>;
  /** What HTTP, terminal and command line call. */
  readonly api: SupervisorApi;
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
  readonly #login: LoginShell;
  readonly #watches = new Map<string, Watch>();
  readonly #warnings: WorkflowWarnings;
  /** By the monotonic clock; no bound while nobody has asked for a shutdown. */
  #endBy = Number.POSITIVE_INFINITY;
  #begin: (() => void) | null = null;
  #end: () => void = () => {};

  static async start(
    options: SupervisorOptions,
    outside: Outside = realOutside(options),
  ): Promise<Supervisor> {
    const supervisor = new Supervisor(options, outside, await takeOver(options, outside));
    await supervisor.#start();
    return supervisor;
  }

  private constructor(
    options: SupervisorOptions,
    outside: Outside,
    {lock, store, state, left}: TakenOver,
  ) {
    this.#options = options;
    this.#outside = outside;
    this.#lock = lock;
    this.#store = store;
    this.begun = new Promise((resolve) => {
      this.#begin = resolve;
    });
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    const {log, logsRoot, stateDir} = options;
    const {clock} = outside;
    const login = new LoginShell({
      ...{environment: options.environment, clock, log, read: outside.readLogin},
      workflows: () => this.#workflows(),
    });
    this.#login = login;
    this.#warnings = new WorkflowWarnings(log);
    this.#timers = new Timers(
      (timer) => void this.#onTimer(timer),
      clock,
      (byMs) => this.#loop.post({type: 'clock.jumped', byMs}),
    );
    const recent = new RecentEvents();
    const leftProcesses = new LeftProcesses(log);
    leftProcesses.note(left);
    this.#publisher = new Publisher(() => this.state, clock, {
      version: VERSION,
      pid: process.pid,
      started_at: new Date(clock.now()).toISOString(),
      get left_processes() {
        return leftProcesses.rows;
      },
      get login() {
        return login.facts;
      },
    });
    this.#loop = new Loop({
      state,
      store,
      clock,
      // Else what is planned after a jump would be moved by it once more.
      now: () => this.#timers.now(),
      log,
      journal: new Journal(log, recent),
      ...(options.observe === undefined ? {} : {observe: options.observe}),
      perform: (effect) => this.#perform(effect),
      onDecided: () => this.#onDecided(),
    });
    this.api = new SupervisorApi({
      ...{loop: this.#loop, store, publisher: this.#publisher, recent, logsRoot},
      now: () => this.#timers.now(),
      trackersAreDown: () => this.#thread.isDown,
    });
    const loop = () => this.#loop;
    this.#housekeeping = new Housekeeping({
      ...{stateDir, logsRoot, store, loop, outside, log},
      logs: outside.openLogs(logsRoot),
      isAtWork: (runId) => this.#runners.isAtWork(runId),
    });
    this.#thread = outside.openTrackers((reason) =>
      log('error', {event: 'tracker_thread.trouble', reason}, 'trouble with the tracker thread'),
    );
    this.#work = new TrackerWork(this.#thread, loop, outside, store, log);
    const startRunner: StartRunner = (job, events) => {
      const onLeft: RunnerEvents['onLeft'] = (processes) =>
        leftProcesses.note(processes, job.run_id);
      const environment = async () => (job.shell === 'plain' ? await login.environment() : null);
      return outside.startRunner(job, {...events, onLeft}, environment);
    };
    const runners = {startRunner, clock, logsRoot, life: state.life, log};
    this.#runners = new Runners(runners, loop, this.#thread, this.#work);
  }

  get state(): State {
    return this.#loop.state;
  }

  /** Browsers that are signed in, as the store has them. */
  get sessions(): SessionTable {
    return this.#store.sessions;
  }

  /** Before the body of a webhook is read. */
  screenWebhook(project: string, headers: WebhookDelivery['headers']): ScreenedOut | null {
    const settings = this.state.projects.get(project)?.workflow.settings.tracker;
    return screenWebhook(settings, this.#options.context.profiles, headers);
  }

  /** By the tracker itself, whose secret never leaves its thread. null: there is no such project. */
  judgeWebhook(project: string, delivery: WebhookDelivery) {
    const scope = this.state.projects.get(project)?.scope;
    if (scope === undefined) return null;
    return this.#thread.verifyWebhook(trackerName(project, scope), delivery);
  }

  /** Runs have this long to end, `after_run` included; then they are forced. */
  shutdown(withinMs: number): void {
    this.#endBy = Math.min(this.#endBy, this.#outside.clock.monotonic() + withinMs);
    this.#loop.post({type: 'shutdown.requested', withinMs});
  }

  /** Reads the workflow files and the login environment again. */
  async reload(): Promise<void> {
    this.#login.renew();
    await Promise.all([...this.#watches.values()].map((watch) => watch.check()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const watch of this.#watches.values()) await watch[Symbol.asyncDispose]();
    // Both at once: a runner without its job waits for the login shell.
    await Promise.all([this.#login[Symbol.asyncDispose](), this.#runners[Symbol.asyncDispose]()]);
    this.#timers[Symbol.dispose]();
    this.#publisher[Symbol.dispose]();
    this.#loop[Symbol.dispose]();
    await this.#thread[Symbol.asyncDispose]();
    await this.#store[Symbol.asyncDispose]();
    await this.#lock[Symbol.asyncDispose]();
  }

  async #start(): Promise<void> {
    const {workflows, warnings = []} = this.#options;
    // Beside everything else that a start does; a runner gets its job when this is over.
    this.#login.renew();
    for (const workflow of workflows) {
      const {name} = workflow.settings;
      const own = warnings.filter(({path}) => resolve(path) === workflow.path);
      this.#warnings.tell(name, own);
      this.#loop.post({type: 'project.loaded', workflow});
      await this.#housekeeping.checkDisk(workflow);
      this.#housekeeping.warnOfSweptRoot(workflow, this.#options.context.tmpDir);
      const watch = this.#outside.watchWorkflow(workflow.path, (reading) =>
        this.#onWorkflowRead(name, reading),
      );
      this.#watches.set(name, watch);
    }
    this.#loop.post({type: 'supervisor.started'});
    void this.#housekeeping.letGoOfOld();
    const projects = workflows.map(({settings}) => settings.name);
    this.#options.log('info', {event: 'supervisor.started', projects}, 'supervisor.started');
  }

  #onDecided(): void {
    this.#publisher.noteChange();
    if (this.#begin === null || !hasBegun(this.state)) return;
    this.#begin();
    this.#begin = null;
  }

  /** The calls keep their order, so whatever is asked after this meets the new tracker. */
  async #openTracker(project: string, scope: number): Promise<void> {
    const settings = this.state.projects.get(project)?.workflow.settings;
    if (settings === undefined) return;
    const name = trackerName(project, scope);
    const opening = this.#thread.open(name, settings.tracker);
    const watching = this.#thread.watch(name, () =>
      this.#loop.post({type: 'tracker.changed', project}),
    );
    const opened = await opening;
    await watching;
    if (opened.ok) return;
    const about = {event: 'tracker.not_opened', project, reason: opened.failure.message};
    this.#options.log('error', about, 'the tracker cannot be opened');
  }

  /** Before every tick: a watch can be lost without a word, and a disk fills without one. */
  async #onTimer(timer: TimerName): Promise<void> {
    if (timer.startsWith('poll ')) {
      const project = timer.slice('poll '.length);
      await this.#watches.get(project)?.check();
      const workflow = this.state.projects.get(project)?.workflow;
      if (workflow !== undefined) await this.#housekeeping.checkDisk(workflow);
      this.#housekeeping.closeForgottenRuns();
    } else if (timer.startsWith('sweep ')) await this.#housekeeping.letGoOfOld();
    this.#loop.post({type: 'timer.fired', timer});
  }

  #onWorkflowRead(project: string, reading: WorkflowReading): void {
    const known = this.state.projects.get(project);
    this.#warnings.tell(project, reading.warnings);
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
    this.#loop.post({type: 'project.loaded', workflow});
    this.#login.renew();
  }

  /** As they are now; of a project that is not loaded yet, as it was given. */
  #workflows(): readonly Workflow[] {
    const {projects} = this.state;
    return this.#options.workflows.map(
      (given) => projects.get(given.settings.name)?.workflow ?? given,
    );
  }

  #perform(effect: Effect): void {
    switch (effect.do) {
      case 'open-tracker':
        return void this.#openTracker(effect.project, effect.scope);
      case 'close-tracker':
        return void this.#thread.close(trackerName(effect.project, effect.scope));
      case 'find-workspaces':
        return void this.#work.findWorkspaces(effect);
      case 'read-claimed':
        return void this.#work.readClaimed(effect);
      case 'read-candidates':
        return void this.#work.readCandidates(effect);
      case 'read-issue':
        return void this.#work.readIssue(effect);
      case 'write-state':
        return void this.#work.writeState(effect);
      case 'start-run':
        void this.#housekeeping.trimLogs();
        return void this.#runners.start(effect.key, effect.run);
      case 'stop-run':
        return this.#runners.stop(effect.runId, effect.reason, effect.withinMs);
      case 'kill-run':
        return this.#runners.kill(effect.runId);
      case 'finish-run':
        return void this.#runners.finish(effect.key, effect.runId, effect.outcome);
      case 'clean-workspace':
        return void this.#runners.clean(effect);
      case 'probe-agent':
        return void this.#runners.probe(effect.project);
      case 'set-timer':
        return this.#timers.set(effect.timer, effect.at);
      case 'clear-timer':
        return this.#timers.clear(effect.timer);
      case 'record-run':
      case 'record-release':
      case 'log':
        return; // written down with the decision that ordered it
      case 'exit':
        // What a write brings about is still taken note of, if it comes in time.
        return void this.#work.writesDone(this.#writesLimit()).then(() => this.#end());
    }
  }

  #writesLimit(): number {
    return Math.min(WRITES_MS, Math.max(0, this.#endBy - this.#outside.clock.monotonic()));
  }
}
