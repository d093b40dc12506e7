import {
  type Evidence,
  type Failure,
  type Made,
  type ResultLink,
  RunFailure,
  type RunOutcome,
  type RunResult,
  type ThreadRecord,
} from '@symphony-supervisor/protocol';
import type {MeasuredUsage} from '../agent/progress.ts';
import type {StopSignal} from './stop-signal.ts';

/** The result of a run while it is being determined. The first outcome is final. */
export class Ledger {
  turns = 0;
  /** Read at the very end: a stopping agent still reports its usage. */
  thread: () => ThreadRecord | null = () => null;
  evidence: Evidence | null = null;
  made: Made | null = null;
  links: readonly ResultLink[] = [];
  readonly #stop: StopSignal;
  #outcome: RunOutcome | null = null;
  #failure: Failure | null = null;
  #question: string | null = null;

  constructor(stop: StopSignal) {
    this.#stop = stop;
  }

  get outcome(): RunOutcome {
    return this.#outcome ?? 'succeeded';
  }

  /** From now on it is final: later steps, such as `after_run`, get the outcome. */
  settle(): void {
    this.#outcome ??= this.#stop.reason ?? 'succeeded';
  }

  failed(error: unknown): void {
    if (this.#outcome !== null) return;
    // A failure while a run is being stopped is caused by the stop.
    if (this.#stop.reason !== null) this.settle();
    else {
      this.#failure = error instanceof RunFailure ? error.failure : unforeseen(error);
      this.#outcome = OUTCOMES[this.#failure.code] ?? 'failed';
      if (this.#outcome === 'input_required') this.#question = this.#failure.message;
    }
  }

  /** Known after the outcome is final: the agent did its work, but it is not delivered. */
  undelivered(failure: Failure): void {
    this.#outcome = 'failed';
    this.#failure = failure;
  }

  result(measured: MeasuredUsage): RunResult {
    return {
      outcome: this.outcome,
      failure: this.#failure,
      question: this.#question,
      turns: this.turns,
      ...measured,
      thread: this.thread(),
      evidence: this.evidence,
      made: this.made,
      links: [...this.links],
    };
  }
}

const OUTCOMES: Partial<Record<Failure['code'], RunOutcome>> = {
  turn_timeout: 'timed_out',
  turn_input_required: 'input_required',
};

/** A full file system, a missing permission: not a failure of the agent. */
function unforeseen(error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error);
  return {code: 'workspace_error', message};
}
