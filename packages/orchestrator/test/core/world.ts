import assert from 'node:assert/strict';
import {
  type FailureCode,
  type Issue,
  isTerminal,
  NO_USAGE,
  type Workflow,
} from '@symphony-supervisor/protocol';
import {type Claim, type ClaimKey, claimKey} from '../../src/core/claim.ts';
import type {Effect} from '../../src/core/effect.ts';
import type {OperatorCommand} from '../../src/core/event.ts';
import {resumed} from '../../src/core/resume.ts';
import {Slots} from '../../src/core/slots.ts';
import {emptyState} from '../../src/core/state.ts';
import {anIssue, aResult, aWorkflow, type Knobs, Table} from './builders.ts';

export const KNOBS: Knobs = {
  agent: {
    maxConcurrentAgents: 2,
    maxRuns: 6,
    maxConsecutiveFailures: 3,
    maxIdleRuns: 2,
    maxTokens: 500,
  },
  tracker: {inProgressState: 'In Progress', handoffState: 'Review'},
};
const STATES = ['Todo', 'In Progress', 'Review', 'Done'];
const IDS = ['1', '2', '3', '4'];
const PROJECT = 'p';

interface Pending {
  readonly key: ClaimKey;
  readonly runId: string;
}

/**
 * Everything around the core that a history may set in motion, in any order: a tracker, runners,
 * timers, people. After each step it looks whether the core has kept its promises.
 */
export class World {
  readonly table = new Table();
  readonly #issues = new Map<string, Issue>(IDS.map((id) => [id, anIssue({id})]));
  readonly #timers = new Map<string, number>();
  readonly #runners = new Map<string, ClaimKey>();
  #reads: Pending[] = [];
  #writes: (Pending & {issue: Issue; state: string})[] = [];
  #jobs: ({do: 'clean'; key: ClaimKey; path: string} | ({do: 'finish'} & Pending))[] = [];
  #claimedReads: {scope: number; ids: readonly string[]}[] = [];
  #fetches: number[] = [];
  #isSweeping = false;
  #provider = 0;
  #isProbing = false;
  /** What the core last heard of each issue. */
  readonly #heard = new Map<ClaimKey, Issue | null>();
  #lives = 0;
  #exits = false;

  constructor() {
    this.#happens({type: 'project.loaded', workflow: aWorkflow(KNOBS)});
    this.#happens({type: 'supervisor.started'});
  }

  /** One step: three in four carry on with what is under way, the others disturb it. */
  step(choice: number): void {
    const goOn = this.#underWay();
    const isDisturbed = goOn.length === 0 || choice % 4 === 3;
    const steps = isDisturbed ? this.#disturbances : goOn;
    const rest = choice >> 2;
    steps[rest % steps.length]?.(Math.floor(rest / steps.length));
    this.#lookAtExit();
    this.#lookAround();
  }

