import assert from 'node:assert/strict';
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {findProcesses} from '@symphony-supervisor/protocol/processes';
import type {JournalLine} from '@symphony-supervisor/scripts/journal';
import {type Claim, isSound, readStore, type StoreContent} from '../rig/fixtures/store-file.ts';
import {threadsOpened, turnsCompleted} from '../rig/witnessed-agent.ts';
import type {Scenario} from './scenarios.ts';

/** What a kill left on record, and how much had been seen of the agents by then. */
export interface Wreck {
  readonly claim: Claim | null;
  readonly journalled: number;
}

/** The first run of the next life has the attempt, and goes on with the thread, that were on record. */
export function assertResumed({claim, journalled}: Wreck, journal: readonly JournalLine[]): void {
  const [next] = threadsOpened(journal.slice(journalled));
  const owed = claim === null ? null : owedBy(claim);
  if (next === undefined || owed === null) return;
  assert.equal(next.attempt, owed.attempt, 'the attempt was not kept');
  assert.equal(next.threadId, owed.threadId, 'the thread was not kept');
}

/** What has been promised to an issue; null where nothing is, or a person decides. */
function owedBy(claim: Claim): {attempt: number | null; threadId: string | null} | null {
  const {thread} = claim;
  const threadId = thread !== null && thread.turns > 0 ? thread.id : null;
  if (claim.is === 'held' || claim.is === 'dismissed') return null;
  if (claim.is === 'retrying') return {attempt: claim.attempt, threadId};
  const attempt = claim.run?.attempt ?? null;
  if (claim.is === 'running' || claim.next.do === 'resume') return {attempt, threadId};
  if (claim.next.do === 'continue') return {attempt: 1, threadId};
  if (claim.next.do !== 'retry') return null;
  const isGivenUp = claim.threadFailures > 0;
  return {attempt: claim.failures + 1, threadId: isGivenUp ? null : threadId};
}

/** Everything that must be true in the end, however often the supervisor was killed on the way. */
export async function assertNothingLost(
  folder: string,
  scenario: Scenario,
  wreck: Wreck,
  journal: readonly JournalLine[],
): Promise<void> {
  await assert.rejects(readFile(join(folder, 'twice')), {code: 'ENOENT'}, 'two ran at once');
  const left = findProcesses({roots: [], markers: [`HOME=${folder}`], except: [process.pid]});
  assert.deepEqual(left, [], 'a process is alive');
  // A dismissal that is ordered again before the next run ends the conversation.
  if (scenario.dismissAt === undefined) assertResumed(wreck, journal);

  const attempts = threadsOpened(journal).map(({attempt}) => attempt);
  const seen = attempts.filter((attempt, index) => index === 0 || attempt !== attempts[index - 1]);
  assert.deepEqual(seen, scenario.attempts.slice(0, seen.length), 'attempts as the agent saw them');
  // A turn whose end nobody had written down is taken up again; no other.
  const inDoubt = wreck.claim?.is === 'running' ? 1 : 0;
  const turns = turnsCompleted(journal);
  assert.ok(turns <= scenario.turns + inDoubt, `${turns} turns were completed`);

  if (scenario.answer !== undefined) {
    const inputs = journal.flatMap((line) => (line.report === 'turn' ? [line.input] : []));
    const heard = inputs.join('\n').split(scenario.answer).length - 1;
    assert.equal(heard, 1, 'the agent did not hear the answer once');
  }

  if (scenario.deliveries !== undefined) {
    const delivered = await readFile(join(folder, 'deliveries'), 'utf8').catch(() => '');
    const times = delivered.split('\n').length - 1;
    assert.ok(times >= scenario.deliveries, `deliver has run ${times} times`);
  }

  const store = readStore(folder);
  assert.ok(isSound(folder));
  assertClosed(store);
  // A start looks at kept workspaces again, and may be ended while it does: the next one looks, too.
  const isLook = (claim: Claim) =>
    scenario.keepsWorkspace === true && claim.is === 'stopping' && claim.run === null;
  const claims = [...store.claims].filter(([, claim]) => !isLook(claim));
  assert.deepEqual(claims, []);
  const known = new Set(store.runs.map(({run_id}) => run_id));
  const untold = threadsOpened(journal).filter(({run}) => !known.has(run));
  assert.deepEqual(untold, [], 'history does not tell every attempt');
}

/** Every run on record has its end. */
export function assertClosed({runs}: StoreContent): void {
  const open = runs.filter(({ended_at, outcome}) => ended_at === null || outcome === null);
  assert.deepEqual(open, [], 'a run was never closed');
}
