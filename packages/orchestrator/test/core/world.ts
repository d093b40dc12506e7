import assert from 'node:assert/strict';
import {type FailureCode, type Issue, NO_USAGE, type Workflow} from '@symphony-supervisor/protocol';
import fc from 'fast-check';
import {type Claim, type ClaimKey, claimKey, issueIdOf} from '../../src/core/claim.ts';
import type {OperatorCommand} from '../../src/core/event.ts';
import {emptyState} from '../../src/core/state.ts';
import {anIssue, aResult, aWorkflow, IDLE_RESULT, Table} from './builders.ts';
import {IDS, KNOBS, PROJECT, STATES, Surroundings} from './surroundings.ts';

/** The choices that make one history: each is a step, and a prefix of a history is a history. */
export const HISTORY = fc.array(fc.nat(1_000_000), {minLength: 30, maxLength: 200, size: 'max'});

/** What may come about, in any order: a tracker answers, runners live and die, people and clocks interfere. */
export class World extends Surroundings {
  /** By the operator, in this step: whose dismissal may end. */
  #wanted: ClaimKey | null = null;
  /** The same, whose claim is dropped. */
  #restarted: ClaimKey | null = null;

  constructor(table = new Table()) {
    super(table);
    this.#happens({type: 'project.loaded', workflow: aWorkflow(KNOBS)});
    this.#happens({type: 'supervisor.started'});
  }

  /** One step: three in four carry on with what is under way, the others disturb it. */
  step(choice: number): void {
    const goOn = this.#underWay();
    const before = this.table.state.claims;
    this.#restarted = null;
    this.#wanted = null;
    const isDisturbed = goOn.length === 0 || choice % 4 === 3;
    const steps = isDisturbed ? this.#disturbances : goOn;
    const rest = choice >> 2;
    steps[rest % steps.length]?.(Math.floor(rest / steps.length));
    this.#lookAtExit();
    this.unreadable.look(
      before,
      this.table.state.claims,
      (key) => key === this.#restarted || this.isOver(key),
    );
    this.dismissals.look(
      before,
      this.table.state.claims,
      (key) => this.heard.get(key)?.issue ?? null,
      (key) => key === this.#wanted || this.isOver(key),
    );
    this.lookAround();
  }

