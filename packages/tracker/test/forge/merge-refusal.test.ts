import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {RefusedMerge} from '../../src/forge/rules/merge-refusal.ts';
import {mergeRefusal} from '../../src/forge/rules/merge-refusal.ts';
import {aPull, FORMER, HEAD} from './facts.ts';

const found = aPull();

/** What the forges really say, as far as their words are known. */
const ROWS: readonly (readonly [Partial<RefusedMerge>, string])[] = [
  [{status: 405, message: 'Pull Request is not mergeable'}, 'not_mergeable'],
  [{status: 405, message: '2 of 2 required status checks are expected.'}, 'protected'],
  [
    {
      status: 405,
      message: 'At least 1 approving review is required by reviewers with write access.',
    },
    'protected',
  ],
  [{status: 405, message: 'Repository rule violations found'}, 'protected'],
  [
    {status: 405, message: 'Squash merges are not allowed on this repository.'},
    'method_not_allowed',
  ],
  [
    {status: 405, message: 'Base branch was modified. Review and try the merge again.'},
    'not_mergeable',
  ],
  [
    {status: 409, message: 'Head branch was modified.', found: aPull({headSha: FORMER})},
    'head_moved',
  ],
  [
    {status: 409, message: 'merge conflict', found: aPull({mergeability: 'conflict'})},
    'not_mergeable',
  ],
  [{status: 403, message: 'Resource not accessible by personal access token'}, 'no_right'],
  [{status: 403, message: 'You are not authorized to push to this protected branch'}, 'protected'],
  [{status: 401, message: '401 Unauthorized'}, 'no_right'],
  [
    {status: 405, message: '405 Method Not Allowed', found: aPull({mergeability: 'blocked'})},
    'protected',
  ],
  [{status: 405, message: '405 Method Not Allowed', found: aPull({state: 'closed'})}, 'closed'],
  [{status: 423, message: ''}, 'protected'],
  [{status: 404, message: 'Not Found'}, 'not_found'],
  [{status: 404, message: 'Not Found', found: null}, 'not_found'],
];

for (const [refused, because] of ROWS) {
  test(`a merge refused by "${refused.message}" (${refused.status}): ${because}`, () => {
    const outcome = mergeRefusal({status: 405, message: '', sha: HEAD, found, ...refused});
    assert.equal(outcome.outcome === 'refused' && outcome.because, because);
  });
}

test('a merge that was refused because another one was faster is a merge', () => {
  const merged = aPull({state: 'merged', mergeSha: FORMER});
  const outcome = mergeRefusal({status: 405, message: 'nope', sha: HEAD, found: merged});
  assert.deepEqual(outcome, {outcome: 'merged', sha: FORMER});
});
