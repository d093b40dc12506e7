import {
  type AgentProgress,
  type FromRunner,
  HEARTBEAT_MS,
  type HostAnswer,
  type HostCall,
  type IssueAnswer,
  LineClosed,
  type Mask,
  PROTOCOL_VERSION,
  type RunnerReport,
  type RunPhase,
  type ToolResult,
  ToRunner,
  type Transport,
} from '@symphony-supervisor/protocol';
import {maskReport} from './mask-report.ts';

/**
 * A busy agent sends hundreds of messages a second, too many for a host of fifty agents. They are batched
 * here and reported at most this often; views are not updated more often either.
 */
const PROGRESS_INTERVAL_MS = 250;

export type StartOrder = Extract<ToRunner, {order: 'start'}>;
export type StopOrder = Extract<ToRunner, {order: 'stop'}>;

/** A host call without a matching answer: the host refused it, has exited, or took too long. */
export class Unanswered extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'Unanswered';
  }
}

/**
 * The runner's end of the connection: reports in order, one in transit at a time (IPC has no
 * backpressure), progress batched, host calls matched with their answers.
 */
export class RunnerLink {
  readonly #transport: Transport;
  readonly #mask: Mask;
  readonly #queue: FromRunner[] = [];
  readonly #waiting = new Map<number, (answer: HostAnswer) => void>();
  readonly #heartbeat: NodeJS.Timeout;
  #progress: (() => AgentProgress) | null = null;
  #progressTimer: NodeJS.Timeout | null = null;
  #progressSentAt = Number.NEGATIVE_INFINITY;
  #nextQuestion = 1;
  #pumping: Promise<void> | null = null;
  #closed = false;

  constructor(
    transport: Transport,
    mask: Mask,
    on: {
      start: (order: StartOrder) => void;
      stop: (order: StopOrder) => void;
      gone: () => void;
    },
  ) {
    this.#transport = transport;
    this.#mask = mask;
    transport.onMessage((message) => {
      const order = ToRunner.safeParse(message);
      if (!order.success) this.report({type: 'note', message: 'an invalid order was ignored'});
      else if (order.data.order === 'start') on.start(order.data);
      else if (order.data.order === 'stop') on.stop(order.data);
      else this.#waiting.get(order.data.answer.id)?.(order.data.answer);
    });
    transport.onClose(() => {
      this.#closed = true;
      for (const [id, answer] of this.#waiting) {
        answer({answer: 'refused', id, message: new LineClosed().message});
      }
      on.gone();
    });
    this.#heartbeat = setInterval(() => {
      // Behind a report that cannot be sent, a second heartbeat is redundant.
      if (this.#queue.length === 0) this.report({type: 'heartbeat'});
    }, HEARTBEAT_MS);
    this.#heartbeat.unref();
    this.report({type: 'hello', protocol: PROTOCOL_VERSION, pid: process.pid});
  }

  enter(phase: RunPhase): void {
    this.report({type: 'phase', phase});
  }

  report(report: RunnerReport): void {
    this.#sendProgress();
    this.#push({to: 'report', report: maskReport(report, this.#mask)});
  }

  /** There is progress to report. It is read when it is sent: the values are absolute, so the latest is enough. */
  progress(progress: () => AgentProgress): void {
    this.#progress = progress;
    if (this.#progressTimer !== null) return;
    const wait = this.#progressSentAt + PROGRESS_INTERVAL_MS - performance.now();
    this.#progressTimer = setTimeout(() => this.#sendProgress(), Math.max(0, wait));
  }

  /** Progress that must not be batched, because it is rare and important. */
  milestone(progress: () => AgentProgress): void {
    this.#progress = progress;
    this.#sendProgress();
  }

  async readIssue(limitMs: number): Promise<IssueAnswer> {
    const answer = await this.#ask({ask: 'issue', id: this.#nextQuestion++}, limitMs);
    if (answer.answer !== 'issue') throw new Unanswered('the answer was of another kind');
    return answer.value;
  }

  async callTool(tool: string, args: unknown, limitMs: number): Promise<ToolResult> {
    const call = {ask: 'tool', id: this.#nextQuestion++, tool, arguments: args} as HostCall;
    const answer = await this.#ask(call, limitMs);
    if (answer.answer !== 'tool') throw new Unanswered('the answer was of another kind');
    return answer.value;
  }

  /** Everything was sent, or never will be. */
  async flush(): Promise<void> {
    this.#sendProgress();
    while (this.#pumping !== null) await this.#pumping;
  }

  close(): void {
    clearInterval(this.#heartbeat);
    if (this.#progressTimer !== null) clearTimeout(this.#progressTimer);
    this.#transport.close();
  }

  async #ask(call: HostCall, limitMs: number): Promise<Exclude<HostAnswer, {answer: 'refused'}>> {
    if (this.#closed) throw new Unanswered(new LineClosed().message);
    const answer = await new Promise<HostAnswer>((resolve) => {
      const timer = setTimeout(() => {
        resolve({answer: 'refused', id: call.id, message: `no answer within ${limitMs} ms`});
      }, limitMs);
      this.#waiting.set(call.id, (answer) => {
        clearTimeout(timer);
        resolve(answer);
      });
      this.#push({to: 'ask', call});
    });
    this.#waiting.delete(call.id);
    if (answer.answer === 'refused') throw new Unanswered(answer.message);
    return answer;
  }

  #sendProgress(): void {
    if (this.#progressTimer !== null) clearTimeout(this.#progressTimer);
    this.#progressTimer = null;
    if (this.#progress === null) return;
    const report: RunnerReport = {type: 'agent', progress: this.#progress()};
    this.#progress = null;
    this.#progressSentAt = performance.now();
    this.#push({to: 'report', report: maskReport(report, this.#mask)});
  }

  #push(message: FromRunner): void {
    if (this.#closed) return;
    this.#queue.push(message);
    this.#pumping ??= this.#pump().finally(() => {
      this.#pumping = null;
    });
  }

  async #pump(): Promise<void> {
    for (let message = this.#queue[0]; message !== undefined; message = this.#queue[0]) {
      // A closed connection is reported by onClose; unsent messages no longer matter.
      await this.#transport.send(message).catch(() => {});
      this.#queue.shift();
    }
  }
}
