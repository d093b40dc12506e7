import {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
} from 'fastify';
import type * as z from 'zod/mini';
import type {Log} from '../shell/log.ts';
import {StoreFailure} from '../store/index.ts';
import {describeCaller} from './access/caller.ts';
import type {Credential, Keyring} from './access/credential.ts';
import {admit, type GateRules} from './access/gate.ts';
import {plainAddress} from './access/request-origin.ts';
import type {DashboardFiles} from './answers/dashboard-files.ts';
import type {Reply, Route} from './api/route.ts';
import {hasHead, type RouteTable} from './api/route-table.ts';
import {ApiError} from './api-error.ts';
import type {BodySlots} from './body-slots.ts';
import {answerGarbage} from './garbage.ts';
import {SECURITY_HEADERS} from './security-headers.ts';

/** Orders are small. */
const BODY_BYTES = 64 * 1024;
/** Trackers send whole issues, of a hundred kilobytes at most; eight strangers may fill as much memory each. */
const WEBHOOK_BYTES = 1024 * 1024;
const IDENTIFIER_CHARACTERS = 1000;
/** Each connection takes memory before it is authenticated. */
const CONNECTIONS = 1000;
const HEADERS_MS = 10_000;
/** How often Node checks connections against these limits; its default is 30 s. */
const CHECK_MS = 2_000;
const REQUEST_MS = 30_000;
/** No byte in either direction for this long; streams send a heartbeat more often. */
const SILENCE_MS = 60_000;
const KEEP_ALIVE_MS = 10_000;

/**
 * Input is checked by our own schemas, so fastify compiles nothing. Its compilers would be half of
 * the code to load.
 */
const NO_COMPILERS = {buildValidator: noCompiler, buildSerializer: noCompiler};

export interface ListenerOptions {
  readonly table: RouteTable;
  readonly rules: GateRules;
  readonly keyring: Keyring;
  /** null: it has no pages. */
  readonly dashboard: DashboardFiles | null;
  readonly log: Log;
  /** Slots for bodies of callers without a credential. */
  readonly slots: BodySlots;
}

/** One server, not listening yet. */
export async function buildListener(options: ListenerOptions): Promise<FastifyInstance> {
  const app = fastify({
    bodyLimit: BODY_BYTES,
    routerOptions: {maxParamLength: IDENTIFIER_CHARACTERS},
    http: {headersTimeout: HEADERS_MS, connectionsCheckingInterval: CHECK_MS},
    requestTimeout: REQUEST_MS,
    connectionTimeout: SILENCE_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    forceCloseConnections: true,
    exposeHeadRoutes: false,
    schemaController: {compilersFactory: NO_COMPILERS},
    frameworkErrors: (error, _request, reply) => refuse(reply, asApiError(error, options.log)),
    clientErrorHandler: answerGarbage,
  });
  app.server.maxConnections = CONNECTIONS;
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    {parseAs: 'string'},
    async (_: unknown, text: string) => parseJson(text),
  );
  app.decorateRequest('credential', null);
  app.addHook('onRequest', async (request, reply) => check(options, request, reply));
  app.setErrorHandler((error: FastifyError, _request, reply) =>
    refuse(reply, asApiError(error, options.log)),
  );
  app.setNotFoundHandler((request, reply) => servePage(options, request, reply));
  for (const route of options.table.routes) if (!route.takesBytes) addRoute(app, route);
  await app.register(async (inner) => {
    inner.removeAllContentTypeParsers();
    inner.addContentTypeParser(
      '*',
      {parseAs: 'buffer'},
      async (_: unknown, bytes: Buffer) => bytes,
    );
    for (const route of options.table.routes) if (route.takesBytes) addRoute(inner, route);
  });
  return app;
}

function noCompiler(): never {
  throw new TypeError('a route of ours has no schema for fastify');
}

declare module 'fastify' {
  interface FastifyContextConfig {
    route?: Route;
  }
  interface FastifyRequest {
    /** The credential that admitted the caller. */
    credential: Credential | null;
  }
}

