import type {Entry, Stretch, TokenPoint} from './entry.ts';
import {type Loose, list, loose, numberOrNull, plain, text, textOrNull} from './loose.ts';
import {type Body, readItem} from './read-item.ts';
import {noticeOf} from './read-notice.ts';

/** More of one item than anybody reads here; the file has all of it. */
const LONGEST_TEXT = 200_000;

/**
 * Turns the lines of a transcript into what a person reads. Lines come in order, in pieces, as long as the
 * run goes on; an entry that changes is replaced by a new object, so that only it is drawn again.
 */
export class TranscriptReader {
  readonly entries: Entry[] = [];
  readonly stretches: Stretch[] = [];
  readonly tokens: TokenPoint[] = [];
  startedAt: string | null = null;
  isFull = false;
  /** Where an entry that can still change stands, by the name of what it shows. */
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
          text: `a line that is no JSON: ${line.slice(0, 200)}`,
        });
      }
    }
  }

  #line(line: Loose): void {
    this.#at = numberOrNull(line['t']) ?? this.#at;
    if (typeof line['ev'] === 'string') return this.#event(line['ev'], line);
    const message = loose(line['msg']);
    const method = textOrNull(message['method']);
    if (method === null) return;
    const params = loose(message['params']);
    if (line['dir'] === '->') this.#sent(method, params);
    else this.#received(method, params);
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
      case 'transcript_cut': {
        const megabytes = (Number(line['bytes']) / 1_000_000).toFixed(1);
        const what = `${megabytes} MB are left out here: the transcript reached its limit`;
        return this.#add({is: 'notice', level: 'warn', text: what});
      }
      case 'transcript_full': // of former versions
        this.isFull = true;
        return this.#add({
          is: 'notice',
          level: 'warn',
          text: 'the transcript is full; the run went on',
        });
      default: {
        const told = [line['reason'], line['line'], line['tool']].map(textOrNull).filter(Boolean);
        return this.#add({is: 'notice', level: 'warn', text: `${name}: ${told.join(' · ')}`});
      }
    }
  }

  #sent(method: string, params: Loose): void {
    if (method === 'turn/start') {
      this.#turns++;
      this.#enter(`turn ${this.#turns}`);
      const said = list(params['input']).map((part) => text(loose(part)['text']));
      this.#add({is: 'prompt', text: said.join('\n'), turn: this.#turns});
    } else if (method === 'turn/interrupt') {
      this.#add({is: 'notice', level: 'warn', text: 'the turn was told to stop'});
    } else if (method === 'thread/resume') {
      this.#add({is: 'notice', level: 'info', text: 'the earlier conversation is taken up again'});
    }
  }

  #received(method: string, params: Loose): void {
    const itemId = text(params['itemId']) || text(loose(params['item'])['id']);
    if (method === 'item/started' || method === 'item/completed') {
      const name = this.#itemName(itemId);
      const body = readItem(loose(params['item']), this.#entry(name));
      if (body !== null) this.#put(name, body);
      if (method === 'item/completed') this.#places.delete(name);
    } else if (typeof params['delta'] === 'string') this.#delta(method, itemId, params['delta']);
    else if (method === 'turn/plan/updated') this.#plan(params);
    else if (method === 'thread/tokenUsage/updated') {
      const total = numberOrNull(loose(loose(params['tokenUsage'])['total'])['totalTokens']);
      if (total !== null) this.tokens.push({at: this.#at, total});
    } else if (method === 'turn/completed') this.#turnEnded(loose(params['turn']));
    else {
      const notice = noticeOf(method, params);
      if (notice !== null) this.#add(notice);
    }
  }

  #delta(method: string, itemId: string, delta: string): void {
    const name = this.#itemName(itemId);
    const entry = this.#entry(name);
    if (method.startsWith('item/commandExecution/') && entry?.is === 'command') {
      this.#put(name, {...entry, output: grown(entry.output, plain(delta))});
    } else if (method.startsWith('item/agentMessage/') || method.startsWith('item/plan/')) {
      const former = entry?.is === 'message' ? entry.text : '';
      this.#put(name, {is: 'message', text: grown(former, delta), done: false});
    } else if (method.startsWith('item/reasoning/')) {
      const former = entry?.is === 'reasoning' ? entry.text : '';
      this.#put(name, {is: 'reasoning', text: grown(former, delta), done: false});
    }
  }

  #plan(params: Loose): void {
    const steps = list(params['plan']).map((step) => ({
      step: text(loose(step)['step']),
      status: text(loose(step)['status']),
    }));
    const explanation = textOrNull(params['explanation']);
    this.#put(`plan ${this.#turns}`, {is: 'plan', steps, explanation});
  }

  #turnEnded(turn: Loose): void {
    const error = textOrNull(loose(turn['error'])['message']);
    const ms = numberOrNull(turn['durationMs']) ?? 0;
    this.#add({is: 'turn', status: text(turn['status']), error, ms});
    this.#enter('between turns');
  }

  #hookEnded(hook: string, line: Loose): void {
    const entry = this.#entry(`hook ${hook}`);
    const output = entry?.is === 'hook' ? entry.output : '';
    const failure = textOrNull(loose(line['failure'])['message']) ?? textOrNull(line['failure']);
    this.#put(`hook ${hook}`, {is: 'hook', name: hook, output, failure, done: true});
    this.#places.delete(`hook ${hook}`);
  }

  /** A hook's output belongs to it; the agent's own stderr stands for itself, joined while it goes on. */
  #output(source: string, said: string): void {
    const name = `hook ${source.replace(/^hook[ :]/, '')}`;
    const hook = this.#entry(name);
    if (hook?.is === 'hook') return this.#put(name, {...hook, output: grown(hook.output, said)});
    const last = this.entries.at(-1);
    if (last?.is === 'output' && last.source === source) {
      this.entries[this.entries.length - 1] = {...last, text: grown(last.text, said)};
    } else this.#add({is: 'output', source, text: said});
  }

  /** Item ids are counted anew in every turn by some agents. */
  #itemName(itemId: string): string {
    return `item ${this.#turns} ${itemId}`;
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

function grown(former: string, more: string): string {
  return former.length >= LONGEST_TEXT ? former : former + more;
}
