import type {RunnerReport} from '@symphony-supervisor/protocol';

type Fail = (problem: string) => void;

/** An issue is never handed off while the work of its last clean run is not delivered. */
export class Deliveries {
  readonly #undelivered = new Set<string>();

  /** What a supervisor that lived heard of a run, or of a delivery alone. */
  noteSaid(issueIds: readonly string[], said: RunnerReport): void {
    for (const id of issueIds) {
      if (said.type === 'result' && said.result.failure?.code === 'delivery_failed') {
        this.#undelivered.add(id);
      } else if (said.type === 'delivered' && said.failure === null) this.#undelivered.delete(id);
    }
  }

  /** An agent works on, and its next clean run delivers everything. */
  noteStart(issueId: string): void {
    this.#undelivered.delete(issueId);
  }

  checkHandoff(issueId: string, state: string, handoffState: string | null, fail: Fail): void {
    if (state === handoffState && this.#undelivered.has(issueId)) {
      fail(`${issueId} is handed off, and not delivered`);
    }
  }
}
