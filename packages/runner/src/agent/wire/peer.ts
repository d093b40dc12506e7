import {RunFailure} from '@symphony-supervisor/protocol';

/** Any message of the other side. Presence of a method tells a request from an answer: ids collide. */
interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: WireError | null;
}

/** An error as the other side sent it. */
interface WireError {
  readonly code?: number;
  readonly message?: string;
  readonly data?: unknown;
}

export interface RpcError {
  readonly code: number;
  readonly message: string;
}

export type Answer = {readonly result: unknown} | {readonly error: RpcError};

export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
const INTERNAL_ERROR = -32603;

/** The other side answered one of our requests with an error. */
export class RefusedRequest extends Error {
  readonly method: string;
  readonly code: number;
  /** What the other side added to its message. */
  readonly data: unknown;

  constructor(method: string, error: WireError) {
    super(`${method}: ${error.message ?? 'refused without a reason'}`);
    this.name = 'RefusedRequest';
    this.method = method;
    this.code = error.code ?? 0;
    this.data = error.data;
  }
}

export interface PeerHandlers {
  /** Sends one line. */
  readonly write: (line: string) => void;
  readonly onRequest: (method: string, params: unknown) => Promise<Answer>;
  readonly onNotification: (method: string, params: Record<string, unknown>, line: string) => void;
  /** A line that is neither: broken JSON, or JSON that is no message. */
  readonly onMalformed: (line: string) => void;
  /** Fields of every message that we send: `{jsonrpc: '2.0'}`, where the other side wants it. */
  readonly envelope?: Readonly<Record<string, string>>;
  /** Every well-formed line but notifications, which have a handler that gets it. */
  readonly onLine: (direction: '->' | '<-', line: string) => void;
}

interface Pending {
  readonly method: string;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout | undefined;
}

/**
 * A JSON-RPC peer, one message a line. Both sides ask and both answer: what arrives while an answer
 * is awaited is handled as it comes, and every request of the other side gets exactly one answer.
 */
export class JsonRpcPeer {
  readonly #on: PeerHandlers;
  readonly #pending = new Map<number, Pending>();
  #nextId = 0;
  #closedBy: Error | null = null;

  constructor(handlers: PeerHandlers) {
    this.#on = handlers;
  }

  /** `timeoutMs` is null for a request that may take as long as a turn. */
  request(method: string, params: object, timeoutMs: number | null): Promise<unknown> {
    if (this.#closedBy !== null) return Promise.reject(this.#closedBy);
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      const onLate = (): void => {
        this.#pending.delete(id);
        const message = `the agent did not answer ${method} within ${timeoutMs} ms`;
        reject(new RunFailure('response_timeout', message));
      };
      const timer = timeoutMs === null ? undefined : setTimeout(onLate, timeoutMs);
      this.#pending.set(id, {method, resolve, reject, timer});
      this.#send({method, id, params});
    });
  }

  notify(method: string, params?: object): void {
    this.#send(params === undefined ? {method} : {method, params});
  }

  receive(line: string): void {
    const message = parse(line);
    if (message === null) this.#on.onMalformed(line);
    else if (message.method === undefined) this.#settle(message, line);
    else if (message.id === undefined) {
      this.#on.onNotification(message.method, asRecord(message.params), line);
    } else {
      this.#on.onLine('<-', line);
      void this.#answer(message.id, message.method, message.params);
    }
  }

  /** No more answers will come: all waiting calls are rejected with the reason. */
  close(reason: Error): void {
    this.#closedBy ??= reason;
    for (const {reject, timer} of this.#pending.values()) {
      clearTimeout(timer);
      reject(reason);
    }
    this.#pending.clear();
  }

  #settle(message: Message, line: string): void {
    const pending = typeof message.id === 'number' ? this.#pending.get(message.id) : undefined;
    // Answers that come too late are kept in the transcript and otherwise let go.
    this.#on.onLine('<-', line);
    if (pending === undefined || typeof message.id !== 'number') return;
    this.#pending.delete(message.id);
    clearTimeout(pending.timer);
    if (message.error === undefined || message.error === null) pending.resolve(message.result);
    else pending.reject(new RefusedRequest(pending.method, message.error));
  }

  async #answer(id: number | string, method: string, params: unknown): Promise<void> {
    const answer = await this.#on.onRequest(method, params).catch((error: unknown) => ({
      error: {code: INTERNAL_ERROR, message: error instanceof Error ? error.message : 'failed'},
    }));
    this.#send({id, ...answer});
  }

  #send(message: object): void {
    if (this.#closedBy !== null) return;
    const line = JSON.stringify({...this.#on.envelope, ...message});
    this.#on.onLine('->', line);
    this.#on.write(`${line}\n`);
  }
}

function parse(line: string): Message | null {
  try {
    const value: unknown = JSON.parse(line);
    return isMessage(value) ? value : null;
  } catch {
    return null;
  }
}

/** By hand: an agent says a thousand things a minute, and a schema costs more than all else that is done with them. */
function isMessage(value: unknown): value is Message {
  if (typeof value !== 'object' || value === null) return false;
  const {id, method, error} = value as Record<string, unknown>;
  if (method === undefined ? id === undefined : typeof method !== 'string') return false;
  if (id !== undefined && typeof id !== 'string' && !Number.isFinite(id)) return false;
  return error === undefined || error === null || isError(error);
}

function isError(value: unknown): boolean {
  if (typeof value !== 'object' || Array.isArray(value)) return false;
  const {code, message} = value as Record<string, unknown>;
  return (
    (code === undefined || Number.isFinite(code)) &&
    (message === undefined || typeof message === 'string')
  );
}

function asRecord(params: unknown): Record<string, unknown> {
  return typeof params === 'object' && params !== null ? (params as Record<string, unknown>) : {};
}
