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

test('lines are the same however the bytes are cut', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({unit: 'grapheme'}).map((text) => text.replace(/[\r\n]/g, ''))),
      fc.array(fc.integer({min: 1, max: 9}), {minLength: 1}),
      (lines, sizes) => {
        const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
        const chunks: Buffer[] = [];
        for (let at = 0, turn = 0; at < bytes.length; turn++) {
          const size = sizes[turn % sizes.length] ?? 1;
          chunks.push(bytes.subarray(at, at + size));
          at += size;
        }
        assert.deepEqual(split(chunks).lines, lines);
      },
    ),
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
