import type {SupervisorApi} from '../../shell/api/supervisor-api.ts';

/** Whoever polls in a tight loop gets the same answer for this long. */
const FRESH_MS = 100;

/** The state as text, made a few times a second however many ask. */
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

  /** Whoever gave an order sees what came of it. */
  forget(): void {
    this.#madeAt = Number.NEGATIVE_INFINITY;
  }
}
