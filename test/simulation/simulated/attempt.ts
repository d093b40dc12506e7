import {
  type AttemptJob,
  addUsage,
  FAILURES,
  type Failure,
  type FailureCode,
  NO_USAGE,
  type RunResult,
  type ThreadRecord,
  type Usage,
} from '@symphony-supervisor/protocol';
import {LONGEST_RESET_MS} from '../checks/check-motion.ts';
import {TEMPERS, type Temper} from '../surroundings/temper.ts';
import {setClock, type World} from '../world.ts';
import {deliveryFailure} from './delivery.ts';
import {type SimulatedRunner, Stopped} from './simulated-runner.ts';

const CODES = Object.keys(FAILURES) as FailureCode[];
const NOTHING_CHANGED = {workspace_changed: false, issue_changed: false, tools_wrote: false};

/** One attempt at one issue, as an agent of some temper makes it. */
export class Attempt {
  readonly #world: World;
  readonly #runner: SimulatedRunner;
  readonly #job: AttemptJob;
  readonly #temper: Temper;
  #usage: Usage = NO_USAGE;
  #thread: ThreadRecord | null;
  #turns = 0;
  #messages = 0;
  #calls = 0;
  #wrote = false;

  constructor(world: World, runner: SimulatedRunner, job: AttemptJob) {
    this.#world = world;
    this.#runner = runner;
    this.#job = job;
    this.#thread = job.thread;
    const {chance, weather} = world;
    this.#temper = weather.isCalm ? 'finishes' : chance.of(TEMPERS);
    runner.ignoresStop = !weather.isCalm && chance.is(10);
    runner.isWedged = chance.is(20);
  }

  async live(): Promise<void> {
    try {
      await this.#work();
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
      await this.#stop();
    }
  }

