import * as z from 'zod/mini';
import {VERSION} from '../../version.ts';
import {PAGE_KEY_HEADER} from '../access/credential.ts';
import {ERRORS, type ErrorCode} from '../api-error.ts';
import type {Access, Route} from './route.ts';
import {
  ActionList,
  ActionView,
  ErrorBody,
  Health,
  IssueView,
  LoginCode,
  OrderTaken,
  RefreshTaken,
  RunList,
  RunView,
  SessionOpened,
  Snapshot,
  TokensRotated,
  WebhookTaken,
} from './shapes.ts';

const NAMED = {
  ...{Snapshot, IssueView, RunView, RunList, RefreshTaken, OrderTaken, Health, WebhookTaken},
  ...{ActionView, ActionList, SessionOpened, LoginCode, TokensRotated},
  Error: ErrorBody,
};

const ACCESS: Readonly<Record<Access, string>> = {
  open: 'Needs no credential.',
  local: 'Needs no credential on a loopback port; elsewhere a token or a session.',
  read: 'Needs the control token, the read token or a session.',
  control: 'Needs the control token or a session.',
  owner: 'Needs the control token.',
  signed: "The tracker's signature decides.",
};

const TOKEN = {token: []};
const SESSION = {session_cookie: [], page_key: []};
const SECURITY: Readonly<Record<Access, readonly Json[]>> = {
  open: [],
  local: [TOKEN, SESSION, {}],
  read: [TOKEN, SESSION],
  control: [TOKEN, SESSION],
  owner: [TOKEN],
  signed: [],
};

type Json = Readonly<Record<string, unknown>>;

/** OpenAPI 3.1, generated from the routes that are served. */
export function describe(routes: readonly Route[], cookieName: string): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const route of routes) {
    const path = paths[route.path] ?? {};
    path[route.method.toLowerCase()] = operation(route);
    paths[route.path] = path;
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Symphony Supervisor',
      version: VERSION,
      description: 'State of the supervisor, and orders to it. `GET` changes nothing.',
    },
    servers: [{url: '/'}],
    paths,
    components: {
      schemas: schemas(),
      securitySchemes: {
        token: {type: 'http', scheme: 'bearer'},
        session_cookie: {type: 'apiKey', in: 'cookie', name: cookieName},
        page_key: {type: 'apiKey', in: 'header', name: PAGE_KEY_HEADER},
      },
    },
  };
}

function operation(route: Route): Json {
  const errors = errorsOf(route);
  return {
    operationId: route.id,
    summary: route.summary,
    ...(route.isDeprecated ? {deprecated: true} : {}),
    description: ACCESS[route.access],
    security: SECURITY[route.access],
    parameters: [...pathParameters(route.path), ...queryParameters(route.query)],
    ...(route.body === undefined ? {} : {requestBody: requestBody(route.body)}),
    ...(route.takesBytes ? {requestBody: {content: {'*/*': {schema: {}}}}} : {}),
    responses: {
      ...Object.fromEntries(
        Object.entries(route.answers).map(([status, {description, schema, type}]) => [
          status,
          {description, content: {[type ?? 'application/json']: content(schema)}},
        ]),
      ),
      ...Object.fromEntries([...errors].map(([status, codes]) => [status, refusal(codes)])),
    },
  };
}

function content(schema: z.ZodMiniType | undefined): Json {
  if (schema === undefined) return {schema: {type: 'string'}};
  const name = Object.entries(NAMED).find(([, named]) => named === schema)?.[0];
  return {schema: name === undefined ? plain(schema) : {$ref: `#/components/schemas/${name}`}};
}

/** Every route can refuse the caller; routes with input can refuse the input. */
function errorsOf({
  access,
  query,
  body,
  takesBytes,
  errors,
  answers,
}: Route): Map<number, ErrorCode[]> {
  const codes: ErrorCode[] = [...(errors ?? [])];
  if (query !== undefined || body !== undefined) codes.push('bad_request');
  if (body !== undefined) codes.push('unsupported_media_type');
  if (body !== undefined || takesBytes) codes.push('payload_too_large');
  if (access !== 'signed') codes.push('foreign_host', 'foreign_origin');
  if (access !== 'signed' && access !== 'open') codes.push('unauthorized');
  if (access === 'control' || access === 'owner') codes.push('forbidden');
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    const [status] = ERRORS[code];
    if (!(status in answers)) byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return byStatus;
}

function refusal(codes: readonly ErrorCode[]): Json {
  const description = codes.map((code) => `\`${code}\`: ${ERRORS[code][1]}`).join('; ');
  const schema = {$ref: '#/components/schemas/Error'};
  return {description, content: {'application/json': {schema}}};
}

function pathParameters(path: string): Json[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    ...{name, in: 'path', required: true, schema: {type: 'string'}},
  }));
}

function queryParameters(query: z.ZodMiniObject | undefined): Json[] {
  return Object.entries(query?.shape ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: !z.safeParse(schema, undefined).success,
    schema: plain(schema as z.ZodMiniType),
  }));
}

function requestBody(body: z.ZodMiniType): Json {
  return {required: false, content: {'application/json': {schema: plain(body, 'input')}}};
}

function plain(schema: z.ZodMiniType, io: 'input' | 'output' = 'output'): Json {
  const {$schema: _, ...rest} = z.toJSONSchema(schema, {io});
  return rest;
}

/** Later versions may add fields: clients must ignore unknown ones. */
function mayGrow({jsonSchema}: {jsonSchema: {additionalProperties?: unknown}}): void {
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
}

function schemas(): Json {
  const registry = z.registry<{id: string}>();
  for (const [id, schema] of Object.entries(NAMED)) registry.add(schema, {id});
  const uri = (id: string) => `#/components/schemas/${id}`;
  const made = z.toJSONSchema(registry, {uri, override: mayGrow}).schemas;
  return Object.fromEntries(
    Object.entries(made).map(([id, {$schema: _, $id: __, ...schema}]) => [id, schema]),
  );
}
