import assert from 'node:assert/strict';
import {test} from 'node:test';
import {inTurn, isWithin, median, type Row} from '../bench/measure.ts';
import {markdownTable, textTable} from '../bench/table.ts';

function aRow(fields: Partial<Row> = {}): Row {
  return {
    measure: 'start',
    value: {amount: 150, unit: 'ms'},
    floor: {amount: 100, unit: 'ms'},
    aim: {is: 'times', atMost: 1.5},
    ...fields,
  };
}

test('an aim is met up to its very bound, and missed beyond it', () => {
  const beyond = aRow({value: {amount: 151, unit: 'ms'}});
  assert.deepEqual([isWithin(aRow()), isWithin(beyond)], [true, false]);
});

test('the guard lets a ratio be so many times its aim, and no more', () => {
  const rows = [370, 380].map((amount) => aRow({value: {amount, unit: 'ms'}}));
  assert.deepEqual(
    rows.map((row) => isWithin(row, 2.5)),
    [true, false],
  );
});

test('an aim of so much more is a difference, not a ratio', () => {
  const late = (amount: number) =>
    aRow({value: {amount, unit: 'ms'}, aim: {is: 'more', atMost: 10}});
  assert.deepEqual([isWithin(late(110)), isWithin(late(111))], [true, false]);
  assert.match(textTable([late(111)]), /\+11\.0 ms {2}≤ 10 ms more {2}missed/);
});

test('what has no floor or no aim is reported', () => {
  assert.match(textTable([aRow({floor: null, aim: null})]), /150 ms +– +– +– +reported/);
  assert.match(textTable([aRow({aim: null})]), /100 ms +1\.50 × +– +reported/);
});

test('a table to be pasted has a row for each measure', () => {
  assert.equal(
    markdownTable([aRow()]),
    [
      '| measure | value | floor | ratio | target | verdict |',
      '|---|---:|---:|---:|---|---|',
      '| start | 150 ms | 100 ms | 1.50 × | ≤ 1.5 × | met |',
    ].join('\n'),
  );
});

test('a median of an even number of samples lies between the two in the middle', () => {
  assert.equal(median([9, 1, 3]), 3);
  assert.equal(median([9, 1, 3, 5]), 4);
});

test('value and floor are sampled in turn, and neither always goes first', async () => {
  const taken: string[] = [];
  const sample = (which: string) => async () => taken.push(which);
  await inTurn(3, sample('value'), sample('floor'));
  assert.deepEqual(taken, ['value', 'floor', 'floor', 'value', 'value', 'floor']);
});
