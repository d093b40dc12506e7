import type {ServerResponse} from 'node:http';
import type {SupervisorApi} from '../../shell/api/supervisor-api.ts';
import type {Publication} from '../../shell/publisher.ts';
import {ApiError} from '../api-error.ts';

/** Proxies and phones drop a silent line; well below what they allow. */
const HEARTBEAT_MS = 15_000;
/** A browser that lost us comes back after this. */
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
  /** What was last written has not gone out yet. */
  isFull: boolean;
  /** Something newer waits. Only that it does: what is sent then is the newest. */
  isBehind: boolean;
}

/**
 * Snapshots as they change, for any number of watchers: each is put into bytes once, and a line that
 * takes no more gets only the newest when it does, so that nobody makes us keep more than one for him.
 */
export class EventStream implements Disposable {
  readonly #api: Pick<SupervisorApi, 'publication' | 'watch'>;
  readonly #heartbeatMs: number;
  readonly #maxWatchers: number;
  readonly #watchers = new Set<Watcher>();
  #subscription: Disposable | null = null;
  #heartbeat: NodeJS.Timeout | null = null;
  /** The last that was published. While anybody watches it is as new as any that is sent. */
  #frame: Frame | null = null;

  constructor(api: Pick<SupervisorApi, 'publication' | 'watch'>, options: EventStreamOptions = {}) {
    this.#api = api;
    this.#heartbeatMs = options.heartbeatMs ?? HEARTBEAT_MS;
    this.#maxWatchers = options.maxWatchers ?? MAX_WATCHERS;
  }

  get watchers(): number {
    return this.#watchers.size;
  }

  /** While a refusal can still be told. */
  checkRoom(): void {
    if (this.#watchers.size < this.#maxWatchers) return;
    throw new ApiError('unavailable', `${this.#maxWatchers} watch already`);
  }

  /** `knownId`: the last that the watcher has seen. Headers other than those of a stream are set already. */
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

  /** Every watcher has to come again, and to prove again that it may. */
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

  /** Not to a line that is full: it stays silent, and the server's time-out ends it. */
  #beat(): void {
    for (const watcher of this.#watchers) if (!watcher.isFull) this.#write(watcher, ': here\n\n');
  }

  #write(watcher: Watcher, what: string | Buffer): void {
    if (!watcher.line.write(what)) watcher.isFull = true;
  }
}

/** Ids of another life of the supervisor must not be mistaken for ours: its start is part of them. */
function frameOf({id: number, snapshot, json}: Publication): Frame {
  const id = `${Date.parse(snapshot.supervisor.started_at).toString(36)}-${number}`;
  return {id, bytes: Buffer.from(`id: ${id}\nevent: snapshot\ndata: ${json}\n\n`)};
}