  #underWay(): ((choice: number) => void)[] {
    const steps: ((choice: number) => void)[] = [];
    if (this.#reads.length > 0) steps.push((choice) => this.#deliverRead(choice));
    if (this.#claimedReads.length > 0) steps.push((choice) => this.#deliverClaimed(choice));
    if (this.#fetches.length > 0) steps.push((choice) => this.#deliverCandidates(choice));
    if (this.#isSweeping) steps.push((choice) => this.#deliverSweep(choice));
    if (this.#writes.length > 0) steps.push((choice) => this.#deliverWrite(choice));
    if (this.#isProbing) steps.push((choice) => this.#probed(choice));
    if (this.#jobs.length > 0) steps.push((choice) => this.#jobDone(choice));
    if (this.#runners.size > 0) {
      steps.push((choice) => this.#runnerLives(choice));
      steps.push((choice) => this.#runnerEnds(choice));
    }
    if (this.#timers.size > 0) steps.push(() => this.#timerFires());
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
    for (const effect of this.table.happens(event)) this.#perform(effect);
  }

  #perform(effect: Effect): void {
    switch (effect.do) {
      case 'read-issue':
        this.#reads.push(effect);
        return;
      case 'write-state':
        this.#assertNotOver(effect.key);
        this.#writes.push(effect);
        return;
      case 'read-claimed':
        assert.ok(
          effect.scope !== this.#scope ||
            !this.#claimedReads.some(({scope}) => scope === effect.scope),
          'two reads of the claimed at once',
        );
        this.#claimedReads.push(effect);
        return;
      case 'read-candidates':
        assert.ok(!this.#fetches.includes(effect.scope), 'two fetches at once');
        this.#fetches.push(effect.scope);
        return;
      case 'find-workspaces':
        assert.equal(this.#isSweeping, false, 'two sweeps at once');
        this.#isSweeping = true;
        return;
      case 'exit':
        this.#exits = true;
        return;
      case 'start-run':
        this.#assertMayStart(effect.key);
        this.#runners.set(effect.run.id, effect.key);
        return;
      case 'clean-workspace':
        this.#assertNobodyRuns(effect.key);
        this.#jobs.push({do: 'clean', key: effect.key, path: effect.path});
        return;
      case 'finish-run':
        this.#jobs.push({do: 'finish', key: effect.key, runId: effect.runId});
        return;
      case 'probe-agent':
        this.#isProbing = true;
        return;
      case 'set-timer':
        this.#timers.set(effect.timer, effect.at);
        return;
      case 'clear-timer':
        this.#timers.delete(effect.timer);
        return;
      default:
        return;
    }
  }

  #deliverRead(choice: number): void {
    const read = take(this.#reads, choice);
    if (read === undefined) return;
    if (choice % 5 === 4) {
      const answer = {ok: false, message: 'down', notBefore: null} as const;
      return this.#happens({type: 'issue.read', ...read, answer});
    }
    const value = this.#issues.get(idOf(read.key)) ?? null;
    this.#heard.set(read.key, value);
    this.#happens({type: 'issue.read', ...read, answer: {ok: true, value}});
  }

  #deliverClaimed(choice: number): void {
    const read = take(this.#claimedReads, choice);
    if (read === undefined) return;
    const {ids, scope} = read;
    const found = ids.flatMap((id) => this.#issues.get(id) ?? []);
    if (choice % 4 !== 3) {
      for (const id of ids) this.#heard.set(claimKey(PROJECT, id), this.#issues.get(id) ?? null);
    }
    const answer =
      choice % 4 === 3
        ? ({ok: false, message: 'down', notBefore: this.table.now + 5000} as const)
        : ({ok: true, value: found} as const);
    this.#happens({type: 'claimed.read', project: PROJECT, scope, ids, answer});
  }

  #deliverCandidates(choice: number): void {
    const scope = take(this.#fetches, choice);
    if (scope === undefined) return;
    const found = [...this.#issues.values()].filter(
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
    this.#isSweeping = false;
    const found = [...this.#issues.values()].map((issue) => {
      this.#heard.set(claimKey(PROJECT, issue.id), issue);
      return {issue, path: `/workspaces/${PROJECT}/${issue.id}`};
    });
    const answer =
      choice % 3 === 2
        ? ({ok: false, message: 'down', notBefore: null} as const)
        : ({ok: true, value: found} as const);
    this.#happens({type: 'workspaces.found', project: PROJECT, answer});
  }

  #clockJumps(choice: number): void {
    const byMs = ((choice % 5) - 2) * 3_600_000;
    this.table.now = Math.max(1, this.table.now + byMs);
    this.#happens({type: 'clock.jumped', byMs});
  }

  #diskFills(choice: number): void {
    const shortage = choice % 4 === 0 ? 'only 3 MB are free' : null;
    this.#happens({type: 'disk.checked', project: PROJECT, shortage});
  }

  /** In order: when it says that it may exit, nothing of it runs. */
  #shutdown(choice: number): void {
    if (choice % 4 !== 0) return;
    this.#happens({type: 'shutdown.requested', afterRunMs: 1000});
  }

  #lookAtExit(): void {
    if (!this.#exits) return;
    this.#exits = false;
    assert.equal(this.#runners.size, 0, 'it exits although a runner lives');
    this.#restart(0);
  }

  get #scope(): number {
    return this.table.state.projects.get(PROJECT)?.scope ?? 0;
  }

  #deliverWrite(choice: number): void {
    const write = take(this.#writes, choice);
    if (write === undefined) return;
    const {key, runId, issue, state} = write;
    const current = this.#issues.get(issue.id);
    const answer =
      choice % 4 === 3 ? 'failed' : current?.state === issue.state ? 'written' : 'conflict';
    if (answer === 'written' && current !== undefined)
      this.#issues.set(issue.id, {...current, state});
    this.#happens({type: 'state.written', key, runId, answer});
  }

  #runnerLives(choice: number): void {
    const [runId, key] = [...this.#runners][choice % Math.max(1, this.#runners.size)] ?? [];
    if (runId === undefined || key === undefined) return;
    const total = choice % 200;
    const usage = {...NO_USAGE, input_tokens: total, total_tokens: total};
    const thread = {...(aResult().thread ?? assert.fail()), usage};
    const progress = {
      ...{event: null, message: null, messages: 1, signs_of_life: choice, rate_limits: null},
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
  }

  #runnerEnds(choice: number): void {
    const [runId, key] = [...this.#runners][choice % Math.max(1, this.#runners.size)] ?? [];
    if (runId === undefined || key === undefined) return;
    const result = RESULTS[choice % RESULTS.length];
    if (result !== undefined) {
      this.#happens({type: 'runner.reported', key, runId, report: {type: 'result', result}});
    }
    this.#runners.delete(runId);
    this.#happens({type: 'runner.exited', key, runId, how: 'signal SIGKILL'});
  }

  #timerFires(): void {
    const [first] = [...this.#timers].sort((a, b) => a[1] - b[1]);
    if (first === undefined) return;
    const [timer, at] = first;
    this.#timers.delete(timer);
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
    if (state === undefined) this.#issues.delete(id);
    else this.#issues.set(id, anIssue({id, state}));
  }

  #operator(choice: number): void {
    const key = claimKey(PROJECT, IDS[choice % IDS.length] ?? '1');
    const commands: OperatorCommand[] = [
      {command: 'stop', key},
      {command: 'release', key},
      {command: 'retry', key, message: 'go'},
      {command: 'resume', project: null},
      {command: choice % 4 === 0 ? 'pause' : 'resume', project: null},
      {command: 'refresh', project: null},
    ];
    const command = commands[(choice >> 3) % commands.length];
    if (command !== undefined) this.#happens({type: 'operator.commanded', by: 'me', command});
  }

  #probed(choice: number): void {
    if (!this.#isProbing) return;
    this.#isProbing = false;
    const failure = choice % 4 === 3 ? ({code: 'codex_not_found', message: 'none'} as const) : null;
    const result = {version: '1', logged_in: true, failure};
    this.#happens({type: 'agent.probed', project: PROJECT, result});
  }

  #jobDone(choice: number): void {
    const job = take(this.#jobs, choice);
    if (job === undefined) return;
    if (job.do === 'clean') {
      const {key, path} = job;
      this.#happens({type: 'workspace.cleaned', key, path, failure: null});
    } else this.#happens({type: 'run.finished', key: job.key, runId: job.runId});
  }

  #reload(choice: number): void {
    if (choice % 6 === 0) {
      this.#happens({type: 'project.broken', project: PROJECT, problem: `line ${choice % 7}`});
    } else {
      // Now and then it names another part of the tracker.
      if (choice % 6 === 1) this.#provider++;
      this.#happens({type: 'project.loaded', workflow: this.#workflow()});
    }
  }

  #workflow(): Workflow {
    return aWorkflow({...KNOBS, tracker: {...KNOBS.tracker, provider: {part: this.#provider}}});
  }

  #store(choice: number): void {
    this.#happens({type: 'store.changed', isWritable: choice % 4 !== 0});
  }

  /** Killed and started again: what is in the store is all that is left. */
  #restart(choice: number): void {
    if (choice % 4 !== 0) return;
    const {claims, books, workspaces} = this.table.state;
    const stored: [ClaimKey, Claim][] = JSON.parse(JSON.stringify([...claims]));
    assert.deepEqual(new Map(stored), claims, 'a claim does not survive the store');
    for (const pending of [this.#reads, this.#writes, this.#jobs]) pending.length = 0;
    this.#timers.clear();
    this.#runners.clear();
    this.#claimedReads.length = 0;
    this.#fetches.length = 0;
    this.#isSweeping = false;
    this.#isProbing = false;
    this.#lives++;
    const fresh = {...emptyState(`life${this.#lives}`), books, workspaces};
    this.table.state = resumed(fresh, new Map(stored), this.table.now);
    this.#happens({type: 'project.loaded', workflow: this.#workflow()});
    this.#happens({type: 'supervisor.started'});
  }

  #assertMayStart(key: ClaimKey): void {
    assert.ok(![...this.#runners.values()].includes(key), `${key} would run twice`);
    const slots = new Slots(this.table.state.claims, null, this.table.now);
    const limit = KNOBS.agent?.maxConcurrentAgents ?? 0;
    assert.ok(slots.used(PROJECT) <= limit, `${slots.used(PROJECT)} of ${limit} slots are taken`);
    const runs = this.table.state.books.get(key)?.runs ?? 0;
    assert.ok(runs <= (KNOBS.agent?.maxRuns ?? 0), `${key} has had ${runs} runs`);
  }

  #assertNobodyRuns(key: ClaimKey): void {
    assert.ok(![...this.#runners.values()].includes(key), `${key} is cleaned while it runs`);
  }

  /** No write of ours after the issue was seen to be over. */
  #assertNotOver(key: ClaimKey): void {
    const heard = this.#heard.get(key);
    const {tracker} = aWorkflow(KNOBS).settings;
    assert.ok(heard == null || !isTerminal(heard.state, tracker), `${key} is over and written to`);
  }

  #lookAround(): void {
    for (const [key, claim] of this.table.state.claims) {
      assert.ok(
        this.#isInMotion(key, claim),
        `${key} is ${claim.is} and waits for nothing: ${JSON.stringify(claim)}`,
      );
    }
  }

  /** A runner, a timer, an answer to come, or a reason to wait. */
  #isInMotion(key: ClaimKey, claim: Claim): boolean {
    if (claim.is === 'held') return true;
    const {isShuttingDown} = this.table.state;
    if (claim.is === 'retrying') {
      return isShuttingDown || this.#timers.has(`retry ${key}`) || claim.waitsFor !== null;
    }
    const run = claim.run;
    return (
      (run !== null && this.#runners.get(run.id) === key) ||
      this.#reads.some((read) => read.key === key && read.runId === run?.id) ||
      this.#writes.some((write) => write.key === key && write.runId === run?.id) ||
      this.#jobs.some((job) => job.key === key)
    );
  }
}

const CODES: FailureCode[] = [
  ...(['turn_failed', 'turn_timeout', 'codex_not_found', 'workspace_busy'] as const),
  ...(['template_parse_error', 'context_window_exceeded', 'turn_input_required'] as const),
];
const IDLE = {workspace_changed: false, issue_changed: false, tools_wrote: false};
/** undefined: no result at all, as of a runner that was killed. */
const RESULTS = [
  aResult(),
  aResult({evidence: IDLE}),
  ...CODES.map((code) => aResult({outcome: 'failed', failure: {code, message: 'no'}})),
  undefined,
];

function take<T>(list: T[], choice: number): T | undefined {
  return list.splice(choice % Math.max(1, list.length), 1)[0];
}

function idOf(key: ClaimKey): string {
  return key.slice(key.indexOf('/') + 1);
}
