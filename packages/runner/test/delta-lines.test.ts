import assert from 'node:assert/strict';
import {test} from 'node:test';
import fc from 'fast-check';
import {DeltaLines, type Streamed} from '../src/agent/wire/delta-lines.ts';

const METHOD = 'item/agentMessage/delta';

function lineOf(delta: unknown, more: object = {}): string {
  return JSON.stringify({method: METHOD, params: {threadId: 't', itemId: 'i', delta, ...more}});
}

/** Lines as the agent's process gets them: what is not taken is parsed, and what has a delta is learned. */
function hear(lines: readonly string[]) {
  const heard: Pick<Streamed, 'text' | 'pieces'>[] = [];
  let parsed = 0;
  const deltas = new DeltaLines('delta', ({text, pieces}) => void heard.push({text, pieces}));
  for (const line of lines) {
    if (deltas.takes(line)) continue;
    deltas.flush();
    parsed++;
    const {method, params} = JSON.parse(line);
    if (typeof params?.delta === 'string') deltas.learn(method, params, params.delta, line);
  }
  deltas.flush();
  return {heard, parsed};
}

test('pieces that differ in their text alone are parsed once and told together', () => {
  const {heard, parsed} = hear(['one ', 'two ', 'three'].map((text) => lineOf(text)));
  assert.deepEqual(heard, [
    {text: 'one ', pieces: 1},
    {text: 'two three', pieces: 2},
  ]);
  assert.equal(parsed, 1);
});

test('what comes between them is told in its place', () => {
  const other = JSON.stringify({method: 'turn/completed', params: {}});
  const lines = [lineOf('a'), lineOf('b'), other, lineOf('c')];
  assert.deepEqual(
    hear(lines).heard.map(({text}) => text),
    ['a', 'b', 'c'],
  );
});

test('a line is taken only if it is surely the same', () => {
  const deltas = new DeltaLines('delta', () => {});
  const line = lineOf('a');
  deltas.learn(METHOD, JSON.parse(line).params, 'a', line);
  assert.ok(deltas.takes(lineOf('b')));
  assert.ok(deltas.takes(lineOf('')));
  const others = [
    ...[lineOf('a "word"'), lineOf('a\nline'), lineOf('b', {itemId: 'j'}), lineOf(1)],
    ...[lineOf('b').slice(0, -1), `${lineOf('b')} `, line.replace('a"}}', '}}'), ''],
  ];
  for (const other of others) assert.equal(deltas.takes(other), false, other);
});

test('a text that only looks like one is not mistaken for it', () => {
  // The key appears twice: which of the two is the text cannot be told without parsing.
  const twice = (x: string) => `{"method":"m","params":{"x":{"delta":"${x}"},"delta":"a"}}`;
  assert.deepEqual(
    hear([twice('a'), twice('b')]).heard.map(({text}) => text),
    ['a', 'a'],
  );
});

test('whatever an agent streams, all of it is told, and in order', () => {
  const text = fc.oneof(fc.string(), fc.string({unit: 'binary'}), fc.constantFrom('"', '\\', '\n'));
  const piece = fc.record({text, item: fc.constantFrom('i', 'j')});
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const {heard} = hear(pieces.map(({text, item}) => lineOf(text, {itemId: item})));
      assert.equal(heard.map((one) => one.text).join(''), pieces.map((one) => one.text).join(''));
      assert.equal(
        heard.reduce((sum, one) => sum + one.pieces, 0),
        pieces.length,
      );
    }),
  );
});