  #underWay(): ((choice: number) => void)[] {
    const steps: ((choice: number) => void)[] = [];
    if (this.reads.length > 0) steps.push((choice) => this.#deliverRead(choice));
    if (this.claimedReads.length > 0) steps.push((choice) => this.#deliverClaimed(choice));
    if (this.fetches.length > 0) steps.push((choice) => this.#deliverCandidates(choice));
    if (this.sweep !== null) steps.push((choice) => this.#deliverSweep(choice));
    if (this.writes.length > 0) steps.push((choice) => this.#deliverWrite(choice));
    if (this.isProbing) steps.push((choice) => this.#probed(choice));
    if (this.jobs.length > 0) steps.push((choice) => this.#jobDone(choice));
    if (this.runners.size > 0) {
      steps.push((choice) => this.#runnerLives(choice));
      steps.push((choice) => this.#runnerEnds(choice));
    }
    if (this.timers.size > 0) steps.push(() => this.#timerFires());
    return steps;
  }

  readonly #disturbances: ((choice: number) => void)[] = [
    (choice) => this.#personMoves(choice),
    (choice) => this.#personMoves(choice),
    (choice) => this.#lateTimer(choice),
    (choice) => this.#operator(choice),
    (choice) => this.#operator(choice),
    (choice) => this.#reload(choice),
    (choice) => this.#store(choice),
    (choice) => this.#clockJumps(choice),
    (choice) => this.#diskFills(choice),
    (choice) => this.#shutdown(choice),
    (choice) => this.#restart(choice),
  ];

  #happens(event: Parameters<Table['happens']>[0]): void {
    for (const effect of this.table.happens(event)) this.perform(effect);
  }

  #deliverRead(choice: number): void {
    const read = take(this.reads, choice);
    if (read === undefined) return;
    const {key, runId, askedAt} = read;
    const about = {type: 'issue.read', key, runId, askedAt} as const;
    if (choice % 5 === 4) {
      return this.#happens({...about, answer: {ok: false, message: 'down', notBefore: null}});
    }
    const value = this.#seenBy(read, choice).get(issueIdOf(key)) ?? null;
    // About a run that is over, or a claim that nobody cleans any more, it says nothing to the core.
    if (this.#isAwaited(key, runId)) this.hears(key, value, askedAt);
    this.#happens({...about, answer: {ok: true, value}});
  }

  #isAwaited(key: ClaimKey, runId: string | null): boolean {
    const claim = this.table.state.claims.get(key);
    if (runId === null) return claim?.is === 'stopping' && claim.step === 'confirming';
    return claim !== undefined && 'run' in claim && claim.run?.id === runId;
  }

  /** A fast tracker tells how things are now, a slow one how they were when it was asked. */
  #seenBy({seen}: {readonly seen: ReadonlyMap<string, Issue>}, choice: number) {
    return choice % 7 < 3 ? seen : this.issues;
  }

  #deliverClaimed(choice: number): void {
    const read = take(this.claimedReads, choice);
    if (read === undefined) return;
    const {ids, scope, askedAt} = read;
    const seen = this.#seenBy(read, choice);
    const found = ids.flatMap((id) => seen.get(id) ?? []);
    if (choice % 4 !== 3) {
      for (const id of ids) this.hearsOf(id, seen.get(id) ?? null, scope, askedAt);
    }
    const answer =
      choice % 4 === 3
        ? ({ok: false, message: 'down', notBefore: this.table.now + 5000} as const)
        : ({ok: true, value: found} as const);
    this.#happens({type: 'claimed.read', project: PROJECT, scope, ids, askedAt, answer});
  }

  #deliverCandidates(choice: number): void {
    const scope = take(this.fetches, choice);
    if (scope === undefined) return;
    const found = [...this.issues.values()].filter(
      ({state}) => state === 'Todo' || state === 'In Progress',
    );
    const answer =
      choice % 4 === 3
        ? ({ok: false, message: 'down', notBefore: null} as const)
        : ({ok: true, value: found} as const);
    this.#happens({type: 'candidates.read', project: PROJECT, scope, answer});
  }

  /** What lies on the disk, whoever left it there. */
  #deliverSweep(choice: number): void {
    const {sweep} = this;
    if (sweep === null) return;
    this.sweep = null;
    const {scope, askedAt} = sweep;
    const isHeard = choice % 3 !== 2 && scope === this.scope;
    const found = [...this.#seenBy(sweep, choice).values()].map((issue) => {
      if (isHeard) this.hearsOf(issue.id, issue, scope, askedAt);
      return {issue, host: 'local', path: `/workspaces/${PROJECT}/${issue.id}`};
    });
    const answer =
      choice % 3 === 2
        ? ({ok: false, message: 'down', notBefore: null} as const)
        : ({ok: true, value: found} as const);
    this.#happens({type: 'workspaces.found', project: PROJECT, scope, askedAt, answer});
  }

  #clockJumps(choice: number): void {
    const byMs = Math.max(1 - this.table.now, ((choice % 5) - 2) * 3_600_000);
    this.table.now += byMs;
    // A timer keeps its delay when the clock is set back, and is due when it has passed.
    if (byMs < 0) for (const [timer, at] of this.timers) this.timers.set(timer, at + byMs);
    this.#happens({type: 'clock.jumped', byMs});
  }

