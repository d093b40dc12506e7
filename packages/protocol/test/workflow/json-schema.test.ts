import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';
import {fileURLToPath} from 'node:url';
import * as z from 'zod/mini';
import {describeKeys, workflowJsonSchema} from '../../src/workflow/index.ts';

const root = fileURLToPath(new URL('../../../..', import.meta.url));

const Property = z.looseObject({
  description: z.string(),
  default: z.optional(z.unknown()),
  anyOf: z.array(z.looseObject({})),
});
const Schema = z.looseObject({
  required: z.array(z.string()),
  additionalProperties: z.literal(true),
  properties: z.record(z.string(), Property),
});

test('the published schema is up to date', () => {
  const {status, stderr} = spawnSync(
    process.execPath,
    ['--import', 'tsx', 'scripts/workflow-schema.ts', '--check'],
    {cwd: root, encoding: 'utf8'},
  );
  assert.equal(status, 0, stderr);
  const file = `${root}/packages/protocol/workflow.schema.json`;
  assert.deepEqual(
    JSON.parse(readFileSync(file, 'utf8')),
    JSON.parse(JSON.stringify(workflowJsonSchema())),
  );
});

test('it says precisely what is allowed, and allows unknown keys', () => {
  const schema = Schema.parse(workflowJsonSchema());
  assert.equal(schema.$schema, 'https://json-schema.org/draft/2020-12/schema');
  assert.deepEqual(schema.required, ['tracker']);
  const tracker = Schema.parse(schema.properties.tracker?.anyOf[0]);
  assert.deepEqual(tracker.required, ['kind']);
  const polling = z
    .looseObject({
      properties: z.record(z.string(), Property),
      additionalProperties: z.literal(true),
    })
    .parse(schema.properties.polling?.anyOf[0]);
  assert.deepEqual(polling.properties.interval_ms, {
    anyOf: [
      {
        anyOf: [
          {type: 'integer', minimum: 1, maximum: 2_147_483_647},
          {type: 'string', pattern: '^\\d+$'},
        ],
      },
      {type: 'null'},
    ],
    description: 'Time from one poll of the tracker to the next.',
    default: 30_000,
  });
});

test('every key is described in one line, with its default', () => {
  const rows = describeKeys();
  const defaults = Object.fromEntries(rows.map((row) => [row.key, row.default]));
  assert.equal(rows.length, 81);
  assert.equal(defaults['tracker.kind'], 'required');
  assert.equal(defaults['tracker.provider'], '{}');
  assert.equal(defaults['tracker.handoff_state'], '–');
  assert.equal(defaults['agent.max_turns'], '20');
  assert.equal(defaults['agent.max_tokens'], '0 (no limit)');
  assert.equal(defaults['agent.kind'], 'codex');
  assert.equal(defaults['agent.turn_timeout_ms'], '3600000');
  assert.equal(defaults['codex.command'], 'codex app-server');
  assert.equal(defaults['server.port'], 'off');
  assert.equal(defaults['roles.<name>.max_turns'], 'agent.max_turns');
  assert.equal(defaults['roles.<name>.when.title'], '–');
  for (const {key, description, expects} of rows) {
    assert.match(description, /^[^\n]+\.$/, key);
    assert.match(expects, /^[^\n]+$/, key);
  }
});
