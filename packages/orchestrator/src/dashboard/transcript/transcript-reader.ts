import {
  type Loose,
  loose,
  numberOrNull,
  plain,
  text,
  textOrNull,
} from '@symphony-supervisor/protocol/transcript';
import {lineOfOlder} from './codex-transcript.ts';
import type {Entry, Stretch, TokenPoint} from './entry.ts';
import {type Body, grown, isOver, readLine} from './read-line.ts';

/**
 * Converts the lines of a transcript to entries. Lines arrive in order, in chunks, while the run continues; a
 * changed entry is replaced by a new object, so that only it is rendered again.
 */
export class TranscriptReader {
  readonly entries: Entry[] = [];
  readonly stretches: Stretch[] = [];
  readonly tokens: TokenPoint[] = [];
  startedAt: string | null = null;
  isFull = false;
  /** The index of an entry that can still change, by the name of its subject. */
  readonly #places = new Map<string, number>();
  #turns = 0;
  #at = 0;

  take(lines: readonly string[]): void {
    for (const line of lines) {
      if (line === '') continue;
      try {
        this.#line(loose(JSON.parse(line)));
      } catch {
        this.#add({
          is: 'notice',
          level: 'warn',
          text: `a line that is not JSON: ${line.slice(0, 200)}`,
        });
      }
    }
  }

  #line(line: Loose): void {
    this.#at = numberOrNull(line['t']) ?? this.#at;
    if (typeof line['ev'] === 'string') return this.#event(line['ev'], line);
    // Raw messages are explained by the lines beside them; those of older versions name no agent.
    const older = line['agent'] === undefined ? lineOfOlder(line) : null;
    if (typeof older?.['ev'] === 'string') this.#event(older['ev'], older);
  }

  #event(name: string, line: Loose): void {
    switch (name) {
      case 'run':
        this.startedAt = textOrNull(line['at']);
        return this.#enter('workspace');
      case 'hook_started': {
        const hook = text(line['hook']);
        this.#enter(hook);
        return this.#put(`hook ${hook}`, {
          is: 'hook',
          name: hook,
          output: '',
          failure: null,
          done: false,
        });
      }
      case 'hook_ended':
        return this.#hookEnded(text(line['hook']), line);
      case 'output':
        return this.#output(text(line['source']), plain(text(line['text'])));
      case 'agent_started':
        this.#enter('launch');
        return this.#add({
          is: 'notice',
          level: 'info',
          text: `agent started: ${text(line['command'])}`,
        });
      case 'agent_exited':
        this.#enter('finish');
        return this.#add({is: 'notice', level: 'info', text: `agent ended: ${text(line['exit'])}`});
      case 'prompt':
        return this.#prompt(line);
      case 'turn_ended':
        return this.#turnEnded(line);
      case 'plan':
        return this.#show(`plan ${this.#turns}`, line);
      case 'message':
      case 'reasoning':
      case 'command':
      case 'file_change':
      case 'tool':
      case 'question':
      case 'notice':
        return this.#show(`item ${this.#turns} ${text(line['id'])}`, line);
      case 'usage': {
        const total = numberOrNull(line['total_tokens']);
        if (total !== null) this.tokens.push({at: this.#at, total});
        return;
      }
      case 'transcript_cut': {
        const megabytes = (Number(line['bytes']) / 1_000_000).toFixed(1);
        const what = `${megabytes} MB are omitted here: the transcript reached its limit`;
        return this.#add({is: 'notice', level: 'warn', text: what});
      }
      case 'transcript_full': // of former versions
        this.isFull = true;
        return this.#add({
          is: 'notice',
          level: 'warn',
          text: 'the transcript reached its limit; the run continued',
        });
      default: {
        const told = [line['reason'], line['line'], line['tool']].map(textOrNull).filter(Boolean);
        return this.#add({is: 'notice', level: 'warn', text: `${name}: ${told.join(' · ')}`});
      }
    }
  }

  #prompt(line: Loose): void {
    this.#turns = numberOrNull(line['turn']) ?? this.#turns + 1;
    this.#enter(`turn ${this.#turns}`);
    this.#add({is: 'prompt', text: text(line['text']), turn: this.#turns});
  }

  /** Some agents count item ids from zero in every turn, so the turn is part of the name. */
  #show(name: string, line: Loose): void {
    const body = readLine(line, this.#entry(name));
    if (body === null) return;
    if (body.is === 'question' || body.is === 'notice') return this.#add(body);
    this.#put(name, body);
    if (isOver(body)) this.#places.delete(name);
  }

  #turnEnded(line: Loose): void {
    const ms = numberOrNull(line['ms']) ?? 0;
    this.#add({is: 'turn', status: text(line['status']), error: textOrNull(line['error']), ms});
    this.#enter('between turns');
  }

  #hookEnded(hook: string, line: Loose): void {
    const entry = this.#entry(`hook ${hook}`);
    const output = entry?.is === 'hook' ? entry.output : '';
    const failure = textOrNull(loose(line['failure'])['message']) ?? textOrNull(line['failure']);
    this.#put(`hook ${hook}`, {is: 'hook', name: hook, output, failure, done: true});
    this.#places.delete(`hook ${hook}`);
  }

  /** A hook's output belongs to its entry; the agent's own stderr is a separate entry, joined while it continues. */
  #output(source: string, said: string): void {
    const name = `hook ${source.replace(/^hook[ :]/, '')}`;
    const hook = this.#entry(name);
    if (hook?.is === 'hook') return this.#put(name, {...hook, output: grown(hook.output, said)});
    const last = this.entries.at(-1);
    if (last?.is === 'output' && last.source === source) {
      this.entries[this.entries.length - 1] = {...last, text: grown(last.text, said)};
    } else this.#add({is: 'output', source, text: said});
  }

  #entry(name: string): Entry | undefined {
    const place = this.#places.get(name);
    return place === undefined ? undefined : this.entries[place];
  }

  #put(name: string, body: Body): void {
    const place = this.#places.get(name);
    const former = place === undefined ? undefined : this.entries[place];
    if (place === undefined || former === undefined) {
      this.#places.set(name, this.entries.length);
      this.#add(body);
    } else this.entries[place] = {...body, key: former.key, at: former.at};
  }

  #add(body: Body): void {
    this.entries.push({...body, key: String(this.entries.length), at: this.#at});
  }

  #enter(name: string): void {
    const last = this.stretches.at(-1);
    if (last !== undefined) this.stretches[this.stretches.length - 1] = {...last, to: this.#at};
    this.stretches.push({name, from: this.#at, to: null});
  }
}
