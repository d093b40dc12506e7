import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {CheckState, PullRequest} from '../../src/forge/pull-request.ts';
import {firstUnanswered, type Knowledge, situationOf} from '../../src/forge/rules/situation.ts';
import {aCheck, aPull, aReview, aThread, FORMER, HEAD, known, NOW} from './facts.ts';

type Row = readonly [
  rule: string,
  pull: Partial<PullRequest>,
  knowledge: Partial<Knowledge>,
  findings: string,
  waiting: string,
];

const failed = aCheck({name: 'test', state: 'failed'});
const approved = {reviews: [aReview()]};
const requested = {reviews: [aReview({state: 'changes_requested'})]};
const stranger = {association: 'none'} as const;
const seconds = (ago: number) => new Date(NOW - ago * 1_000).toISOString();

const ROWS: readonly Row[] = [
  ['a merged one is merged, whatever else', {state: 'merged', checks: [failed]}, {}, 'merged', ''],
  ['one that a person closed is closed', {state: 'closed', ...requested}, {}, 'closed', ''],
  ['without a review it waits for one', {}, {}, '', 'review_required'],

  ['a conflict fires', {mergeability: 'conflict'}, {}, 'conflict', ''],
  [
    'not computed is no conflict, and not mergeable either',
    {mergeability: 'unknown', ...approved},
    {},
    '',
    'mergeability_unknown',
  ],
  [
    'conflict, checks and review fire in this order',
    {mergeability: 'conflict', checks: [failed], ...requested},
    {},
    'conflict ci review',
    '',
  ],

  ['a failed check fires', {checks: [aCheck(), failed]}, {}, 'ci', ''],
  ['a check that timed out fires', {checks: [aCheck({state: 'timed_out'})]}, {}, 'ci', ''],
  [
    'a failed check waits until none is pending',
    {checks: [failed, aCheck({state: 'pending'})]},
    {},
    '',
    'checks_pending review_required',
  ],
  [
    'a lost runner is not for the agent',
    {checks: [aCheck({state: 'failed', fault: 'infrastructure'})], ...approved},
    {},
    '',
    'infrastructure_failed',
  ],
  [
    'a check that waits for a person is not for the agent',
    {checks: [aCheck({state: 'failed', fault: 'person'})], ...approved},
    {},
    '',
    'person_needed',
  ],
  [
    'what is red on the base as well is not for the agent',
    {checks: [failed], ...approved},
    {baseChecks: [aCheck({name: 'test', state: 'failed'})]},
    '',
    'base_failed',
  ],
  [
    'what is red here alone fires, beside what is red on the base',
    {checks: [failed, aCheck({name: 'lint', state: 'failed'})]},
    {baseChecks: [failed]},
    'ci',
    '',
  ],
  [
    'more checks than were read: none is concluded from',
    {checks: [failed], hasMore: {checks: true, threads: false}, ...approved},
    {},
    '',
    'checks_incomplete',
  ],

  ['changes requested by a trusted person fire', requested, {}, 'review', ''],
  [
    'changes requested by a stranger do not',
    {reviews: [aReview({state: 'changes_requested', author: {...aReview().author, ...stranger}})]},
    {},
    '',
    'review_required',
  ],
  [
    'a dismissed review asks for nothing',
    {reviews: [aReview({state: 'dismissed'})]},
    {},
    '',
    'review_required',
  ],
  ['a comment of a trusted person fires', {threads: [aThread([{}])]}, {}, 'review', ''],
  [
    'a comment of a stranger does not',
    {threads: [aThread([stranger])], ...approved},
    {},
    'approved',
    'untrusted_comments',
  ],
  [
    'a thread that we answered last is answered',
    {threads: [aThread([{}, {isSelf: true}])], ...approved},
    {},
    'approved',
    '',
  ],
  [
    'a word after our answer fires',
    {threads: [aThread([{}, {isSelf: true}, {}])]},
    {},
    'review',
    '',
  ],
  [
    'a reviewer who wrote 59 s ago may still be writing',
    {threads: [aThread([{}], seconds(59))], ...approved},
    {},
    '',
    'quiet_period',
  ],
  [
    'after 60 s of quiet the comments are given',
    {threads: [aThread([{}], seconds(60))]},
    {},
    'review',
    '',
  ],

  ['approved and green', approved, {}, 'approved', ''],
  [
    'approved by the rules of the forge, by any reviewer',
    {decision: 'approved', reviews: [aReview({author: {...aReview().author, ...stranger}})]},
    {},
    'approved',
    '',
  ],
  [
    'an approval of a stranger alone is none',
    {reviews: [aReview({author: {...aReview().author, ...stranger}})]},
    {},
    '',
    'review_required',
  ],
  [
    'an approval of an older commit says nothing about this one',
    {reviews: [aReview({commitSha: FORMER})]},
    {},
    '',
    'approved_former_head',
  ],
  [
    'an approval without a commit counts, where the forge has no better',
    {reviews: [aReview({commitSha: null})]},
    {},
    'approved',
    '',
  ],
  [
    'rules that want another review',
    {decision: 'review_required', ...approved},
    {},
    '',
    'review_required',
  ],
  ['a draft is not merged', {isDraft: true, ...approved}, {}, '', 'draft'],
  [
    'a rule of the branch stands against it',
    {mergeability: 'blocked', mergeWord: 'BEHIND', ...approved},
    {},
    '',
    'blocked',
  ],
  [
    'no checks yet, a moment after the push',
    {checks: [], ...approved},
    {headSeenAt: NOW - 59_000},
    '',
    'checks_not_started',
  ],
  ['no checks at all', {checks: [], ...approved}, {headSeenAt: NOW - 60_000}, 'approved', ''],
  [
    'more threads than were read: an objection may be among them',
    {hasMore: {checks: false, threads: true}, ...approved},
    {},
    '',
    'threads_incomplete',
  ],

  [
    'nothing fires for a head that we have replaced',
    {headSha: FORMER, checks: [failed], mergeability: 'conflict'},
    {formerHeads: [FORMER]},
    '',
    'former_head',
  ],
  ['the push of a person fires', {headSha: FORMER, checks: [failed]}, {}, 'ci', ''],
  ['the head of a fork is not ours', {isFromFork: true, checks: [failed]}, {}, '', 'fork'],
];

