import {setTimeout as elapse} from 'node:timers/promises';
import {Gate} from '../puppet/gate.ts';

export type TurnStatus = 'inProgress' | 'completed' | 'interrupted' | 'failed';

/** Thrown into whatever a turn was busy with when it ended. */
export class TurnOver extends Error {}

/** What a step may rely on in a turn, whatever protocol tells of it. */
export abstract class PlayedTurn {
  abstract readonly id: string;
  /** The workspace. */
  abstract readonly cwd: string;
  /** Variables that mark what the agent starts. */
  abstract readonly marks: Readonly<Record<string, string>>;
  readonly #over: Promise<never>;
  #giveUp: (reason: TurnOver) => void = () => {};
  #steering = new Gate();
  #status: TurnStatus = 'inProgress';

  constructor() {
    this.#over = new Promise((_, reject) => {
      this.#giveUp = reject;
    });
    this.#over.catch(() => {}); // most turns end without a waiting caller
  }

  get status(): TurnStatus {
    return this.#status;
  }

  get isOver(): boolean {
    return this.#status !== 'inProgress';
  }

  /** Waits for `work`, but no longer than the turn lasts. */
  until<T>(work: Promise<T>): Promise<T> {
    return Promise.race([work, this.#over]);
  }

  /** Opens when new input cuts what the model is saying now. */
  get steering(): Gate {
    return this.#steering;
  }

  /** Lets `ms` pass, or for ever; false when new input cut it short. */
  async pause(ms: number | null): Promise<boolean> {
    const steering = this.#steering;
    await this.until(ms === null ? steering.passed : Promise.race([elapse(ms), steering.passed]));
    return !steering.isOpen;
  }

  /** More input: what the model was saying is cut, and the turn goes on. */
  protected cut(): void {
    this.#steering.open();
    this.#steering = new Gate();
  }

  /** The first end counts. */
  protected settle(status: Exclude<TurnStatus, 'inProgress'>): void {
    this.#status = status;
  }

  /** Everything that waits within the turn is given up. */
  protected giveUp(): void {
    this.#giveUp(new TurnOver());
  }
}
