import assert from 'node:assert/strict';
import {test} from 'node:test';
import {toBlockers, toInstant, toLabels, toPriority, toText} from '../src/normalize.ts';

const table = <T>(rule: string, normalize: (value: unknown) => T, rows: [unknown, T][]) =>
  test(rule, () => {
    for (const [value, expected] of rows) {
      assert.deepEqual(normalize(value), expected, JSON.stringify(value));
    }
  });

table('text is trimmed, numbers are text, all else is none', toText, [
  [' a b ', 'a b'],
  [42, '42'],
  ['  ', null],
  [Number.NaN, null],
  [null, null],
  [true, null],
  [['a'], null],
]);

table('a priority is an integer or none', toPriority, [
  [1, 1],
  [0, 0],
  [-1, -1],
  ['3', 3],
  [' 2 ', 2],
  [2.5, null],
  ['high', null],
  ['', null],
  [null, null],
  [[1], null],
  [1e300, null],
]);

table('labels are trimmed, lower-cased, without blanks and duplicates', toLabels, [
  [
    [' Bug', 'bug', '', '  ', 'UI'],
    ['bug', 'ui'],
  ],
  [
    [1, null, {}, 'x'],
    ['1', 'x'],
  ],
  ['Bug, UI', ['bug', 'ui']],
  [undefined, []],
  [{a: 1}, []],
]);

table('an instant is ISO 8601; without a zone it is UTC', toInstant, [
  ['2024-05-06', '2024-05-06T00:00:00.000Z'],
  ['2024-05-06 07:08', '2024-05-06T07:08:00.000Z'],
  ['2024-05-06T07:08:09', '2024-05-06T07:08:09.000Z'],
  ['2024-05-06T07:08:09.5+02:00', '2024-05-06T05:08:09.500Z'],
  ['2024-05-06T07:08:09-0130', '2024-05-06T08:38:09.000Z'],
  ['2024-05-06t07:08:09z', '2024-05-06T07:08:09.000Z'],
  [new Date(0), '1970-01-01T00:00:00.000Z'],
  [new Date(Number.NaN), null],
  ['2024-13-06', null],
  ['issue 1', null],
  ['yesterday', null],
  [1700000000, null],
  [null, null],
]);

table('a blocker that cannot be read still blocks', toBlockers, [
  [
    ['A-1', 7],
    [unknown('A-1'), unknown('7')],
  ],
  ['A-1, A-2', [unknown('A-1'), unknown('A-2')]],
  [[{id: 'x', identifier: 'A-1', state: 'Done'}], [{id: 'x', identifier: 'A-1', state: 'Done'}]],
  [
    [{}, true],
    [unknown(null), unknown(null)],
  ],
  [[null, ''], []],
  [undefined, []],
]);

function unknown(identifier: string | null) {
  return {id: null, identifier, state: null};
}
