import type {RunView, Snapshot} from '@symphony-supervisor/protocol';
import {useLayoutEffect, useState} from 'preact/hooks';
import {fetchRuns} from './api.ts';
import {keepSame} from './keep-same.ts';
import {type ConnectionState, LiveConnection} from './live-connection.ts';
import {ServerClock} from './server-clock.ts';

/** The data of the page; a new object after each change. */
export interface View {
  readonly connection: ConnectionState;
  readonly snapshot: Snapshot | null;
  readonly runs: readonly RunView[];
  /** Total tokens, a point for each snapshot that added some. */
  readonly tokens: readonly {readonly at: number; readonly total: number}[];
}

/** Enough for a day's chart of a busy supervisor. */
const RUNS = 200;
const TOKEN_POINTS = 600;
const RUNS_SETTLE_MS = 300;
/** Hundreds of busy rows are rendered less often: the rest of the time is for scrolling and typing. */
const MS_PER_ROW = 4;
const FEW_ROWS = 50;
const LONGEST_GAP_MS = 2000;

/** All live data of the page. There is one instance. */
export class Live {
  readonly clock = new ServerClock();
  readonly connection: LiveConnection;
  view: View = {connection: {is: 'connecting'}, snapshot: null, runs: [], tokens: []};
  readonly #watchers = new Set<() => void>();
  #runsTimer: ReturnType<typeof setTimeout> | undefined;
  #paceTimer: ReturnType<typeof setTimeout> | undefined;
  #newest: Snapshot | null = null;
  #drawnAt = Number.NEGATIVE_INFINITY;

  constructor() {
    this.connection = new LiveConnection({
      onState: (connection) => this.#onConnection(connection),
      onSnapshot: (snapshot) => this.#pace(snapshot),
      onServerTime: (at) => this.clock.hear(at, Date.now()),
    });
  }

  start(): void {
    void this.connection.run();
    addEventListener('online', () => this.connection.retryNow());
    document.addEventListener('visibilitychange', () => {
      if (!document.hidden && this.view.connection.is === 'down') this.connection.retryNow();
    });
  }

  watch(watcher: () => void): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  #onConnection(connection: ConnectionState): void {
    if (connection.is === 'live') {
      this.clock.forget();
      this.#readRuns();
    }
    this.#set({connection});
  }

  /** Only the newest snapshot counts; those between two renderings are skipped. */
  #pace(snapshot: Snapshot): void {
    this.#newest = snapshot;
    this.#paceTimer ??= setTimeout(
      () => {
        this.#paceTimer = undefined;
        this.#drawnAt = performance.now();
        if (this.#newest !== null) this.#onSnapshot(this.#newest);
      },
      this.#drawnAt + gapFor(snapshot) - performance.now(),
    );
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

  /** Several runs that end together cause one request. */
  #readRuns(): void {
    clearTimeout(this.#runsTimer);
    this.#runsTimer = setTimeout(async () => {
      try {
        const runs = await fetchRuns(RUNS);
        this.#set({runs: keepSame<readonly RunView[]>(this.view.runs, runs)});
      } catch {
        // The connection reports when the supervisor is away, and requests again when it is back.
      }
    }, RUNS_SETTLE_MS);
  }

  #set(change: Partial<View>): void {
    this.view = {...this.view, ...change};
    for (const watcher of this.#watchers) watcher();
  }
}

function gapFor({running, retrying, held, waiting}: Snapshot): number {
  const rows = running.length + retrying.length + held.length + waiting.length;
  return rows <= FEW_ROWS ? 0 : Math.min(LONGEST_GAP_MS, rows * MS_PER_ROW);
}

/** A run has ended. */
function hasEndedRun(last: Snapshot, next: Snapshot): boolean {
  const ids = (of: Snapshot) => [...of.running, ...of.stopping].map(({run_id: id}) => id);
  const now = new Set(ids(next));
  return ids(last).some((id) => !now.has(id));
}

export function useLive(live: Live): View {
  const [view, setView] = useState(live.view);
  // Before the paint: a state in between would be missed, and no other follows `locked`.
  useLayoutEffect(() => live.watch(() => setView(live.view)), [live]);
  return view;
}
