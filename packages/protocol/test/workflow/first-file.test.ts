import assert from 'node:assert/strict';
import {test} from 'node:test';
import {checkFirstFile, formatComplaint} from '../../src/workflow/index.ts';
import {read} from './fixture.ts';

function file(path: string, lines: string) {
  const reading = read(`tracker: {kind: folder}\n${lines}`, {path, severalProjects: true});
  assert.ok(reading.ok, JSON.stringify(reading));
  return {path, shared: reading.shared};
}

test('what the value of the first file applies and a later one says otherwise is a warning that names both', () => {
  const warnings = checkFirstFile([
    file('/a/WORKFLOW.md', 'server: {port: 4000}\nlogs: {max_run_mb: 64}'),
    file('/b/WORKFLOW.md', 'server: {port: 4000}\nlogs:\n  max_run_mb: 32\n  max_total_mb: 5000'),
    file('/c/WORKFLOW.md', 'server:\n  host: 0.0.0.0'),
    file('/d/WORKFLOW.md', 'server:\nlogs: {max_run_mb: }'),
  ]);
  assert.deepEqual(warnings.map(formatComplaint), [
    '/b/WORKFLOW.md:5:3: logs.max_run_mb is 32 here and 64 in /a/WORKFLOW.md; the value of the first file applies',
    '/c/WORKFLOW.md:4:3: server.host is "0.0.0.0" here and "127.0.0.1" in /a/WORKFLOW.md; the value of the first file applies',
  ]);
  assert.ok(warnings.every(({code}) => code === 'first_file_decides'));
  assert.deepEqual(checkFirstFile([]), []);
});

test('all logs together cannot be smaller than the logs of one run', () => {
  const reading = read('tracker: {kind: folder}\nlogs: {max_run_mb: 64, max_total_mb: 63}');
  assert.ok(!reading.ok);
  assert.match(reading.errors[0]?.message ?? '', /max_total_mb is 63; give at least .* \(64\)/);
});