function addRoute(app: FastifyInstance, route: Route): void {
  app.route({
    method: hasHead(route) ? ['GET', 'HEAD'] : route.method,
    url: route.path.replace(/\{(\w+)\}/g, ':$1'),
    config: {route},
    bodyLimit: route.takesBytes ? WEBHOOK_BYTES : (route.bodyBytes ?? BODY_BYTES),
    handler: async (request, reply) => {
      const {credential} = request;
      const by = isOrder(route) ? await describeCaller(credential, request.raw) : '';
      const serving = route.serve({
        params: request.params as Record<string, string>,
        query: parsed(route.query, request.query, 'the query'),
        body: route.takesBytes ? request.body : parsed(route.body, request.body ?? {}, 'the body'),
        headers: request.headers,
        ...{credential, by},
      });
      return send(reply, await serving);
    },
  });
}

function isOrder({access}: Route): boolean {
  return access === 'control' || access === 'owner';
}

/** Runs before any of the request body is read. */
function check(options: ListenerOptions, request: FastifyRequest, reply: FastifyReply): void {
  const {table, rules, keyring, dashboard, slots} = options;
  reply.headers(SECURITY_HEADERS);
  const {route} = request.routeOptions.config;
  const isPage = route === undefined && dashboard?.mayServe(request.method, request.url) === true;
  // A listener for webhooks has nothing that a credential would open.
  if (rules.kind === 'webhooks' && route === undefined) throw new ApiError('not_found');
  // The pages are public; the data that they show needs a credential.
  request.credential = admit(rules, keyring, route?.access ?? (isPage ? 'open' : 'read'), {
    method: request.method,
    headers: request.headers,
    localAddress: plainAddress(request.socket.localAddress),
  });
  const isMistaken =
    route !== undefined && table.isReserved(route, request.params as Record<string, string>);
  if ((route === undefined && !isPage) || isMistaken) {
    throw table.refusalOf(request.method, request.url);
  }
  if (route?.screen !== undefined) {
    route.screen(request.params as Record<string, string>, request.headers);
    slots.take(request.raw, reply.raw);
  }
}

async function servePage(
  {dashboard}: ListenerOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const page = await dashboard?.serve(request.url, request.headers['if-none-match']);
  if (page === undefined) throw new ApiError('not_found');
  return send(reply, page);
}

function send(reply: FastifyReply, answer: Reply): FastifyReply {
  if ('takeOver' in answer) {
    reply.hijack();
    for (const [name, value] of Object.entries(reply.getHeaders())) {
      if (value !== undefined) reply.raw.setHeader(name, value);
    }
    answer.takeOver(reply.raw);
    return reply;
  }
  return reply
    .code(answer.status)
    .headers(answer.headers ?? {})
    .type(answer.type)
    .send(answer.body);
}

function refuse(reply: FastifyReply, error: ApiError): FastifyReply {
  return reply
    .code(error.status)
    .headers({...SECURITY_HEADERS, ...error.headers, ...(hasLongBody(reply) ? CLOSE : {})})
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(error.body));
}

const CLOSE = {connection: 'close'};

/** An unread body may never end and must not keep its connection open. */
function hasLongBody({request: {headers}}: FastifyReply): boolean {
  const isEndless = headers['transfer-encoding'] !== undefined;
  return isEndless || Number(headers['content-length'] ?? 0) > BODY_BYTES;
}

function asApiError(error: FastifyError | ApiError, log: Log): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof StoreFailure) return new ApiError('unavailable', error.message);
  if (error.statusCode === 413) return new ApiError('payload_too_large');
  if (error.statusCode === 415) return new ApiError('unsupported_media_type');
  if (error.statusCode !== undefined && error.statusCode < 500) {
    return new ApiError('bad_request', error.message);
  }
  log('error', {error: error.stack ?? String(error)}, 'a request failed');
  return new ApiError('internal_error');
}

function parseJson(text: string): unknown {
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ApiError('bad_request', `the body is not JSON: ${(error as Error).message}`);
  }
}

function parsed(schema: z.ZodMiniType | undefined, value: unknown, what: string): unknown {
  if (schema === undefined) return undefined;
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const told = result.error.issues.map(
    ({path, message}) => `${path.length === 0 ? '' : `${path.join('.')}: `}${message}`,
  );
  throw new ApiError('bad_request', `${what}: ${told.join('; ')}`);
}
