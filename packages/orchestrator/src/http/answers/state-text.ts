import type {SupervisorApi} from '../../shell/api/supervisor-api.ts';

/** Clients that poll in a tight loop get the same answer for this long. */
const FRESH_MS = 100;

/** The state as JSON, serialized a few times a second at most. */
export class StateText {
  readonly #api: Pick<SupervisorApi, 'snapshot'>;
  #text = '';
  #madeAt = Number.NEGATIVE_INFINITY;

  constructor(api: Pick<SupervisorApi, 'snapshot'>) {
    this.#api = api;
  }

  now(): string {
    const at = performance.now();
    if (at - this.#madeAt >= FRESH_MS) {
      this.#text = JSON.stringify(this.#api.snapshot);
      this.#madeAt = at;
    }
    return this.#text;
  }

  /** Called after an order, so that its caller sees the effect. */
  forget(): void {
    this.#madeAt = Number.NEGATIVE_INFINITY;
  }
}
