import {errorOf} from '../live/api.ts';
import {pageKeyHeader} from '../live/session.ts';
import {TranscriptReader} from './transcript-reader.ts';

/** A transcript can be very long: its end is read first, and this much at a time. */
const PAGE_BYTES = 1024 * 1024;
/** More than people scroll through; the oldest is evicted and can be loaded again. */
const KEPT_BYTES = 8 * PAGE_BYTES;
const FOLLOW_MS = 1000;
/** The first prompt is certainly within this range. */
const HEAD_BYTES = 256 * 1024;

interface Page {
  readonly start: number;
  readonly end: number;
  readonly size: number;
  readonly text: string;
}

/** The transcript of one run, followed while it grows. */
export class TranscriptFeed implements Disposable {
  reader = new TranscriptReader();
  error: string | null = null;
  isLoading = true;
  /** The first prompt of the agent; it may be far above the loaded part. */
  firstPrompt: string | null = null;
  readonly #url: string;
  readonly #onChange: () => void;
  readonly #closed = new AbortController();
  #pages: Page[] = [];
  #isLive: boolean;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(runId: string, isLive: boolean, onChange: () => void) {
    this.#url = `api/v1/runs/${encodeURIComponent(runId)}/transcript`;
    this.#isLive = isLive;
    this.#onChange = onChange;
  }

  get hasEarlier(): boolean {
    return (this.#pages[0]?.start ?? 0) > 0;
  }

  get size(): number {
    return this.#pages.at(-1)?.size ?? 0;
  }

  async open(): Promise<void> {
    await this.#attempt(async () => {
      const {size} = await this.#page({tail: 0});
      const from = Math.max(0, size - PAGE_BYTES);
      this.#append(await this.#page({offset: from}));
      this.firstPrompt = promptOf(
        from === 0 ? this.#pages : [await this.#page({offset: 0, limit: HEAD_BYTES})],
      );
    });
    this.#follow();
  }

  /** An ended run is read once more: its last lines come with its end. */
  setLive(isLive: boolean): void {
    if (this.#isLive === isLive) return;
    this.#isLive = isLive;
    this.#follow();
  }

  async loadEarlier(): Promise<void> {
    const known = this.#pages[0];
    if (known === undefined || known.start === 0) return;
    await this.#attempt(async () => {
      const page = await this.#pageBefore(known.start);
      this.#pages = [page, ...this.#pages];
      this.#readAgain();
    });
  }

  [Symbol.dispose](): void {
    this.#closed.abort();
    clearTimeout(this.#timer);
  }

  /** A single line can be longer than a page: then more is read. */
  async #pageBefore(end: number): Promise<Page> {
    for (let reach = PAGE_BYTES; ; reach *= 2) {
      const offset = Math.max(0, end - reach);
      const page = await this.#page({offset, limit: end - offset}, end);
      if (page.start < end || offset === 0) return page;
    }
  }

  #follow(): void {
    clearTimeout(this.#timer);
    if (this.#closed.signal.aborted) return;
    this.#timer = setTimeout(async () => {
      await this.#attempt(async () => {
        const known = this.#pages.at(-1)?.end ?? 0;
        const page = await this.#page({offset: known, limit: PAGE_BYTES});
        // The middle of a long transcript was omitted: the offsets of the loaded part have changed.
        if (page.size < known) return this.#startOver(page.size);
        if (page.end > page.start) this.#append(page);
        this.firstPrompt ??= this.hasEarlier ? null : promptOf(this.#pages);
      });
      if (this.#isLive || this.error !== null) this.#follow();
    }, FOLLOW_MS);
  }

  async #startOver(size: number): Promise<void> {
    const page = await this.#page({offset: Math.max(0, size - PAGE_BYTES)});
    this.#pages = [page];
    this.#readAgain();
  }

  #append(page: Page): void {
    this.#pages.push(page);
    const kept = () => page.end - (this.#pages[0]?.start ?? 0);
    if (kept() <= KEPT_BYTES) return this.reader.take(page.text.split('\n'));
    while (kept() > KEPT_BYTES / 2 && this.#pages.length > 1) this.#pages.shift();
    this.#readAgain();
  }

  #readAgain(): void {
    this.reader = new TranscriptReader();
    for (const {text: lines} of this.#pages) this.reader.take(lines.split('\n'));
  }

  async #attempt(act: () => Promise<void>): Promise<void> {
    try {
      await act();
      this.error = null;
    } catch (error) {
      this.error = error instanceof Error ? error.message : String(error);
    }
    this.isLoading = false;
    if (!this.#closed.signal.aborted) this.#onChange();
  }

  /** Whole lines, none of them at or beyond `before`. */
  async #page(wish: Record<string, number>, before = Number.POSITIVE_INFINITY): Promise<Page> {
    const query = new URLSearchParams(Object.entries(wish).map(([key, n]) => [key, String(n)]));
    const response = await fetch(`${this.#url}?${query}`, {
      headers: pageKeyHeader(),
      signal: this.#closed.signal,
    });
    if (!response.ok) throw await errorOf(response);
    const at = (name: string) => Number(response.headers.get(`x-symphony-${name}`) ?? 0);
    const start = at('offset');
    const bytes = await response.arrayBuffer();
    const wanted = bytes.slice(0, Math.max(0, Math.min(bytes.byteLength, before - start)));
    const end = Math.min(at('next-offset'), before);
    return {start, end, size: at('size'), text: new TextDecoder().decode(wanted)};
  }
}

function promptOf(pages: readonly Page[]): string | null {
  const reader = new TranscriptReader();
  for (const {text} of pages) reader.take(text.split('\n'));
  return reader.entries.find((entry) => entry.is === 'prompt')?.text ?? null;
}
