import type {ServerResponse} from 'node:http';
import type {SupervisorApi} from '../../shell/api/supervisor-api.ts';
import type {Publication} from '../../shell/publisher.ts';
import {ApiError} from '../api-error.ts';

/** Proxies and phones drop idle connections; this is well below their limits. */
const HEARTBEAT_MS = 15_000;
/** Reconnect delay for browsers. */
const RECONNECT_MS = 2_000;
const MAX_WATCHERS = 500;

export interface EventStreamOptions {
  readonly heartbeatMs?: number;
  readonly maxWatchers?: number;
}

interface Frame {
  readonly id: string;
  readonly bytes: Buffer;
}

interface Watcher {
  readonly line: ServerResponse;
  /** The last write has not been flushed yet. */
  isFull: boolean;
  /** A newer snapshot waits. Only the fact is kept: the newest one is sent. */
  isBehind: boolean;
}

/**
 * Sends snapshots to any number of watchers. Each snapshot is serialized once, and a slow
 * connection gets only the newest one when it drains, so at most one is buffered per watcher.
 */
export class EventStream implements Disposable {
  readonly #api: Pick<SupervisorApi, 'publication' | 'watch'>;
  readonly #heartbeatMs: number;
  readonly #maxWatchers: number;
  readonly #watchers = new Set<Watcher>();
  #subscription: Disposable | null = null;
  #heartbeat: NodeJS.Timeout | null = null;
  /** The last published snapshot; current while there are watchers. */
  #frame: Frame | null = null;

  constructor(api: Pick<SupervisorApi, 'publication' | 'watch'>, options: EventStreamOptions = {}) {
    this.#api = api;
    this.#heartbeatMs = options.heartbeatMs ?? HEARTBEAT_MS;
    this.#maxWatchers = options.maxWatchers ?? MAX_WATCHERS;
  }

  get watchers(): number {
    return this.#watchers.size;
  }

  /** Before the headers are sent, while a refusal is still possible. */
  checkRoom(): void {
    if (this.#watchers.size < this.#maxWatchers) return;
    throw new ApiError('unavailable', `${this.#maxWatchers} watch already`);
  }

  /**
   * `knownId`: the last event id that the watcher has seen. Headers other than those of a stream
   * are already set.
   */
  add(line: ServerResponse, knownId: string | null): void {
    const watcher: Watcher = {line, isFull: false, isBehind: false};
    this.#watchers.add(watcher);
    line.on('close', () => this.#remove(watcher));
    line.on('error', () => {}); // 'close' follows
    line.on('drain', () => {
      watcher.isFull = false;
      if (watcher.isBehind && this.#frame !== null) this.#send(watcher, this.#frame);
    });
    const frame = this.#begin();
    line.writeHead(200, {'content-type': 'text/event-stream; charset=utf-8'});
    this.#write(watcher, `retry: ${RECONNECT_MS}\n\n`);
    if (frame.id !== knownId) this.#send(watcher, frame);
  }

  /** Every watcher has to reconnect and authenticate again. */
  endAll(): void {
    for (const {line} of this.#watchers) line.end();
    this.#watchers.clear();
    this.#rest();
  }

  [Symbol.dispose](): void {
    this.endAll();
  }

  #begin(): Frame {
    this.#subscription ??= this.#api.watch((publication) => {
      this.#frame = frameOf(publication);
      for (const watcher of this.#watchers) this.#send(watcher, this.#frame);
    });
    this.#heartbeat ??= setInterval(() => this.#beat(), this.#heartbeatMs).unref();
    this.#frame ??= frameOf(this.#api.publication);
    return this.#frame;
  }

  #remove(watcher: Watcher): void {
    this.#watchers.delete(watcher);
    if (this.#watchers.size === 0) this.#rest();
  }

  #rest(): void {
    this.#subscription?.[Symbol.dispose]();
    this.#subscription = null;
    if (this.#heartbeat !== null) clearInterval(this.#heartbeat);
    this.#heartbeat = null;
    this.#frame = null;
  }

  #send(watcher: Watcher, frame: Frame): void {
    watcher.isBehind = watcher.isFull;
    if (!watcher.isFull) this.#write(watcher, frame.bytes);
  }

  /** A full connection gets none: it stays silent, and the server's time-out ends it. */
  #beat(): void {
    for (const watcher of this.#watchers) if (!watcher.isFull) this.#write(watcher, ': here\n\n');
  }

  #write(watcher: Watcher, what: string | Buffer): void {
    if (!watcher.line.write(what)) watcher.isFull = true;
  }
}

/**
 * Includes the supervisor's start time, so that ids of an earlier process are not mistaken for
 * ours.
 */
function frameOf({id: number, snapshot, json}: Publication): Frame {
  const id = `${Date.parse(snapshot.supervisor.started_at).toString(36)}-${number}`;
  return {id, bytes: Buffer.from(`id: ${id}\nevent: snapshot\ndata: ${json}\n\n`)};
}
