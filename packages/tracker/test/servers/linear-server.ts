import {once} from 'node:events';
import {readFileSync} from 'node:fs';
import {createServer, type IncomingMessage, type Server} from 'node:http';
import type {AddressInfo} from 'node:net';
import {
  buildSchema,
  type ExecutionResult,
  execute,
  GraphQLError,
  type GraphQLSchema,
  parse,
  validate,
} from 'graphql';
import {complexityOf} from './linear-complexity.ts';
import type {LinearWorld} from './linear-world.ts';

const SCHEMA_FILE = new URL('./linear-schema.graphql', import.meta.url);
let schema: GraphQLSchema | null = null;

/** Linear's own, as published. */
export function linearSchema(): GraphQLSchema {
  schema ??= buildSchema(readFileSync(SCHEMA_FILE, 'utf8'), {assumeValid: true});
  return schema;
}

export const KEY = 'lin_api_0123456789abcdefghij';
export const TOKEN = 'lin_oauth_0123456789abcdefghij';
const REQUESTS = 5_000;
const POINTS = 250_000;
const MOST_POINTS = 10_000;

/** Linear's GraphQL endpoint: the real schema over a world in memory. */
export class LinearServer implements AsyncDisposable {
  readonly #world: LinearWorld;
  readonly #server: Server;
  #requests = 0;
  #points = 0;

  private constructor(world: LinearWorld) {
    this.#world = world;
    this.#server = createServer(async (incoming, outgoing) => {
      const {status, headers, result} = await this.#answer(incoming);
      outgoing.writeHead(status, {'content-type': 'application/json', ...headers});
      outgoing.end(JSON.stringify(result));
    });
  }

  static async over(world: LinearWorld): Promise<LinearServer> {
    const server = new LinearServer(world);
    server.#server.listen(0, '127.0.0.1');
    await once(server.#server, 'listening');
    return server;
  }

  get url(): URL {
    const {port} = this.#server.address() as AddressInfo;
    return new URL(`http://127.0.0.1:${port}/graphql`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #answer(incoming: IncomingMessage) {
    const {authorization = ''} = incoming.headers;
    if (![KEY, `Bearer ${TOKEN}`].includes(authorization)) return refused(401, UNAUTHENTICATED);
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const {query, variables = {}} = JSON.parse(Buffer.concat(chunks).toString());
    try {
      return await this.#execute(query, variables);
    } catch (error) {
      return refused(400, {errors: [error]});
    }
  }

  async #execute(query: string, variables: Record<string, unknown>) {
    const document = parse(query);
    const invalid = validate(linearSchema(), document);
    if (invalid.length > 0) return refused(400, {errors: invalid});
    const points = complexityOf(linearSchema(), document, variables);
    if (points > MOST_POINTS) throw new GraphQLError('Query too complex');
    this.#requests += 1;
    this.#points += points;
    const result = await execute({
      schema: linearSchema(),
      document,
      rootValue: this.#world.root(),
      variableValues: variables,
    });
    return {status: 200, headers: this.#rates(points), result};
  }

  #rates(points: number): Record<string, string> {
    const reset = String(Date.now() + 3_600_000);
    return {
      'x-complexity': String(points),
      'x-ratelimit-requests-limit': String(REQUESTS),
      'x-ratelimit-requests-remaining': String(REQUESTS - this.#requests),
      'x-ratelimit-requests-reset': reset,
      'x-ratelimit-complexity-limit': String(POINTS),
      'x-ratelimit-complexity-remaining': String(POINTS - Math.ceil(this.#points)),
      'x-ratelimit-complexity-reset': reset,
    };
  }
}

const UNAUTHENTICATED: ExecutionResult = {
  errors: [
    new GraphQLError('Authentication required, not authenticated', {
      extensions: {type: 'authentication error', code: 'AUTHENTICATION_ERROR'},
    }),
  ],
};

function refused(status: number, result: unknown) {
  return {status, headers: {}, result};
}
