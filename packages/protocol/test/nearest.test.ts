import assert from 'node:assert/strict';
import {test} from 'node:test';
import {nearest} from '../src/nearest.ts';

test('near is a slip or two, not another word', () => {
  const known = ['interval_ms', 'port', 'host', 'env', 'max_turns', 'max_runs'];
  for (const [word, expected] of [
    ['intervall_ms', 'interval_ms'],
    ['intervalms', 'interval_ms'],
    ['Interval_MS', 'interval_ms'],
    ['opRt', 'port'],
    ['prot', 'port'],
    ['envs', 'env'],
    ['e', null],
    ['most', 'host'],
    ['max_run', 'max_runs'],
    ['model', null],
    ['', null],
    ['interval_ms'.repeat(9), null],
  ] as const) {
    assert.equal(nearest(word, known), expected, word);
  }
});

test('the last part of a dotted name stands for the whole, and is what must be near', () => {
  const known = ['issue', 'issue.id', 'issue.title', 'issue.native_ref.number', 'attempt'];
  for (const [word, expected] of [
    ['title', 'issue.title'],
    ['number', 'issue.native_ref.number'],
    ['isue.title', 'issue.title'],
    ['issue.titel', 'issue.title'],
    ['issue.x', null],
    ['issue.title.length', null],
  ] as const) {
    assert.equal(nearest(word, known), expected, word);
  }
});

test('a name as long as a file is refused by its length alone', () => {
  const long = 'x'.repeat(50_000_000);
  assert.equal(nearest(long, Array(200).fill('interval_ms')), null);
});
