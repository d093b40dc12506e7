import assert from 'node:assert/strict';
import {test} from 'node:test';
import {read} from './fixture.ts';

function warnings(codex: string): string[] {
  const reading = read(`tracker: {kind: folder}\ncodex: ${codex}`);
  assert.ok(reading.ok);
  return reading.warnings.map(({code, message}) => `${code}: ${message}`);
}

test('words that Codex does not know are warnings that name those that it knows', () => {
  assert.deepEqual(warnings('{approval_policy: nevr, thread_sandbox: workspce-write}'), [
    'unknown_value: codex.approval_policy is "nevr", which Codex does not know; it knows untrusted, on-request, never or {granular: …}; did you mean never?',
    'unknown_value: codex.thread_sandbox is "workspce-write", which Codex does not know; it knows read-only, workspace-write, danger-full-access; did you mean workspace-write?',
  ]);
  assert.deepEqual(warnings('{approval_policy: on-request, thread_sandbox: read-only}'), []);
  assert.deepEqual(warnings('{approval_policy: {granular: {rules: true}}}'), []);
});
