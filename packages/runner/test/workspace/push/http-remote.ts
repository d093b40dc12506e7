import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import {pipeline} from 'node:stream/promises';

export interface HttpRemoteOptions {
  /** `user:password`; null: everyone may. */
  readonly login?: string | null;
  /** Called when a request is authorized, and awaited before git sees it. */
  readonly before?: (request: IncomingMessage) => void | Promise<void>;
  /** Called when git has answered, and awaited before the client is. */
  readonly after?: (request: IncomingMessage) => void | Promise<void>;
  /** Sends every request elsewhere. */
  readonly redirectTo?: () => string;
}

/** Serves the repositories of a folder by `git http-backend`, as a forge does. */
export async function httpRemote(root: string, options: HttpRemoteOptions = {}) {
  const {login = null, before, after, redirectTo} = options;
  const expected = login === null ? null : `Basic ${Buffer.from(login).toString('base64')}`;
  const seen: {path: string; authorization: string | null}[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const authorization = request.headers.authorization ?? null;
    seen.push({path: request.url ?? '', authorization});
    if (redirectTo !== undefined) {
      response.writeHead(302, {location: `${redirectTo()}${request.url}`}).end();
      return;
    }
    if (expected !== null && authorization !== expected) {
      response.writeHead(401, {'www-authenticate': 'Basic realm="git"'}).end();
      return;
    }
    await before?.(request);
    await runBackend(root, request, response, async () => after?.(request));
  };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no address');
  return {
    url: `http://127.0.0.1:${address.port}`,
    seen,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await server[Symbol.asyncDispose]();
    },
  };
}

async function runBackend(
  root: string,
  request: IncomingMessage,
  response: ServerResponse,
  after: () => Promise<void>,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://x');
  const {headers} = request;
  const child = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env.PATH ?? '',
      ...{GIT_PROJECT_ROOT: root, GIT_HTTP_EXPORT_ALL: '1', GIT_CONFIG_NOSYSTEM: '1', HOME: root},
      ...{PATH_INFO: url.pathname, QUERY_STRING: url.search.slice(1), REMOTE_USER: 'someone'},
      REQUEST_METHOD: request.method ?? 'GET',
      CONTENT_TYPE: headers['content-type'] ?? '',
      CONTENT_LENGTH: headers['content-length'] ?? '',
      HTTP_CONTENT_ENCODING: headers['content-encoding'] ?? '',
      GIT_PROTOCOL: String(headers['git-protocol'] ?? ''),
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const exited = once(child, 'exit');
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  const read = once(child.stdout, 'close');
  await pipeline(request, child.stdin).catch(() => {}); // it may answer before it has read all
  await Promise.all([read, exited]);
  await after();
  const output = Buffer.concat(chunks);
  const end = output.indexOf('\r\n\r\n');
  let status = 200;
  for (const line of output.subarray(0, end).toString('latin1').split('\r\n')) {
    const [name = '', value = ''] = line.split(': ');
    if (name.toLowerCase() === 'status') status = Number.parseInt(value, 10);
    else response.setHeader(name, value);
  }
  response.writeHead(status).end(output.subarray(end + 4));
}
