import {createHash} from 'node:crypto';
import {readdir, readFile} from 'node:fs/promises';
import {extname, join, relative, sep} from 'node:path';
import type {Reply} from '../api/route.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
};

const MISSING = `The dashboard has not been built: run \`npm run build\`. The API is at /api/v1/state.\n`;

interface File {
  readonly type: string;
  readonly bytes: Buffer;
  readonly etag: string;
}

/**
 * The pages, cached in memory: a request path is only looked up and never becomes a path on disk.
 */
export class DashboardFiles {
  readonly #folder: string;
  #reading: Promise<ReadonlyMap<string, File>> | null = null;

  constructor(folder: string) {
    this.#folder = folder;
  }

  mayServe(method: string, url: string): boolean {
    return (method === 'GET' || method === 'HEAD') && !/^\/(api|webhooks)(\/|$)/.test(url);
  }

  /** undefined: there is no such file. */
  async serve(url: string, known: string | undefined): Promise<Reply | undefined> {
    const files = await this.#files();
    const path = url.replace(/[?#].*$/s, '');
    if (files.size === 0 && path === '/') {
      return {status: 503, type: 'text/plain; charset=utf-8', body: MISSING};
    }
    const file = files.get(path === '/' ? '/index.html' : path);
    if (file === undefined) return undefined;
    const {type, bytes, etag} = file;
    // Names stay the same across versions, so a cached copy must be revalidated.
    const headers = {etag, 'cache-control': 'no-cache'};
    if (known === etag) return {status: 304, type, body: '', headers};
    return {status: 200, type, body: bytes, headers};
  }

  async #files(): Promise<ReadonlyMap<string, File>> {
    this.#reading ??= readAll(this.#folder);
    const files = await this.#reading;
    // The files may be built while the supervisor runs.
    if (files.size === 0) this.#reading = null;
    return files;
  }
}

async function readAll(folder: string): Promise<Map<string, File>> {
  const entries = await readdir(folder, {recursive: true, withFileTypes: true}).catch(() => []);
  const files = entries.filter((entry) => entry.isFile() && extname(entry.name) in TYPES);
  const read = files.map(async (entry): Promise<[string, File]> => {
    const path = join(entry.parentPath, entry.name);
    const bytes = await readFile(path);
    const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`;
    const type = TYPES[extname(entry.name)] ?? 'application/octet-stream';
    return [`/${relative(folder, path).split(sep).join('/')}`, {type, bytes, etag}];
  });
  return new Map(await Promise.all(read));
}
