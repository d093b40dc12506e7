import type {IncomingHttpHeaders, ServerResponse} from 'node:http';
import type {Readable} from 'node:stream';
import type * as z from 'zod/mini';
import type {Credential} from '../access/credential.ts';
import type {ErrorCode} from '../api-error.ts';

/**
 * What a caller needs. `open`: nothing. `local`: nothing on a loopback port, else as `read`. `read`: any
 * credential. `control`: the control token or a session. `owner`: the control token. `signed`: the signature
 * of a tracker, which the route checks.
 */
export type Access = 'open' | 'local' | 'read' | 'control' | 'owner' | 'signed';

export interface Asked<Query = unknown, Body = unknown> {
  /** Decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Body;
  readonly headers: IncomingHttpHeaders;
  /** null: the route needs none, and none was given. */
  readonly credential: Credential | null;
  /** Who gives an order, for its record; empty where nothing is ordered. */
  readonly by: string;
}

export interface WholeReply {
  readonly status: number;
  readonly type: string;
  readonly body: string | Buffer | Readable;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Reply =
  | WholeReply
  /** The line stays open, and somebody else writes to it from now on. */
  | {readonly takeOver: (line: ServerResponse) => void};

export interface Answer {
  readonly description: string;
  /** Without one: no JSON. */
  readonly schema?: z.ZodMiniType;
  readonly type?: string;
}

export interface Route {
  readonly method: 'GET' | 'POST';
  /** As OpenAPI writes it: `/api/v1/issues/{identifier}`. */
  readonly path: string;
  readonly id: string;
  readonly summary: string;
  readonly access: Access;
  readonly query?: z.ZodMiniObject;
  readonly body?: z.ZodMiniType;
  /** The body reaches the route as it came, in bytes. */
  readonly takesBytes?: boolean;
  /** What is checked before the body is read; throws the refusal. Each caller holds one of few slots. */
  readonly screen?: (params: Asked['params'], headers: IncomingHttpHeaders) => void;
  /** Where strangers may send one: less than an order may have. */
  readonly bodyBytes?: number;
  readonly answers: Readonly<Record<number, Answer>>;
  readonly errors?: readonly ErrorCode[];
  /** The other path to the same thing that cannot be mistaken for a route. */
  readonly shortFormOf?: string;
  readonly serve: (asked: Asked) => Reply | Promise<Reply>;
}

type Spec<Query extends z.ZodMiniObject, Body extends z.ZodMiniType> = Omit<
  Route,
  'query' | 'body' | 'serve'
> & {
  readonly query?: Query;
  readonly body?: Body;
  readonly serve: (asked: Asked<z.infer<Query>, z.infer<Body>>) => Reply | Promise<Reply>;
};

/** What `query` and `body` describe is what `serve` gets: both are parsed before it is called. */
export function route<
  Query extends z.ZodMiniObject = z.ZodMiniObject,
  Body extends z.ZodMiniType = z.ZodMiniType,
>(spec: Spec<Query, Body>): Route {
  return spec as unknown as Route;
}

export const JSON_TYPE = 'application/json; charset=utf-8';

export function json(status: number, value: unknown): WholeReply {
  return {status, type: JSON_TYPE, body: JSON.stringify(value)};
}
