import type {
  Check,
  Person,
  PullRequest,
  Review,
  ReviewThread,
} from '../../src/forge/pull-request.ts';
import type {Knowledge} from '../../src/forge/rules/situation.ts';
import {trustRule} from '../../src/forge/rules/trust.ts';

// Facts as tables of rules want them: what a row does not mention is in order.

export const HEAD = 'a'.repeat(40);
export const FORMER = 'b'.repeat(40);
export const NOW = Date.parse('2026-03-01T12:00:00Z');

export function aPerson(given: Partial<Person> = {}): Person {
  return {login: 'ann', isBot: false, isSelf: false, association: 'member', ...given};
}

export function aCheck(given: Partial<Check> = {}): Check {
  return {id: 'job:1', name: 'build', state: 'passed', fault: 'code', url: null, ...given};
}

export function aReview(given: Partial<Review> = {}): Review {
  return {
    id: 'R1',
    author: aPerson(),
    state: 'approved',
    body: '',
    commitSha: HEAD,
    submittedAt: '2026-03-01T11:00:00Z',
    ...given,
  };
}

/** A thread of these comments, by author; each a minute after the one before. */
export function aThread(
  authors: readonly Partial<Person>[],
  lastAt = '2026-03-01T11:00:00Z',
): ReviewThread {
  const comments = authors.map((author, index) => {
    const minutes = authors.length - 1 - index;
    const at = new Date(Date.parse(lastAt) - minutes * 60_000).toISOString();
    const times = {createdAt: at, updatedAt: at};
    return {id: `C${index + 1}`, author: aPerson(author), body: 'Why?', ...times, url: null};
  });
  return {id: 'T1', path: 'src/a.ts', line: 7, isOutdated: false, comments};
}

/** Open, green, mergeable, and reviewed by no one. */
export function aPull(given: Partial<PullRequest> = {}): PullRequest {
  return {
    number: 7,
    url: 'https://forge.example/7',
    state: 'open',
    headBranch: 'symphony/a',
    headSha: HEAD,
    baseBranch: 'main',
    title: 'A change',
    isDraft: false,
    isFromFork: false,
    baseSha: 'c'.repeat(40),
    mergeSha: null,
    mergeability: 'mergeable',
    mergeWord: null,
    decision: null,
    checks: [aCheck()],
    reviews: [],
    threads: [],
    hasMore: {checks: false, threads: false},
    updatedAt: null,
    ...given,
  };
}

/** Our own push of the head, an hour ago. */
export function known(given: Partial<Knowledge> = {}): Knowledge {
  return {
    now: NOW,
    isTrusted: trustRule({allowed: null}),
    formerHeads: [],
    lastPush: HEAD,
    headSeenAt: NOW - 3_600_000,
    baseChecks: null,
    ...given,
  };
}