for (const [rule, pull, knowledge, findings, waiting] of ROWS) {
  test(`situation: ${rule}`, () => {
    const situation = situationOf(aPull(pull), known(knowledge));
    assert.equal(situation.findings.map(({is}) => is).join(' '), findings);
    assert.equal(situation.waiting.map(({reason}) => reason).join(' '), waiting);
  });
}

test('cancelled, neutral and skipped checks never fire; only a cancelled one is not green', () => {
  const after = (state: CheckState) => {
    const {findings, waiting} = situationOf(
      aPull({checks: [aCheck({state})], ...approved}),
      known(),
    );
    return [...findings.map(({is}) => is), ...waiting.map(({reason}) => reason)].join();
  };
  assert.deepEqual((['cancelled', 'neutral', 'skipped'] as const).map(after), [
    'checks_cancelled',
    'approved',
    'approved',
  ]);
});

test('a head that is not our last push is foreign, unless it is an earlier one of ours', () => {
  const isForeign = (lastPush: string | null, formerHeads: string[] = []) =>
    situationOf(aPull(), known({lastPush, formerHeads})).isForeignHead;
  assert.deepEqual(
    [isForeign(HEAD), isForeign(null), isForeign(FORMER), isForeign(FORMER, [HEAD])],
    [false, false, true, false],
  );
});

test('the same facts have the same fingerprint, and are reacted to once', () => {
  const red = aPull({checks: [failed, aCheck({name: 'lint', state: 'failed'})]});
  const turned = aPull({
    ...red,
    checks: [...red.checks].reverse(),
    updatedAt: '2026-03-01T12:00:00Z',
  });
  const [first] = situationOf(red, known()).findings;
  const [same] = situationOf(turned, known({now: NOW + 60_000})).findings;
  assert.equal(first?.fingerprint, same?.fingerprint);
  const answered = new Set([first?.fingerprint ?? '']);
  assert.equal(firstUnanswered(situationOf(turned, known()), answered), null);
  assert.equal(firstUnanswered(situationOf(red, known()), new Set())?.is, 'ci');
});

test('new facts have a new fingerprint', () => {
  const of = (pull: Partial<PullRequest>) =>
    situationOf(aPull(pull), known()).findings[0]?.fingerprint;
  const timedOut = aCheck({name: 'test', state: 'timed_out'});
  const prints = [
    of({checks: [failed]}),
    of({checks: [timedOut]}),
    of({checks: [failed, timedOut]}),
    of({checks: [failed], headSha: 'd'.repeat(40)}),
    of({mergeability: 'conflict'}),
    of({mergeability: 'conflict', baseSha: 'e'.repeat(40)}),
    of({threads: [aThread([{}])]}),
    of({threads: [aThread([{}], '2026-03-01T11:30:00Z')]}),
    of({state: 'merged', mergeSha: HEAD}),
    of({state: 'closed'}),
  ];
  assert.equal(new Set(prints).size, prints.length);
  assert.ok(!prints.includes(undefined));
});

test('a comment is handed over with its file and line', () => {
  const [finding] = situationOf(aPull({threads: [aThread([{}])]}), known()).findings;
  assert.ok(finding?.is === 'review');
  const [comment] = finding.comments;
  assert.deepEqual([comment?.path, comment?.line, comment?.threadId], ['src/a.ts', 7, 'T1']);
});
