import type {ModelRequest} from './model-request.ts';
import {outlastsRetries, type Step} from './stub-step.ts';

/** A step, or how to find it once the request is there. May wait: so a test holds the model back. */
export type Answer = Step | ((request: ModelRequest) => Step | Promise<Step>);

/** The answers of one turn, for turns that fit. */
export interface Script {
  readonly answers: readonly Answer[];
  readonly when: (request: ModelRequest) => boolean;
  /** How many turns it is still good for. */
  turnsLeft: number;
}

interface TurnPlay {
  readonly answers: readonly Answer[];
  next: number;
  /** The failure it ended with, for Codex's further tries. */
  repeated: Step | null;
}

/** Which answer is next? Scripts go to turns in the order in which the turns first ask. */
export class Prompter {
  readonly #scripts: Script[] = [];
  readonly #turns = new Map<string, TurnPlay>();

  add(script: Script): void {
    this.#scripts.push(script);
  }

  /** Scripts that no turn has asked for yet. */
  get unplayed(): number {
    return this.#scripts.filter(({turnsLeft}) => turnsLeft > 0 && turnsLeft !== Infinity).length;
  }

  /** null when no script has an answer to this request. */
  async stepFor(request: ModelRequest): Promise<Step | null> {
    const play = this.#playOf(request);
    if (play === null) return null;
    const answer = play.answers[play.next];
    if (answer === undefined) return play.repeated;
    play.next += 1;
    const step = typeof answer === 'function' ? await answer(request) : answer;
    if (play.next === play.answers.length && outlastsRetries(step)) play.repeated = step;
    return step;
  }

  #playOf(request: ModelRequest): TurnPlay | null {
    // A request outside any turn is a turn of its own.
    const key = request.turnId ?? `request-${request.index}`;
    const known = this.#turns.get(key);
    if (known !== undefined) return known;
    const script = this.#scripts.find(({turnsLeft, when}) => turnsLeft > 0 && when(request));
    if (script === undefined) return null;
    script.turnsLeft -= 1;
    const play: TurnPlay = {answers: script.answers, next: 0, repeated: null};
    this.#turns.set(key, play);
    return play;
  }
}
