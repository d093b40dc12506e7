import assert from 'node:assert/strict';
import {existsSync, readFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {test} from 'node:test';
import {allTestFiles, ROOT} from '../../../../../scripts/testing/suites.ts';
import {CASE_IDS, CASES} from './cases/all.ts';
import {DECLARED} from './declared/all.ts';

const KINDS = Object.entries(DECLARED).map(
  ([kind, declared]) => [kind, Object.values(declared)] as const,
);

/** What nothing of a kind can play, because its protocol has no word for it. */
const NO_WORD_FOR: Readonly<Record<string, readonly string[]>> = {acp: ['launch.logged-out']};

test('what a player cannot do has a reason', () => {
  for (const [kind, players] of KINDS) {
    for (const {player, cannot, otherCodes} of players) {
      const reasons = [
        ...Object.entries(cannot),
        ...Object.entries(otherCodes).map(([id, other]) => [id, other.because] as const),
      ];
      for (const [id, reason] of reasons) {
        assert.match(reason, /\w+ \w+/, `${kind} (${player}), ${id}`);
        assert.ok(
          CASE_IDS.some((known) => known === id),
          `${kind} (${player}): no case ${id}`,
        );
      }
    }
  }
});

test('only a turn that fails can fail by another code', () => {
  for (const [, players] of KINDS) {
    const ids = players.flatMap(({otherCodes}) => Object.keys(otherCodes));
    for (const id of ids) assert.match(id, /^failures\./);
  }
});

test('every case is played by something of each kind, and by a program of ours', () => {
  for (const [kind, players] of KINDS) {
    assert.ok(
      players.some(({player}) => player === 'scripted'),
      `${kind} has no scripted player`,
    );
    assert.equal(new Set(players.map(({player}) => player)).size, players.length);
    for (const id of CASE_IDS) {
      if (NO_WORD_FOR[kind]?.includes(id)) continue;
      assert.ok(
        players.some(({cannot}) => cannot[id] === undefined),
        `nothing of kind ${kind} plays ${id}`,
      );
    }
  }
});

test('a suite plays every player that is declared', () => {
  const tests = allTestFiles().map((file) => join(ROOT, file));
  const players = tests.flatMap((file) => [file, join(dirname(file), 'contract-player.ts')]);
  const sources = players.filter(existsSync).map((file) => readFileSync(file, 'utf8'));
  for (const [kind, declared] of Object.entries(DECLARED)) {
    for (const key of Object.keys(declared)) {
      const use = `${kind}Players.${key}`;
      assert.ok(
        sources.some((text) => text.includes(use)),
        `${use} is played by no test`,
      );
    }
  }
});

test('a case has a group and a rule of its own', () => {
  const rules = CASE_IDS.map((id) => CASES[id].rule);
  assert.equal(new Set(rules).size, rules.length);
  for (const id of CASE_IDS) assert.match(id, /^[a-z]+\.[a-z-]+$/);
});
