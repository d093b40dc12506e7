import assert from 'node:assert/strict';
import {readFile} from 'node:fs/promises';
import {after, before, test} from 'node:test';
import {ERRORS} from '../../src/http/api-error.ts';
import {Metrics} from '../../src/metrics/index.ts';
import {Served} from './served.ts';

// The description is walked, and every route in it is called: what it promises is what comes.

interface Operation {
  readonly operationId: string;
  readonly parameters: readonly {name: string; in: string; required: boolean}[];
  readonly requestBody?: unknown;
  readonly responses: Readonly<Record<string, {content: Record<string, unknown>}>>;
}
interface Description {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {schemas: Readonly<Record<string, unknown>>};
}

let served: Served;
let metrics: Metrics;
let description: Description;

before(async () => {
  metrics = new Metrics();
  served = await Served.start({issues: ['T-1'], metrics});
  await served.until(({running}) => running[0]?.phase === 'streaming_turn');
  description = (await (await served.ask('/api/v1/openapi.json')).json()) as Description;
});

after(async () => {
  await served[Symbol.asyncDispose]();
  metrics[Symbol.dispose]();
});

/** In an order in which one does not spoil the other. */
function operations(): [method: string, path: string, operation: Operation][] {
  return Object.entries(description.paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]): [string, string, Operation] => [
        method.toUpperCase(),
        path,
        operation,
      ]),
    )
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

test('every route that is described answers as it is described', async () => {
  const runId = served.supervisor.api.snapshot.running[0]?.run_id ?? '';
  const values: Record<string, string> = {identifier: 'T-1', run_id: runId, project: 'p'};
  const called = operations();
  assert.ok(called.length >= 20, `only ${called.length}`);
  for (const [method, template, {responses, operationId}] of called) {
    const path = template.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? name);
    const stop = new AbortController();
    const response = await served.ask(path, {method, signal: stop.signal});
    const promised = responses[response.status];
    assert.ok(promised, `${operationId} answered ${response.status}`);
    const type = response.headers.get('content-type')?.split(';')[0] ?? '';
    assert.ok(type in promised.content, `${operationId} is ${type}`);
    // A conflict or an unknown project may be right here; a route that is not there is not.
    if (response.status === 404) assert.doesNotMatch(await response.text(), /"not_found"/);
    stop.abort();
  }
});

test('references lead somewhere, parameters are those of the path, names are unique', () => {
  const text = JSON.stringify(description);
  for (const [, name = ''] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    assert.ok(name in description.components.schemas, name);
  }
  for (const [, path, {parameters}] of operations()) {
    const named = parameters.filter((one) => one.in === 'path').map(({name}) => `{${name}}`);
    assert.deepEqual(named, path.match(/\{\w+\}/g) ?? []);
  }
  const ids = operations().map(([, , {operationId}]) => operationId);
  assert.equal(new Set(ids).size, ids.length);
  assert.match(description.openapi, /^3\.1\./);
});

test('every code of a refusal is documented', async () => {
  const docs = await readFile(new URL('../../../../docs/http-api.md', import.meta.url), 'utf8');
  for (const [code, [status]] of Object.entries(ERRORS)) {
    assert.match(docs, new RegExp(`\\| ${status} \\| \`${code}\` \\|`), code);
  }
  for (const path of Object.keys(description.paths)) assert.ok(docs.includes(path), path);
});
