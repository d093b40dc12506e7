import {
  FromRunner,
  type HostAnswer,
  type HostCall,
  type Issue,
  isWorkable,
  type RunJob,
  type RunnerReport,
  type RunResult,
  type ToRunner,
  type TrackerSettings,
  type Transport,
} from '@symphony-supervisor/protocol';
import type {TrackerAdapter} from '@symphony-supervisor/tracker';
import {TRACKER_LIMIT_MS} from './find-issue.ts';

/** The host without a supervisor: gives the job, answers, and listens. */
export class StandaloneHost {
  /** null if the runner exited without one. */
  readonly result: Promise<RunResult | null>;
  readonly #transport: Transport;
  readonly #tracker: TrackerAdapter;
  readonly #settings: TrackerSettings;
  #issue: Issue;

  constructor(
    transport: Transport,
    tracker: TrackerAdapter,
    settings: TrackerSettings,
    issue: Issue,
    onReport: (report: RunnerReport) => void,
  ) {
    this.#transport = transport;
    this.#tracker = tracker;
    this.#settings = settings;
    this.#issue = issue;
    this.result = new Promise((resolve) => {
      transport.onClose(() => resolve(null));
      transport.onMessage((message) => {
        const said = FromRunner.parse(message);
        if (said.to === 'ask') return void this.#answer(said.call);
        onReport(said.report);
        if (said.report.type === 'result') resolve(said.report.result);
      });
    });
  }

  start(job: RunJob): void {
    this.#tell({order: 'start', job});
  }

  async #answer(call: HostCall): Promise<void> {
    const answer = await (call.ask === 'issue'
      ? this.#readIssue(call.id)
      : this.#callTool(call)
    ).catch(
      (error: unknown): HostAnswer => ({
        answer: 'refused',
        id: call.id,
        message: error instanceof Error ? error.message : String(error),
      }),
    );
    this.#tell({order: 'answer', answer});
  }

  async #readIssue(id: number): Promise<HostAnswer> {
    const signal = AbortSignal.timeout(TRACKER_LIMIT_MS);
    const read = await this.#tracker.issuesByIds([this.#issue.id], signal);
    if (!read.ok) return {answer: 'refused', id, message: read.failure.message};
    const issue = read.value[0] ?? null;
    this.#issue = issue ?? this.#issue;
    const goOn = issue !== null && isWorkable(issue, this.#settings);
    return {answer: 'issue', id, value: {issue, go_on: goOn}};
  }

  async #callTool(call: Extract<HostCall, {ask: 'tool'}>): Promise<HostAnswer> {
    const signal = AbortSignal.timeout(TRACKER_LIMIT_MS);
    const value = await this.#tracker.callTool(this.#issue, call.tool, call.arguments, signal);
    return {answer: 'tool', id: call.id, value};
  }

  #tell(message: ToRunner): void {
    // A runner that has exited in the meantime has reported its result before.
    this.#transport.send(message).catch(() => {});
  }
}
