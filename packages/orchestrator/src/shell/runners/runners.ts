import {
  type AgentKind,
  type Failure,
  makeAttemptJob,
  makeCleanJob,
  makeDeliverJob,
  makeFinishJob,
  makeProbeJob,
  otherAgentsOf,
  profileNamed,
  type RunJob,
  type RunOutcome,
  type StopReason,
  type ToolSpec,
  type Workflow,
} from '@symphony-supervisor/protocol';
import type {Answer} from '@symphony-supervisor/tracker';
import {type Claim, type ClaimKey, projectOf, type Run} from '../../core/claim.ts';
import type {Host} from '../host/host.ts';
import type {Runner} from '../host/runner.ts';
import type {Log} from '../log.ts';
import type {Loop} from '../loop.ts';
import type {Outside, Trackers} from '../outside.ts';
import {trackerName} from '../trackers/tracker-name.ts';
import type {TrackerWork} from '../trackers/tracker-work.ts';
import {logSettingsOf} from '../upkeep/housekeeping.ts';
import {Cleaner, type ToClean} from './cleaner.ts';
import {ConcurrencyLimit} from './concurrency-limit.ts';
import {SmallJobs} from './small-jobs.ts';

export interface RunnersOptions {
  readonly host: Pick<Host, 'start' | 'startsAtOnce' | 'transcripts'>;
  readonly clock: Outside['clock'];
  readonly life: string;
  readonly log: Log;
}

/** A runner that exited normally without reporting the result of a workspace. */
const NOT_TOLD: Failure = {code: 'runner_crashed', message: 'its runner sent no result'};

/** All runner processes of this supervisor: attempts by their run id, and small jobs. */
export class Runners implements AsyncDisposable {
  readonly #options: RunnersOptions;
  readonly #loop: () => Loop;
  readonly #thread: Trackers;
  readonly #work: TrackerWork;
  readonly #processes = new Map<string, Runner>();
  /** Stopped before they were forked: they are never forked. */
  readonly #canceled = new Set<string>();
  /**
   * Starting is CPU-bound. Many starts in parallel would each take as long as all of them; in sequence, the first
   * agents are at work while the last runners start.
   */
  readonly #starters: ConcurrencyLimit;
  readonly #cleaner = new Cleaner((batch) => this.#clean(batch));
  readonly #smallJobs: SmallJobs;
  #isDisposed = false;

  constructor(options: RunnersOptions, loop: () => Loop, thread: Trackers, work: TrackerWork) {
    this.#options = options;
    this.#loop = loop;
    this.#thread = thread;
    this.#work = work;
    this.#starters = new ConcurrencyLimit(options.host.startsAtOnce);
    this.#smallJobs = new SmallJobs(options);
  }

  async start(key: ClaimKey, run: Run): Promise<void> {
    const claim = this.#loop().state.claims.get(key);
    if (claim === undefined) return;
    // Before it enters the queue of starts: a slow tracker delays no other run.
    const tools = await this.#thread.tools(trackerName(claim.project, claim.scope), claim.issue);
    await this.#starters.run(() => this.#start(key, run, tools));
  }

