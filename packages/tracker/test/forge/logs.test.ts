import assert from 'node:assert/strict';
import {test} from 'node:test';
import {cleanLog, LOG_LINES} from '../../src/forge/logs/clean.ts';
import {fitLogs, LOGS_BYTES} from '../../src/forge/logs/fit.ts';

const aLog = (text: string | null, name = 'build') => ({name, url: null, text});
const sizes = (logs: readonly {text: string | null}[]) =>
  logs.map(({text}) => Buffer.byteLength(text ?? ''));

test('timestamps, colours, sections and progress bars are not part of a log', () => {
  const log = [
    '2026-01-02T03:04:05.1234567Z \u001b[31mred\u001b[0m',
    '2026-01-02T03:04:05.123456Z 01O from GitLab',
    'section_start:1700000000:step_script\r\u001b[0K$ npm test',
    '10 %\r50 %\r100 %',
    'a\u0000b\u0007',
  ].join('\n');
  assert.equal(cleanLog(log), 'red\nfrom GitLab\n$ npm test\n100 %\nab');
});

test('a log ends with the error of the failed step, not with the clean-up after it', () => {
  const log =
    'test failed\n2026-01-02T03:04:05Z ##[error]Process completed with exit code 1.\nPost job cleanup.\n';
  assert.equal(cleanLog(log), 'test failed\n##[error]Process completed with exit code 1.');
});

test('the last fifty lines are kept, and a long line is cut', () => {
  const lines = Array.from({length: 200}, (_, index) => `line ${index + 1}`);
  const kept = cleanLog(`${lines.join('\n')}\n\n`).split('\n');
  assert.deepEqual([kept.length, kept[0], kept.at(-1)], [LOG_LINES, 'line 151', 'line 200']);
  assert.equal(cleanLog('x'.repeat(5_000)).length, 1_001);
});

test('many logs share the limit; what a short one leaves goes to the others', () => {
  const line = `${'é'.repeat(99)}\n`;
  const logs = [aLog(line.repeat(400)), aLog('short'), aLog(null), aLog(line.repeat(400))];
  const fitted = fitLogs(logs);
  const [first = 0, second, third, fourth = 0] = sizes(fitted);
  assert.ok(first + fourth + 5 <= LOGS_BYTES);
  assert.deepEqual([second, third], [5, 0]);
  assert.ok(Math.min(first, fourth) > 16_000, `${first} ${fourth}`);
  assert.ok(fitted.every(({text}) => !text?.includes('\ufffd')));
  assert.ok(logs[0]?.text?.endsWith(fitted[0]?.text ?? 'none'));
});

test('a log of one line is cut within the line, between characters', () => {
  const [log] = fitLogs([aLog('é'.repeat(1_000))], 101);
  assert.equal(log?.text, 'é'.repeat(50));
});
