import assert from 'node:assert/strict';
import {once} from 'node:events';
import {writeFile} from 'node:fs/promises';
import {createServer, type Server} from 'node:http';
import type {AddressInfo} from 'node:net';
import {join} from 'node:path';
import {test} from 'node:test';
import * as z from 'zod/mini';
import {aFolder} from '../../../../test/rig/fixtures/folder.ts';
import {Control} from '../../src/cli/client/control.ts';

const Answer = z.object({yes: z.boolean()});

/** A state dir that says: this process is its supervisor, and is spoken to there. */
async function pointTo(stateDir: string, url: string, token: string | null = 'the-token') {
  const pointer = {pid: process.pid, started_at: 'then', url, token_file: 'control-token'};
  await writeFile(join(stateDir, 'supervisor.json'), JSON.stringify(pointer));
  if (token !== null) await writeFile(join(stateDir, 'control-token'), `${token}\n`);
}

async function answering(status: number, body: string): Promise<AsyncDisposable & {url: string}> {
  const server: Server = createServer((request, response) => {
    const isKnown = request.headers.authorization === 'Bearer the-token';
    response.writeHead(isKnown ? status : 401).end(isKnown ? body : '{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const {port} = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

test('an answer is read, and one of another version is told as such', async () => {
  await using folder = await aFolder();
  await using good = await answering(200, '{"yes": true}');
  await pointTo(folder.path, good.url);
  assert.deepEqual(await Control.reach({stateDir: folder.path}).get('/x', Answer), {yes: true});
  await using odd = await answering(200, '{"yes": "maybe"}');
  await pointTo(folder.path, odd.url);
  const control = Control.reach({stateDir: folder.path});
  const told = {
    exitCode: 1,
    message: /sent a response to \/x that .* cannot read\nuse the version that runs/,
  };
  await assert.rejects(control.get('/x', Answer), told);
});

test('a refusal without words is told by its number, and about which issue', async () => {
  await using folder = await aFolder();
  await using server = await answering(500, 'oops');
  await pointTo(folder.path, server.url);
  const control = Control.reach({stateDir: folder.path});
  const message = 'A/1: the supervisor answered 500';
  await assert.rejects(control.post('/api/v1/issues/A%2F1/stop', {}, Answer), {message});
});

test('a supervisor that cannot be reached, and a token that cannot be read', async () => {
  await using folder = await aFolder();
  await pointTo(folder.path, 'http://127.0.0.1:1', null);
  const stateDir = folder.path;
  assert.throws(() => Control.reach({stateDir}), /control-token cannot be read\nonly its owner/);
  await pointTo(stateDir, 'http://127.0.0.1:1');
  const unreachable = {message: new RegExp(`\\(process ${process.pid}, .*\\) cannot be reached\n`)};
  await assert.rejects(Control.reach({stateDir}).get('/x', Answer), unreachable);
});

test('a supervisor that hangs, before its answer or within it', async (t) => {
  const limit = new AbortController();
  t.mock.method(AbortSignal, 'timeout', () => limit.signal);
  await using folder = await aFolder();
  const heads: (string | null)[] = [null, '{"yes":'];
  const server = createServer((_, response) => {
    const head = heads.pop();
    if (typeof head === 'string') response.write(head);
    if (heads.length === 0) limit.abort();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  await pointTo(folder.path, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const control = Control.reach({stateDir: folder.path});
  const slow = {exitCode: 1, message: /\) did not respond within 10 s\ncheck its log/};
  const asked = [control.get('/x', Answer), control.get('/x', Answer)];
  await Promise.all(asked.map((each) => assert.rejects(each, slow)));
  server.closeAllConnections();
  server.close();
});

test('a pointer that is damaged is not taken for none', async () => {
  await using folder = await aFolder();
  await writeFile(join(folder.path, 'supervisor.json'), '{"pid": "one"}');
  assert.throws(() => Control.reach({stateDir: folder.path}), /supervisor\.json cannot be read/);
});
