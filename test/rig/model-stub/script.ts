/** A step, or how to find it once the request is there. May wait: so a test holds the model back. */
export type Answer<Request, Step> = Step | ((request: Request) => Step | Promise<Step>);

/** The answers of one turn, for turns that fit. */
export interface Script<Request, Step> {
  readonly answers: readonly Answer<Request, Step>[];
  readonly when: (request: Request) => boolean;
  /** How many turns it is still good for. */
  turnsLeft: number;
}

/** What the order of answers depends on, in one model API. */
export interface Turns<Request, Step> {
  /** The turn that a request belongs to. */
  turnOf(request: Request): string;
  /** Whether this request is the first of a turn, so that a turn of the same name that is over begins again. */
  isFirst(request: Request): boolean;
  /** Whether the agent repeats a request that was answered by this step. */
  outlastsRetries(step: Step): boolean;
}

interface TurnPlay<Request, Step> {
  readonly answers: readonly Answer<Request, Step>[];
  next: number;
  /** The failure it ended with, for the agent's further tries. */
  repeated: Step | null;
}

/** Which answer is next? Scripts go to turns in the order in which the turns first ask. */
export class Prompter<Request, Step extends object> {
  readonly #turns: Turns<Request, Step>;
  readonly #scripts: Script<Request, Step>[] = [];
  readonly #plays = new Map<string, TurnPlay<Request, Step>>();

  constructor(turns: Turns<Request, Step>) {
    this.#turns = turns;
  }

  add(script: Script<Request, Step>): void {
    this.#scripts.push(script);
  }

  /** Scripts that no turn has asked for yet. */
  get unplayed(): number {
    return this.#scripts.filter(({turnsLeft}) => turnsLeft > 0 && turnsLeft !== Infinity).length;
  }

  /** null when no script has an answer to this request. */
  async stepFor(request: Request): Promise<Step | null> {
    const play = this.#playOf(request);
    if (play === null) return null;
    const answer = play.answers[play.next];
    if (answer === undefined) return play.repeated;
    play.next += 1;
    const step = typeof answer === 'function' ? await answer(request) : answer;
    const isLast = play.next === play.answers.length;
    if (isLast && this.#turns.outlastsRetries(step)) play.repeated = step;
    return step;
  }

  #playOf(request: Request): TurnPlay<Request, Step> | null {
    const key = this.#turns.turnOf(request);
    const known = this.#plays.get(key);
    if (known !== undefined && !(isOver(known) && this.#turns.isFirst(request))) return known;
    const script = this.#scripts.find(({turnsLeft, when}) => turnsLeft > 0 && when(request));
    if (script === undefined) return known ?? null;
    script.turnsLeft -= 1;
    const play: TurnPlay<Request, Step> = {answers: script.answers, next: 0, repeated: null};
    this.#plays.set(key, play);
    return play;
  }
}

function isOver<R, S>({answers, next, repeated}: TurnPlay<R, S>): boolean {
  return next === answers.length && repeated === null;
}
