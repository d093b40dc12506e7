/** One event of the stream, or a sign that the line is alive. */
export interface SseEvent {
  readonly id: string | null;
  readonly event: string;
  readonly data: string;
}

/**
 * Reads server-sent events from pieces of text. A reader of our own, since the browser's sends no header
 * (so no page key), gives up for good on a refusal, and does not say when it will try again.
 */
export class SseLines {
  #rest = '';
  #id: string | null = null;
  #event = 'message';
  #data: string[] = [];

  take(piece: string): SseEvent[] {
    const events: SseEvent[] = [];
    const lines = (this.#rest + piece).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      const event = this.#line(line);
      if (event !== null) events.push(event);
    }
    return events;
  }

  #line(line: string): SseEvent | null {
    if (line === '') return this.#end();
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'data') this.#data.push(value);
    else if (field === 'id') this.#id = value;
    else if (field === 'event') this.#event = value;
    return null;
  }

  #end(): SseEvent | null {
    const data = this.#data;
    const event = this.#event;
    this.#data = [];
    this.#event = 'message';
    return data.length === 0 ? null : {id: this.#id, event, data: data.join('\n')};
  }
}
