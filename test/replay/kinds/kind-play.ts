import type {Message, RecordedEntry} from './agent-recording.ts';
import type {ClientMessage, RecordedProtocol} from './recorded-kind.ts';
import type {Puppet} from './relayed-agent.ts';

type Ours = {readonly message: Message; readonly what: ClientMessage};

/** What the recorded client did next, so that ours is made to do the same. */
export type Cue =
  | {readonly is: 'prompt'; readonly text: string}
  | {readonly is: 'interrupt'}
  /** There is no further turn on record. */
  | {readonly is: 'end'};

/**
 * Plays a recording to our client, in step with what it sends. Where the recorded client did something else than ours
 * (it granted what ours declines, it was slower to interrupt), the recording is left, and the protocol says how the agent
 * would have ended the turn.
 */
export class KindPlay {
  /** Requests of the agent, and how often each was answered. */
  readonly asked = new Map<string, number>();
  /** Messages of our client that a real agent would not have known. */
  readonly unexpected: string[] = [];
  readonly #entries: readonly RecordedEntry[];
  readonly #protocol: RecordedProtocol;
  readonly #onCue: (cue: Cue) => void;
  readonly #ours: Ours[] = [];
  /** Ids of the recorded client → those of ours. */
  readonly #ids = new Map<string, string>();
  readonly #answers = new Map<string, {readonly grants: boolean; readonly message: Message}>();
  #puppet: Puppet | null = null;
  #args: readonly string[] = [];
  #position = 0;
  #cued = -1;
  #isTurnOpen = false;
  #ourPrompt: string | null = null;
  /** Our client has done something else than the recorded one in this turn. */
  #isOffPath = false;
  #hasToldEnd = false;
  #isClosed = false;
  #hasExited = false;

  constructor(
    entries: readonly RecordedEntry[],
    protocol: RecordedProtocol,
    onCue: (cue: Cue) => void,
  ) {
    this.#entries = entries;
    this.#protocol = protocol;
    this.#onCue = onCue;
  }

