import assert from 'node:assert/strict';
import {test} from 'node:test';
import {NoDeprecatedCustomRule, parse, validate} from 'graphql';
import * as queries from '../../src/linear/queries.ts';
import {complexityOf} from '../servers/linear-complexity.ts';
import {linearSchema} from '../servers/linear-server.ts';

const {DEPTHS, ISSUE_TO_WRITE, ISSUES, UPDATE_ISSUE, WRITE_DEPTH} = queries;

/** Everything in the file of queries that is a text is a document. */
const documents = Object.entries(queries).flatMap(([name, value]): [string, string][] =>
  typeof value === 'string' ? [[name, value]] : [],
);

function costOf(query: string, {issues, ...depth}: queries.Depth): number {
  return complexityOf(linearSchema(), parse(query), {first: issues, ...depth});
}

test("every document is valid against Linear's own schema", () => {
  assert.ok(documents.length >= 8, `only ${documents.length} documents were found`);
  for (const [name, text] of documents) {
    assert.deepEqual(validate(linearSchema(), parse(text)), [], name);
  }
});

test('no document uses what Linear is about to remove', () => {
  for (const [name, text] of documents) {
    const errors = validate(linearSchema(), parse(text), [NoDeprecatedCustomRule]);
    assert.deepEqual(errors, [], name);
  }
});

test('a page of candidates costs less than 1 000 points', () => {
  const cost = costOf(ISSUES, DEPTHS[0]);
  assert.ok(cost > 500 && cost < 1_000, String(cost));
});

test('what is asked for more deeply stays far below the 10 000 points of one query', () => {
  for (const depth of DEPTHS) assert.ok(costOf(ISSUES, depth) < 2_000);
  for (const query of [ISSUE_TO_WRITE, UPDATE_ISSUE]) {
    assert.ok(costOf(query, WRITE_DEPTH) < 1_000);
  }
});

test('the formula is counted as Linear publishes it', () => {
  const rows: readonly [string, number][] = [
    ['{ viewer { id name } }', 1.2],
    ['{ issues(first: 10) { nodes { id } } }', 11],
    ['{ issues { nodes { id } } }', 55],
    ['{ issues(first: 10) { nodes { labels(first: 5) { nodes { name } } } } }', 65],
    ['{ issues(first: 2) { nodes { ...F } } } fragment F on Issue { state { name } }', 4.2],
  ];
  for (const [query, points] of rows) {
    const cost = complexityOf(linearSchema(), parse(query), {});
    assert.equal(Math.round(cost * 10) / 10, points, query);
  }
});
