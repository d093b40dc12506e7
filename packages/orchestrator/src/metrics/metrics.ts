import {type IntervalHistogram, monitorEventLoopDelay} from 'node:perf_hooks';
import type {State} from '../core/state.ts';
import type {Announce} from '../shell/loop.ts';
import type {StoreObservation} from '../store/index.ts';
import {VERSION} from '../version.ts';
import {count, type TickStarts} from './count.ts';
import type {Instruments} from './instruments.ts';
import {readLevels} from './read-levels.ts';
import {readRunMemory} from './run-memory.ts';

/**
 * Reading the memory of many processes is expensive for the kernel, so it is cached for this long.
 */
const MEMORY_MS = 5_000;
const LAG_RESOLUTION_MS = 10;
/** Buffered events before the library is loaded; more than a start-up produces. */
const MAX_EARLY = 10_000;

/**
 * Counters and gauges. Created before the supervisor; its library is loaded after start-up, and
 * events until then are buffered and counted later.
 */
export class Metrics implements Disposable {
  #state: State | null = null;
  #instruments: Promise<Instruments> | null = null;
  #loaded: Instruments | null = null;
  #early: ((to: Instruments) => void)[] = [];
  #lag: IntervalHistogram | null = null;
  #memoryReadAt = Number.NEGATIVE_INFINITY;
  readonly #ticks: TickStarts = new Map();

  /** For `observe` of the supervisor. */
  readonly onDecided: Announce = (announcements, state) => {
    this.#state = state;
    this.#count((to) => {
      for (const told of announcements) count(to, this.#ticks, told);
    });
  };

  /** For `observeStore` of the supervisor. */
  readonly onStore = (seen: StoreObservation): void => {
    if (seen.is !== 'save-ended') return;
    this.#count((to) => {
      to.storeSeconds.observe(seen.durationMs / 1000);
      if (!seen.ok) to.storeFailures.inc();
    });
  };

  readonly contentType = 'text/plain; version=0.0.4; charset=utf-8';

  /** Prometheus' text format. */
  async text(): Promise<string> {
    const to = await this.load();
    if (this.#state !== null) readLevels(to, this.#state, Date.now());
    this.#readProcess(to);
    const at = performance.now();
    if (this.#state !== null && at - this.#memoryReadAt >= MEMORY_MS) {
      this.#memoryReadAt = at;
      await readRunMemory(to, this.#state);
    }
    return to.registry.metrics();
  }

  /** When the process is idle. */
  load(): Promise<Instruments> {
    this.#instruments ??= this.#begin();
    return this.#instruments;
  }

  [Symbol.dispose](): void {
    this.#lag?.disable();
  }

  async #begin(): Promise<Instruments> {
    const {makeInstruments} = await import('./instruments.ts');
    const to = makeInstruments();
    this.#lag = monitorEventLoopDelay({resolution: LAG_RESOLUTION_MS});
    this.#lag.enable();
    to.buildInfo.set({version: VERSION}, 1);
    to.startedAt.set(Math.round(Date.now() / 1000 - process.uptime()));
    this.#loaded = to;
    for (const count of this.#early) count(to);
    this.#early = [];
    return to;
  }

  #count(count: (to: Instruments) => void): void {
    if (this.#loaded === null) {
      if (this.#early.length < MAX_EARLY) this.#early.push(count);
      return;
    }
    try {
      count(this.#loaded);
    } catch {} // a number that is missing must not cost a decision
  }

  #readProcess(to: Instruments): void {
    to.ownMemory.set(process.memoryUsage.rss());
    const {user, system} = process.cpuUsage();
    to.ownCpu.reset();
    to.ownCpu.inc((user + system) / 1e6);
    if (this.#lag === null) return;
    // The sampling interval is part of the measured delay.
    const late = (ns: number) => Math.max(0, ns / 1e9 - LAG_RESOLUTION_MS / 1000);
    to.loopLag.set({quantile: '0.5'}, late(this.#lag.percentile(50)));
    to.loopLag.set({quantile: '0.99'}, late(this.#lag.percentile(99)));
    to.loopLag.set({quantile: '1'}, late(this.#lag.max));
    this.#lag.reset();
  }
}
