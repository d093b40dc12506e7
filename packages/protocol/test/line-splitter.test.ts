import assert from 'node:assert/strict';
import {test} from 'node:test';
import fc from 'fast-check';
import {LineSplitter} from '../src/index.ts';

function split(chunks: readonly Buffer[], limit?: number) {
  const lines: string[] = [];
  const oversize: number[] = [];
  const splitter = new LineSplitter(
    (line) => lines.push(line),
    (bytes) => oversize.push(bytes),
    limit,
  );
  for (const chunk of chunks) splitter.push(chunk);
  splitter.end();
  return {lines, oversize};
}

function cut(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    chunks.push(bytes.subarray(at, at + size));
    at += size;
  }
  return chunks;
}

test('lines are the same however the bytes are cut', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({unit: 'grapheme'}).map((text) => text.replace(/[\r\n]/g, ''))),
      fc.array(fc.integer({min: 1, max: 9}), {minLength: 1}),
      (lines, sizes) => {
        const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
        assert.deepEqual(split(cut(bytes, sizes)).lines, lines);
      },
    ),
  );
});

/** The same by the plainest means: every line on its own, from all of the bytes. */
function splitPlainly(bytes: Buffer, limit: number) {
  const lines: string[] = [];
  const oversize: number[] = [];
  for (let start = 0; start < bytes.length; ) {
    const newline = bytes.indexOf('\n', start);
    const end = newline < 0 ? bytes.length : newline;
    const line = bytes.subarray(start, end);
    if (line.length > limit) oversize.push(line.length);
    else lines.push(line.toString().replace(/\r$/, ''));
    start = end + 1;
  }
  return {lines, oversize};
}

test('bytes that are no text, long lines and carriage returns are the same however they are cut', () => {
  const byte = fc.constantFrom(...Buffer.from('a\n\r\u00e9\u20ac\u{1f600}\ufeff'), 0xff, 0xc0, 0);
  fc.assert(
    fc.property(
      fc.array(byte, {maxLength: 60}),
      fc.array(fc.integer({min: 1, max: 40}), {minLength: 1}),
      fc.integer({min: 1, max: 60}),
      (said, sizes, limit) => {
        const bytes = Buffer.from(said);
        assert.deepEqual(split(cut(bytes, sizes), limit), splitPlainly(bytes, limit));
      },
    ),
    {seed: 982147, numRuns: 2000},
  );
});

test('a carriage return before the newline is not part of the line', () => {
  assert.deepEqual(split([Buffer.from('a\r\nb\r\n')]).lines, ['a', 'b']);
});

test('what follows the last newline is a line when the stream ends', () => {
  assert.deepEqual(split([Buffer.from('a\nb')]).lines, ['a', 'b']);
});

test('a line beyond the limit is told by its length, and the next one is read', () => {
  const {lines, oversize} = split([Buffer.from('12345'), Buffer.from('67890\nok\n')], 8);
  assert.deepEqual(lines, ['ok']);
  assert.deepEqual(oversize, [10]);
});

test('a line of exactly the limit is taken', () => {
  assert.deepEqual(split([Buffer.from('12345678\n')], 8), {lines: ['12345678'], oversize: []});
});
