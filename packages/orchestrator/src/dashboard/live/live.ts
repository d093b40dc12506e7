import type {RunView, Snapshot} from '@symphony-supervisor/protocol';
import {useEffect, useState} from 'preact/hooks';
import {fetchRuns} from './api.ts';
import {keepSame} from './keep-same.ts';
import {type LineState, LiveLine} from './live-line.ts';
import {ServerClock} from './server-clock.ts';

/** What the page knows; a new object whenever any of it changes. */
export interface View {
  readonly line: LineState;
  readonly snapshot: Snapshot | null;
  readonly runs: readonly RunView[];
  /** Tokens used in all, a point for each snapshot that brought more. */
  readonly tokens: readonly {readonly at: number; readonly total: number}[];
}

/** Enough for a day's chart of a busy supervisor. */
const RUNS = 200;
const TOKEN_POINTS = 600;
const RUNS_SETTLE_MS = 300;

/** All that is live on the page. There is one. */
export class Live {
  readonly clock = new ServerClock();
  readonly line: LiveLine;
  view: View = {line: {is: 'connecting'}, snapshot: null, runs: [], tokens: []};
  readonly #watchers = new Set<() => void>();
  #runsTimer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    this.line = new LiveLine({
      onState: (line) => this.#onLine(line),
      onSnapshot: (snapshot) => this.#onSnapshot(snapshot),
      onServerTime: (at) => this.clock.hear(at, Date.now()),
    });
  }

  start(): void {
    void this.line.run();
    addEventListener('online', () => this.line.retryNow());
    document.addEventListener('visibilitychange', () => {
      if (!document.hidden && this.view.line.is === 'down') this.line.retryNow();
    });
  }

  watch(watcher: () => void): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  #onLine(line: LineState): void {
    if (line.is === 'live') {
      this.clock.forget();
      this.#readRuns();
    }
    this.#set({line});
  }

  #onSnapshot(snapshot: Snapshot): void {
    const {snapshot: last, tokens} = this.view;
    const total = snapshot.codex_totals.total_tokens;
    const point = {at: Date.parse(snapshot.generated_at), total};
    const grew = tokens.at(-1)?.total !== total;
    if (last === null || hasEndedRun(last, snapshot)) this.#readRuns();
    this.#set({
      snapshot: last === null ? snapshot : keepSame(last, snapshot),
      ...(grew ? {tokens: [...tokens, point].slice(-TOKEN_POINTS)} : {}),
    });
  }

  /** Several runs that end together are one question. */
  #readRuns(): void {
    clearTimeout(this.#runsTimer);
    this.#runsTimer = setTimeout(async () => {
      try {
        const runs = await fetchRuns(RUNS);
        this.#set({runs: keepSame<readonly RunView[]>(this.view.runs, runs)});
      } catch {
        // The line says when the supervisor is away, and asks again when it is back.
      }
    }, RUNS_SETTLE_MS);
  }

  #set(change: Partial<View>): void {
    this.view = {...this.view, ...change};
    for (const watcher of this.#watchers) watcher();
  }
}

/** A run that was there is not any more. */
function hasEndedRun(last: Snapshot, next: Snapshot): boolean {
  const ids = (of: Snapshot) => [...of.running, ...of.stopping].map(({run_id: id}) => id);
  const now = new Set(ids(next));
  return ids(last).some((id) => !now.has(id));
}

export function useLive(live: Live): View {
  const [view, setView] = useState(live.view);
  useEffect(() => live.watch(() => setView(live.view)), [live]);
  return view;
}
