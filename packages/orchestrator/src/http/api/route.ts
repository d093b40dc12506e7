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
  /** null: the route needs no credential, and none was given. */
  readonly credential: Credential | null;
  /** The origin of an order for its record; empty for reads. */
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
  /** The connection stays open and is written by another part. */
  | {readonly takeOver: (line: ServerResponse) => void};

export interface Answer {
  readonly description: string;
  /** Default: JSON. */
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
  /** Another path does the same, and is the one to use. */
  readonly isDeprecated?: boolean;
  readonly query?: z.ZodMiniObject;
  readonly body?: z.ZodMiniType;
  /** The body reaches the route as bytes. */
  readonly takesBytes?: boolean;
  /** Checked before the body is read; throws the refusal. Each caller holds one of few slots. */
  readonly screen?: (params: Asked['params'], headers: IncomingHttpHeaders) => void;
  /** For callers without a credential: a smaller limit than for orders. */
  readonly bodyBytes?: number;
  readonly answers: Readonly<Record<number, Answer>>;
  readonly errors?: readonly ErrorCode[];
  /** The longer path of the same resource, which cannot be mistaken for a route. */
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

/** `serve` gets what `query` and `body` describe: both are parsed before it is called. */
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
