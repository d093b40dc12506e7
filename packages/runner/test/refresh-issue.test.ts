import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {IssueAnswer, RunFailure} from '@symphony-supervisor/protocol';
import {refreshIssue} from '../src/conversation/refresh-issue.ts';

const GONE: IssueAnswer = {issue: null, go_on: false};
const LIVE = new AbortController().signal;

/** A host that refuses so many times before it answers. */
function host(refusals: number) {
  let asked = 0;
  return {
    get asked() {
      return asked;
    },
    async readIssue(): Promise<IssueAnswer> {
      asked += 1;
      if (asked <= refusals) throw new Error(`refused ${asked}`);
      return GONE;
    },
  };
}

test('an issue that cannot be read at first is asked for again', async () => {
  const link = host(3);
  assert.deepEqual(await refreshIssue(link, LIVE, {pauseMs: 1}), GONE);
  assert.equal(link.asked, 4);
});

test('an issue that cannot be read until the deadline fails the run', async () => {
  const link = host(Number.POSITIVE_INFINITY);
  const failing = refreshIssue(link, LIVE, {limitMs: 200, pauseMs: 1});
  await assert.rejects(failing, ({failure}: RunFailure) => {
    assert.equal(failure.code, 'issue_refresh_failed');
    assert.equal(failure.message, `refused ${link.asked}`);
    return true;
  });
  assert.ok(link.asked > 1, 'it was asked only once');
});

test('nobody asks any more when the run is stopped', async () => {
  const stop = new AbortController();
  const link = host(Number.POSITIVE_INFINITY);
  const asking = refreshIssue(link, stop.signal, {pauseMs: 60_000});
  stop.abort();
  await assert.rejects(asking, {name: 'AbortError'});
  assert.equal(link.asked, 1);
});