  async #start(key: ClaimKey, run: Run, tools: Answer<readonly ToolSpec[]>): Promise<void> {
    if (this.#isDisposed) return; // on record: the next supervisor continues it
    const claim = this.#loop().state.claims.get(key);
    const ofProject = this.#workflowOf(key);
    if (claim === undefined || ofProject === null) return;
    const {role, workflow} = profileNamed(ofProject, run.role);
    if (this.#canceled.delete(run.id)) {
      this.#loop().post({type: 'runner.exited', key, runId: run.id, how: 'it was never started'});
      return;
    }
    if (!tools.ok) {
      // Without its tools the agent could not move its issue.
      const why = `the tools of the tracker could not be read: ${tools.failure.message}`;
      this.#loop().post({type: 'run.not_started', key, runId: run.id, why});
      return;
    }
    const job = makeAttemptJob(workflow, {
      runId: run.id,
      issue: claim.issue,
      role,
      attempt: run.attempt,
      retry: run.retry,
      last_error: run.lastError,
      messages: claim.messages.map(({id, text}) => ({id, text})),
      thread: claim.thread,
      tools: tools.value,
      transcriptPath: this.#transcript(run.id),
      transcriptMaxBytes: (logSettingsOf(this.#loop().state) ?? workflow.settings.logs).maxRunBytes,
    });
    await this.#fork(job, key, run.id).ready;
  }

  stop(runId: string, reason: StopReason, withinMs: number | null): void {
    const runner = this.#processes.get(runId);
    if (runner === undefined) this.#canceled.add(runId);
    else runner.stop(reason, withinMs);
  }

  kill(runId: string): void {
    void this.#processes.get(runId)?.kill();
  }

  /** The last hook of a run whose runner died. */
  async finish(key: ClaimKey, runId: string, outcome: RunOutcome): Promise<void> {
    const claim = this.#loop().state.claims.get(key);
    const workflow = this.#workflowOf(key);
    const path = claim?.workspace?.path ?? null;
    if (claim !== undefined && workflow !== null && path !== null) {
      const details = {...this.#detailsOf(claim), workspacePath: path, outcome};
      const {conclusion} = await this.#smallJobs.run(makeFinishJob(workflow, details));
      if (conclusion === null && this.#isDisposed) return; // on record: the next supervisor does it
    }
    this.#loop().post({type: 'run.finished', key, runId});
  }

  /** The delivery alone, of an ended run. */
  async deliver(key: ClaimKey, runId: string): Promise<void> {
    const claim = this.#loop().state.claims.get(key);
    const workflow = this.#workflowOf(key);
    if (claim === undefined || workflow === null) return;
    // Without a recorded path the job fails with a message.
    const details = {...this.#detailsOf(claim), workspacePath: claim.workspace?.path ?? ''};
    const exit = await this.#smallJobs.run(makeDeliverJob(workflow, details));
    // Also for an interrupted delivery that reports so: the next supervisor delivers again.
    if (this.#isDisposed) return;
    const told = exit.conclusion?.type === 'delivered' ? exit.conclusion : null;
    const failure = told === null ? (exit.failure ?? NOT_TOLD) : told.failure;
    this.#loop().post({type: 'work.delivered', key, runId, failure, links: told?.links ?? []});
  }

  clean(toClean: ToClean): void {
    this.#cleaner.add(toClean);
  }

  async #clean(waiting: readonly ToClean[]): Promise<void> {
    const {claims} = this.#loop().state;
    const batch = waiting.flatMap(({key, ...toClean}) => {
      const issue = claims.get(key)?.issue;
      return issue === undefined ? [] : [{key, issue, ...toClean}];
    });
    const [first] = batch;
    const workflow = first === undefined ? null : this.#workflowOf(first.key);
    if (workflow === null) return;
    const runId = this.#smallJobs.nextId();
    const workspaces = batch.map(({issue, path, keepWork}) => ({
      ...{issue, workspace_path: path, keep_work: keepWork},
    }));
    const details = {runId, transcriptPath: this.#transcript(runId), workspaces};
    const exit = await this.#smallJobs.run(makeCleanJob(workflow, details));
    const outcomes = exit.conclusion?.type === 'cleaned' ? exit.conclusion.outcomes : [];
    for (const [index, {key, host, path}] of batch.entries()) {
      const outcome = outcomes[index] ?? {is: 'failed', failure: exit.failure ?? NOT_TOLD};
      if (outcome.is === 'failed' && this.#isDisposed) continue; // on record: the next supervisor cleans it
      this.#loop().post({type: 'workspace.cleaned', key, host, path, outcome});
    }
  }

  async probe(project: string, agentKind: AgentKind): Promise<void> {
    const workflow = this.#loop().state.projects.get(project)?.workflow;
    if (workflow === undefined) return;
    const agent = otherAgentsOf(workflow).get(agentKind) ?? workflow.settings.agent;
    const runId = this.#smallJobs.nextId();
    const details = {runId, transcriptPath: this.#transcript(runId)};
    const job = makeProbeJob({...workflow, settings: {...workflow.settings, agent}}, details);
    const exit = await this.#smallJobs.run(job);
    if (this.#isDisposed) return; // not a result of the agent: the supervisor aborted it
    const result =
      exit.conclusion?.type === 'probed'
        ? exit.conclusion.result
        : {version: null, logged_in: null, failure: exit.failure};
    this.#loop().post({type: 'agent.probed', project, agentKind, result});
  }

  /** Runs and small jobs alike. */
  isAtWork(runId: string): boolean {
    return this.#processes.has(runId) || this.#smallJobs.isAtWork(runId);
  }

  /** Asks all remaining runners to end, and waits; each has a time limit. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true;
    this.#cleaner[Symbol.dispose]();
    const runners = [...this.#processes.values(), this.#smallJobs];
    await Promise.all(runners.map((runner) => runner[Symbol.asyncDispose]()));
  }

  #fork(job: RunJob, key: ClaimKey, runId: string): Runner {
    const runner = this.#options.host.start(job, {
      onReport: (report) => this.#loop().post({type: 'runner.reported', key, runId, report}),
      onCall: (call) => this.#work.answer(key, runId, call),
      onExit: ({how, failure, mayStartAgain}) => {
        this.#processes.delete(runId);
        if (mayStartAgain) return void this.#fork(job, key, runId); // without; it never got its job
        this.#loop().post({type: 'runner.exited', key, runId, how: failure?.message ?? how});
      },
    });
    this.#processes.set(runId, runner);
    const process = runner.identity;
    if (process !== null) this.#loop().post({type: 'runner.started', key, runId, process});
    return runner;
  }

  #detailsOf({issue}: Claim) {
    const runId = this.#smallJobs.nextId();
    return {runId, issue, attempt: null, transcriptPath: this.#transcript(runId)};
  }

  #transcript(runId: string): string {
    return this.#options.host.transcripts.pathOf(runId);
  }

  #workflowOf(key: ClaimKey): Workflow | null {
    return this.#loop().state.projects.get(projectOf(key))?.workflow ?? null;
  }
}