  start(puppet: Puppet, args: readonly string[]): void {
    // A second process is one that the recording knows nothing of: it ends at once.
    if (this.#puppet !== null) return puppet.exit(1, null);
    this.#puppet = puppet;
    this.#args = args;
    this.#advance();
  }

  hear(line: string): void {
    const message: Message = JSON.parse(line);
    const what = this.#protocol.client(message);
    if (what.is === 'answer') {
      this.asked.set(what.to, (this.asked.get(what.to) ?? 0) + 1);
      this.#answers.set(what.to, {grants: what.grants, message});
    } else if (what.is !== 'notice') this.#ours.push({message, what});
    this.#advance();
  }

  close(): void {
    this.#isClosed = true;
    this.#advance();
  }

  /** Requests of the agent that got no answer, or several. */
  get wronglyAnswered(): string[] {
    return [...this.asked].filter(([, times]) => times !== 1).map(([id]) => id);
  }

  #advance(): void {
    if (this.#puppet === null) return;
    for (;;) {
      const at = this.#position;
      const entry = this.#entries[at];
      if (entry === undefined || !this.#plays(entry)) break;
      if (this.#position === at) this.#position++;
    }
    if (this.#serves()) return this.#advance();
    const isOver = this.#position >= this.#entries.length;
    if (this.#isClosed && (isOver || !this.#isTurnOpen)) this.#exit(0, null);
    const hasEnded = this.#hasExited || (!this.#isTurnOpen && this.#nextPrompt() === -1);
    if (hasEnded && !this.#hasToldEnd) {
      this.#hasToldEnd = true;
      this.#onCue({is: 'end'});
    }
  }

  /** False: not yet. */
  #plays(entry: RecordedEntry): boolean {
    switch (entry.is) {
      case 'agent':
        this.#say(entry.message);
        return true;
      case 'raw':
        this.#puppet?.say(entry.line);
        return true;
      case 'stderr':
        this.#puppet?.complain(entry.text);
        return true;
      case 'exit':
        // An agent whose end was not asked for ends in a turn, or without having begun one.
        if (!this.#isClosed && entry.code === 0 && entry.signal === null) return false;
        this.#exit(entry.code, entry.signal);
        return true;
      case 'client':
        return this.#isClosed || this.#follows(this.#protocol.client(entry.message));
    }
  }

  /** Whether our client has done what the recorded one did here. */
  #follows(recorded: ClientMessage): boolean {
    switch (recorded.is) {
      case 'notice':
        return true;
      case 'answer':
        return this.#hasAnswered(recorded);
      case 'request': {
        const [next] = this.#ours;
        if (next?.what.is !== 'request' || next.what.name !== recorded.name) return false;
        this.#ids.set(recorded.id, next.what.id);
        this.#ours.shift();
        return true;
      }
      case 'interrupt':
        if (!this.#isTurnOpen) return true; // ours does not interrupt what is over
        this.#cue({is: 'interrupt'});
        return this.#takes('interrupt', recorded.id);
      case 'prompt':
        if (this.#isTurnOpen) return !this.#isOffPath; // ours gives one prompt at a time
        this.#cue({is: 'prompt', text: recorded.text});
        if (!this.#takes('prompt', recorded.id)) return false;
        this.#isTurnOpen = true;
        return true;
    }
  }

  #hasAnswered({to, grants}: Extract<ClientMessage, {is: 'answer'}>): boolean {
    const ours = this.#answers.get(to);
    if (ours === undefined) return !this.asked.has(to);
    // Granted then, declined now: what followed then does not follow.
    if (grants !== ours.grants) this.#diverge(ours.message);
    return true;
  }

  #takes(is: 'prompt' | 'interrupt', recordedId: string | null): boolean {
    const [next] = this.#ours;
    if (next?.what.is !== is) return false;
    this.#ours.shift();
    if (is === 'prompt') this.#ourPrompt = next.what.id;
    if (recordedId !== null && next.what.id !== null) this.#ids.set(recordedId, next.what.id);
    return true;
  }

  #cue(cue: Cue): void {
    if (this.#cued === this.#position) return;
    this.#cued = this.#position;
    this.#onCue(cue);
  }

  /** Deals with a message of our client that the recording does not have here. False: there is none. */
  #serves(): boolean {
    const [next] = this.#ours;
    if (next === undefined || this.#hasExited) return false;
    const {what, message} = next;
    const entry = this.#entries[this.#position];
    const recorded = entry?.is === 'client' ? this.#protocol.client(entry.message) : null;
    if (recorded?.is === 'request' && this.#isAhead(what)) {
      this.#position++; // a request that our client does not make
      return true;
    }
    if (recorded?.is === what.is && (what.is !== 'request' || recorded.is !== 'request')) {
      return false; // it waits for its turn
    }
    this.#ours.shift();
    if (what.is === 'interrupt') this.#diverge(message);
    else if (what.is === 'prompt')
      this.#exit(1, null); // there is nothing more on record
    else this.#improvise(message);
    return true;
  }

  #isAhead(what: ClientMessage): boolean {
    return this.#entries.slice(this.#position + 1).some((entry) => {
      if (entry.is !== 'client') return false;
      const later = this.#protocol.client(entry.message);
      if (what.is === 'request') return later.is === 'request' && later.name === what.name;
      return later.is === what.is;
    });
  }

  #improvise(message: Message): void {
    const answers = this.#protocol.improvised(message);
    if (answers === null) this.unexpected.push(JSON.stringify(message));
    for (const answer of answers ?? []) this.#puppet?.say(JSON.stringify(answer));
  }

  #say(message: Message, isToOurs = false): void {
    const what = this.#protocol.agent(message);
    let said = this.#protocol.adapted?.(message, this.#args) ?? message;
    if (what.is === 'request') this.asked.set(what.id, 0);
    if (what.is === 'answer' && !isToOurs) {
      const ours = this.#ids.get(what.to);
      if (ours !== undefined) said = this.#protocol.readdressed(said, ours);
      else if (!this.#isOffPath) return; // its request was left out
    }
    if (what.is !== 'request' && what.endsTurn) {
      this.#isTurnOpen = false;
      this.#isOffPath = false;
    }
    this.#puppet?.say(JSON.stringify(said));
  }

  /** Goes on with the next turn on record, if there is one, once this one has ended. */
  #diverge(ours: Message): void {
    this.#isOffPath = this.#isTurnOpen;
    const next = this.#nextPrompt();
    this.#position = next === -1 ? this.#entries.length : next;
    for (const said of this.#protocol.diverged(ours, this.#ourPrompt)) this.#say(said, true);
  }

  #nextPrompt(): number {
    return this.#entries.findIndex(
      (entry, index) =>
        index >= this.#position &&
        entry.is === 'client' &&
        this.#protocol.client(entry.message).is === 'prompt',
    );
  }

  #exit(code: number, signal: NodeJS.Signals | null): void {
    if (this.#hasExited) return;
    this.#hasExited = true;
    this.#isTurnOpen = false;
    this.#puppet?.exit(code, signal);
  }
}