  #diskFills(choice: number): void {
    const shortage = choice % 4 === 0 ? 'only 3 MB are free' : null;
    this.#happens({type: 'disk.checked', project: PROJECT, shortage});
  }

  /** In order: when it says that it may exit, nothing of it runs. */
  #shutdown(choice: number): void {
    if (choice % 4 !== 0) return;
    this.#happens({type: 'shutdown.requested', withinMs: 1000});
  }

  #lookAtExit(): void {
    if (!this.exits) return;
    this.exits = false;
    assert.equal(this.runners.size, 0, 'it exits although a runner lives');
    this.#restart(0);
  }

  #deliverWrite(choice: number): void {
    const write = take(this.writes, choice);
    if (write === undefined) return;
    const {key, runId, issue, state} = write;
    const current = this.issues.get(issue.id);
    const answer =
      choice % 4 === 3 ? 'failed' : current?.state === issue.state ? 'written' : 'conflict';
    if (answer === 'written' && current !== undefined) {
      this.issues.set(issue.id, {...current, state});
      // It was compared with what the tracker had, which is newer than any read.
      this.hears(key, {...current, state}, this.table.asked++);
    }
    this.#happens({type: 'state.written', key, runId, answer});
  }

  #runnerLives(choice: number): void {
    const [runId, key] = [...this.runners][choice % Math.max(1, this.runners.size)] ?? [];
    if (runId === undefined || key === undefined) return;
    const total = choice % 200;
    const usage = {...NO_USAGE, input_tokens: total, total_tokens: total};
    const thread = {...(aResult().thread ?? assert.fail()), usage};
    const progress = {
      ...{
        event: null,
        message: null,
        messages: 1,
        signs_of_life: choice,
        rate_limits: null,
        is_measured: true,
        models: [],
      },
      ...{usage, thread_usage: usage},
    };
    const path = `/workspaces/${key}`;
    this.#happens({type: 'runner.started', key, runId, process: {pid: 1, startedAt: 'then'}});
    for (const report of [
      {type: 'workspace', path, created: true} as const,
      {type: 'thread', thread, resumed: false} as const,
      {type: 'agent', progress} as const,
    ]) {
      this.#happens({type: 'runner.reported', key, runId, report});
    }
    if (choice % 3 === 0) return;
    const message_ids = this.messages.begins(runId);
    const report = {type: 'turn_started', turn: 1, session_id: 's', message_ids} as const;
    this.#happens({type: 'runner.reported', key, runId, report});
  }

  #runnerEnds(choice: number): void {
    const [runId, key] = [...this.runners][choice % Math.max(1, this.runners.size)] ?? [];
    if (runId === undefined || key === undefined) return;
    const result = RESULTS[choice % RESULTS.length];
    if (result?.failure?.code === 'delivery_failed') this.deliveries.failed(key);
    if (result !== undefined) {
      this.#happens({type: 'runner.reported', key, runId, report: {type: 'result', result}});
    }
    this.runners.delete(runId);
    this.#happens({type: 'runner.exited', key, runId, how: 'signal SIGKILL'});
  }

  #timerFires(): void {
    const [first] = [...this.timers].sort((a, b) => a[1] - b[1]);
    if (first === undefined) return;
    const [timer, at] = first;
    this.timers.delete(timer);
    this.table.now = Math.max(this.table.now, at);
    this.#happens({type: 'timer.fired', timer: timer as never});
  }

  /** One that was replaced or cleared long ago. */
  #lateTimer(choice: number): void {
    const id = IDS[choice % IDS.length] ?? '1';
    const kind = (['retry', 'stall', 'heartbeat', 'turn-end'] as const)[choice % 4] ?? 'retry';
    this.#happens({type: 'timer.fired', timer: `${kind} ${claimKey(PROJECT, id)}`});
  }

  #personMoves(choice: number): void {
    const id = IDS[choice % IDS.length] ?? '1';
    // Mostly into work: an issue that is over or gone has no more history to make.
    const state = STATES[[0, 1, 0, 1, 0, 1, 2, 3, 4][(choice >> 2) % 9] ?? 0];
    if (state === undefined) this.issues.delete(id);
    else this.issues.set(id, anIssue({id, state}));
  }

  #operator(choice: number): void {
    const key = claimKey(PROJECT, IDS[choice % IDS.length] ?? '1');
    const commands: OperatorCommand[] = [
      {command: 'stop', key},
      {command: 'restart', key},
      {command: 'dismiss', key, orderedAt: this.table.asked},
      {command: 'clean', key},
      {command: 'retry', key, message: choice % 2 === 0 ? 'go' : null},
      {command: 'resume', project: null},
      {command: choice % 4 === 0 ? 'pause' : 'resume', project: null},
      {command: 'refresh', project: null},
    ];
    const command = commands[(choice >> 3) % commands.length];
    if (command?.command === 'restart') this.#restarted = key;
    if (command?.command === 'restart' || command?.command === 'retry') this.#wanted = key;
    if (command !== undefined) this.#happens({type: 'operator.commanded', by: 'me', command});
  }

  #probed(choice: number): void {
    if (!this.isProbing) return;
    this.isProbing = false;
    const failure = choice % 4 === 3 ? ({code: 'agent_not_found', message: 'none'} as const) : null;
    const result = {version: '1', logged_in: true, failure};
    this.#happens({type: 'agent.probed', project: PROJECT, result});
  }

  #jobDone(choice: number): void {
    const job = take(this.jobs, choice);
    if (job === undefined) return;
    if (job.do === 'clean') {
      const {key, path} = job;
      this.#happens({
        type: 'workspace.cleaned',
        key,
        path,
        outcome: CLEANED[choice % CLEANED.length] ?? assert.fail(),
      });
    } else if (job.do === 'deliver') this.#deliveryEnds(job, choice);
    else this.#happens({type: 'run.finished', key: job.key, runId: job.runId});
  }

  #deliveryEnds({key, runId}: {key: ClaimKey; runId: string}, choice: number): void {
    const code = ([null, 'delivery_failed', 'workspace_busy', 'runner_crashed'] as const)[
      choice % 4
    ];
    if (code == null) this.deliveries.succeeded(key);
    const failure = code == null ? null : {code, message: 'no'};
    this.#happens({type: 'work.delivered', key, runId, failure, links: []});
  }

  #reload(choice: number): void {
    if (choice % 6 === 0) {
      this.#happens({type: 'project.broken', project: PROJECT, problem: `line ${choice % 7}`});
    } else {
      // Now and then it names another part of the tracker.
      if (choice % 6 === 1) this.provider++;
      this.#happens({type: 'project.loaded', workflow: this.#workflow()});
    }
  }

  #workflow(): Workflow {
    return aWorkflow({...KNOBS, tracker: {...KNOBS.tracker, provider: {part: this.provider}}});
  }

  #store(choice: number): void {
    this.#happens({type: 'store.changed', isWritable: choice % 4 !== 0});
  }

  /** Killed and started again: what is in the store is all that is left. */
  #restart(choice: number): void {
    if (choice % 4 !== 0) return;
    const {claims, workspaces, kept} = this.table.state;
    const stored: [ClaimKey, Claim][] = JSON.parse(JSON.stringify([...claims]));
    assert.deepEqual(new Map(stored), claims, 'a claim does not survive the store');
    for (const pending of [this.reads, this.writes, this.jobs]) pending.length = 0;
    this.timers.clear();
    this.runners.clear();
    this.claimedReads.length = 0;
    this.fetches.length = 0;
    this.sweep = null;
    this.isProbing = false;
    this.lives++;
    const counters = new Map([...this.table.counters].filter(([key]) => claims.has(key)));
    // Now and then a row has suffered.
    const spoilt = choice % 12 === 8 ? stored[0] : undefined;
    if (spoilt !== undefined) {
      spoilt[1] = this.unreadable.spoil(PROJECT, issueIdOf(spoilt[0]), this.table.now);
    }
    const unreadable = new Set(this.unreadable.keys);
    const fresh = {...emptyState(`life${this.lives}`), counters, workspaces, kept, unreadable};
    this.table.restart(fresh, new Map(stored));
    this.#happens({type: 'project.loaded', workflow: this.#workflow()});
    this.#happens({type: 'supervisor.started'});
  }
}

const CODES: FailureCode[] = [
  ...([
    'turn_failed',
    'turn_timeout',
    'agent_not_found',
    'delivery_failed',
    'workspace_busy',
  ] as const),
  ...(['template_parse_error', 'context_window_exceeded', 'turn_input_required'] as const),
];
/** undefined: no result at all, as of a runner that was killed. */
const RESULTS = [
  aResult(),
  IDLE_RESULT,
  ...CODES.map((code) => aResult({outcome: 'failed', failure: {code, message: 'no'}})),
  undefined,
];

const CLEANED = [
  {is: 'removed'},
  {is: 'kept', reason: '1 commit not pushed'},
  {is: 'failed', failure: {code: 'workspace_error', message: 'it cannot be removed'}},
] as const;

function take<T>(list: T[], choice: number): T | undefined {
  return list.splice(choice % Math.max(1, list.length), 1)[0];
}