  async #work(): Promise<void> {
    const {chance, weather} = this.#world;
    const runner = this.#runner;
    await runner.sleep(chance.span(30, 2_000));
    runner.say({type: 'hello', protocol: 4, pid: runner.identity?.pid ?? 1});
    const path = `${this.#job.workspace_root}/${this.#job.issue.identifier}`;
    if (!this.#enter(path)) return this.#end(this.#result('workspace_busy'));
    runner.say({type: 'phase', phase: 'preparing_workspace'});
    runner.say({type: 'workspace', path, created: this.#job.thread === null});
    await this.#hook('before_run');
    if (weather.host !== null) return this.#end(this.#result(weather.host));
    if (this.#temper === 'crashes' && chance.is(30)) return runner.exit('exit code 1');
    runner.say({type: 'phase', phase: 'launching_agent_process'});
    await runner.sleep(chance.span(100, 4_000));
    runner.say({type: 'agent_started', pid: this.#world.pids + 1});
    this.#openThread(path);
    const turns = chance.between(1, 3);
    while (this.#turns < turns && (this.#turns === 0 || (await this.#mayGoOn()))) {
      await this.#turn(turns);
    }
    await this.#conclude();
  }

  /** Whoever is there first has it. */
  #enter(path: string): boolean {
    const {disk} = this.#world;
    const place = disk.get(path) ?? {issueId: this.#job.issue.id, lockedBy: null};
    if (place.lockedBy !== null) return false;
    disk.set(path, {...place, lockedBy: this.#job.run_id});
    return true;
  }

  async #hook(hook: 'before_run' | 'after_run' | 'deliver'): Promise<void> {
    const {chance} = this.#world;
    if (!chance.is(50)) return;
    this.#runner.say({type: 'hook_started', hook});
    const duration_ms = chance.span(100, 20_000);
    await this.#runner.rest(duration_ms);
    this.#runner.say({type: 'hook_ended', hook, failure: null, duration_ms, output: ''});
  }

  #openThread(path: string): void {
    const resumed = this.#thread !== null && this.#thread.workspace_path === path;
    if (!resumed) {
      const id = `thread-of-${this.#job.run_id}`;
      this.#thread = {
        ...{
          agent: 'codex',
          id,
          workspace_path: path,
          usage: NO_USAGE,
          prompt_digest: 'd',
          turns: 0,
          ...{role: this.#job.role, phase: this.#job.phase, tools_digest: null},
        },
      };
    }
    if (this.#thread !== null) this.#runner.say({type: 'thread', thread: this.#thread, resumed});
  }

  async #turn(turns: number): Promise<void> {
    const {chance} = this.#world;
    const runner = this.#runner;
    this.#turns++;
    const [turn, session_id] = [this.#turns, `session-${this.#turns}`];
    const message_ids = turn === 1 ? this.#job.messages.map(({id}) => id) : [];
    runner.say({type: 'turn_started', turn, session_id, message_ids});
    runner.say({type: 'phase', phase: 'streaming_turn'});
    for (let steps = chance.between(1, 12); steps > 0; steps--) {
      await runner.sleep(chance.span(1_000, 25_000));
      this.#progress();
    }
    const isLast = this.#turns === turns;
    if (this.#temper === 'goes silent' && isLast) return await runner.sleep(10 * 3_600_000);
    if (this.#temper === 'stalls' && isLast) return await this.#stall();
    if (this.#temper === 'finishes' && isLast) await this.#move(this.#goal());
  }

  #goal(): string {
    const {chance, weather} = this.#world;
    return weather.isCalm ? 'Done' : chance.of(['Done', 'Done', 'Review', 'In Progress']);
  }

  #progress(): void {
    const {chance} = this.#world;
    const [input, output] = [chance.between(0, 3_000), chance.between(0, 500)];
    const more = {...NO_USAGE, input_tokens: input, output_tokens: output};
    this.#use({...more, total_tokens: input + output});
    this.#messages++;
    this.#runner.say({
      type: 'agent',
      progress: {
        ...{event: 'notification', message: 'working', messages: this.#messages},
        ...{signs_of_life: this.#messages, rate_limits: null, is_measured: true, models: []},
        ...{usage: this.#usage, thread_usage: this.#thread?.usage ?? this.#usage},
      },
    });
  }

  #use(more: Usage): void {
    this.#usage = addUsage(this.#usage, more);
    if (this.#thread === null) return;
    this.#thread = {...this.#thread, usage: addUsage(this.#thread.usage, more)};
  }

  /** Its process lives, its agent says nothing. */
  async #stall(): Promise<void> {
    this.#runner.stalledSince = this.#world.clock.monotonic();
    for (let minutes = 0; minutes < 15 * 4; minutes++) {
      await this.#runner.sleep(15_000);
      this.#runner.say({type: 'heartbeat'});
    }
  }

  async #move(state: string): Promise<void> {
    this.#calls++;
    const call = {ask: 'tool', id: this.#calls, tool: 'move', arguments: {state}} as const;
    const beating = this.#beat(this.#runner.ask(call));
    const answer = await beating;
    const isMoved = answer.answer === 'tool' && answer.value.wrote;
    this.#wrote ||= isMoved;
    if (isMoved && state !== 'In Progress') await this.#leaveAfterMove();
  }

  /** Mostly it is done; sometimes it does not come to an end, and the clock is set back meanwhile. */
  async #leaveAfterMove(): Promise<void> {
    const {chance, clock, weather} = this.#world;
    this.#runner.movedAwayAt = clock.monotonic();
    if (weather.isCalm || !chance.is(15)) return;
    if (chance.is(50)) {
      const byMs = -chance.span(60_000, 48 * 3_600_000);
      this.#world.after(chance.between(1, 50_000), () => setClock(this.#world, byMs));
    }
    for (let steps = chance.between(1, 60); steps > 0; steps--) {
      await this.#runner.sleep(chance.span(1_000, 25_000));
      this.#progress();
    }
  }

  async #mayGoOn(): Promise<boolean> {
    this.#calls++;
    const answer = await this.#beat(this.#runner.ask({ask: 'issue', id: this.#calls}));
    return answer.answer === 'issue' && answer.value.go_on;
  }

  /** Whoever waits for an answer lives all the same. */
  async #beat<T>(answer: Promise<T>): Promise<T> {
    let isOver = false;
    const beat = () => {
      if (isOver || !this.#runner.isAlive) return;
      this.#runner.say({type: 'heartbeat'});
      this.#world.after(10_000, beat);
    };
    this.#world.after(10_000, beat);
    try {
      return await answer;
    } finally {
      isOver = true;
    }
  }

  async #conclude(): Promise<void> {
    const {chance} = this.#world;
    if (this.#temper === 'crashes') return this.#runner.exit('signal SIGSEGV');
    if (this.#temper === 'fails') return this.#end(this.#result(chance.of(CODES)));
    if (this.#temper === 'asks') {
      const result = this.#result('turn_input_required');
      return this.#end({...result, outcome: 'input_required', question: 'Which one?'});
    }
    await this.#hook('after_run');
    await this.#hook('deliver');
    return this.#end(this.#result(deliveryFailure(this.#world)));
  }

  async #stop(): Promise<void> {
    const {chance} = this.#world;
    // What it said before it read our stop.
    if (chance.is(50) && this.#turns > 0) this.#progress();
    await this.#runner.rest(chance.span(50, 8_000));
    if (chance.is(10)) return this.#runner.exit('exit code 1');
    const outcome = this.#runner.stopReason ?? 'interrupted';
    return this.#end({...this.#result(null), outcome});
  }

  async #end(result: RunResult): Promise<void> {
    const {chance} = this.#world;
    const runner = this.#runner;
    runner.say({type: 'phase', phase: 'finishing'});
    runner.say({type: 'result', result});
    if (this.#temper === 'lingers') {
      // It says it twice, and then does not go.
      runner.say({type: 'result', result});
      await runner.rest(chance.span(1_000, 60_000));
    } else await runner.rest(chance.span(10, 3_000));
    runner.exit('exit code 0');
  }

  #result(code: FailureCode | null): RunResult {
    const {chance} = this.#world;
    // The last tokens are often told with the result only.
    if (this.#turns > 0) this.#use({...NO_USAGE, input_tokens: 100, total_tokens: 100});
    const isIdle = this.#temper === 'idles';
    return {
      outcome: code === null ? 'succeeded' : code === 'turn_timeout' ? 'timed_out' : 'failed',
      failure: code === null ? null : this.#failure(code),
      question: null,
      turns: this.#turns,
      is_measured: true,
      usage: this.#usage,
      models: [],
      thread: this.#thread,
      evidence: isIdle
        ? NOTHING_CHANGED
        : {...NOTHING_CHANGED, workspace_changed: chance.is(80), tools_wrote: this.#wrote},
      made: null,
      links: [],
    };
  }

  #failure(code: FailureCode): Failure {
    const {chance, clock} = this.#world;
    const failure = {code, message: `it was ${code}`};
    if (code !== 'usage_limit' || !chance.is(50)) return failure;
    return {
      ...failure,
      resets_at: new Date(clock.now() + chance.span(1_000, LONGEST_RESET_MS)).toISOString(),
    };
  }
}
