import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {Person} from '../../src/forge/pull-request.ts';
import {trustRule} from '../../src/forge/rules/trust.ts';
import {aPerson} from './facts.ts';

const PEOPLE: Readonly<Record<string, Partial<Person>>> = {
  owner: {association: 'owner'},
  member: {association: 'member'},
  collaborator: {association: 'collaborator'},
  stranger: {login: 'eve', association: 'none'},
  unknown: {login: 'eve', association: null},
  bot: {login: 'ci[bot]', isBot: true, association: 'member'},
  ourselves: {login: 'symphony', isSelf: true, association: 'owner'},
};

const ROWS: readonly (readonly [allowed: string[] | null, trusted: string])[] = [
  [null, 'owner member collaborator'],
  [[], ''],
  [['owner'], 'owner'],
  [['@Eve'], 'stranger unknown'],
  [['*'], 'owner member collaborator stranger unknown'],
  [['ci[bot]'], 'bot'],
  [['symphony'], ''],
];

for (const [allowed, trusted] of ROWS) {
  test(`trusted by ${JSON.stringify(allowed)}: ${trusted || 'none'}`, () => {
    const isTrusted = trustRule({allowed});
    const found = Object.keys(PEOPLE).filter((name) => isTrusted(aPerson(PEOPLE[name])));
    assert.equal(found.join(' '), trusted);
  });
}

test('an account that calls itself like a relation has not that relation', () => {
  const isTrusted = trustRule({allowed: ['owner']});
  assert.equal(isTrusted(aPerson({login: 'owner', association: 'none'})), false);
});
