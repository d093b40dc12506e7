import assert from 'node:assert/strict';
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import type {PuppetTurn} from '@symphony-supervisor/scripts/puppet-turn';
import {shows} from '../case.ts';
import type {Retrying} from '../rig/answers.ts';
import {Linear, NEVER} from '../rig/linear.ts';
import {Scene, works} from '../rig/scene.ts';
import type {Supervisor} from '../rig/supervisor.ts';
import {until} from '../rig/until.ts';

/** The retry of the issue, and how long after it was decided it is due. */
async function retryOf(supervisor: Supervisor, issue: string, runs: number) {
  const {retry, recent_events} = await until(`retry ${runs} of ${issue}`, async () => {
    const page = await supervisor.issue(issue);
    return page.runs.length === runs && page.retry !== null ? page : null;
  });
  const [scheduled] = recent_events.filter(({event}) => event === 'retry.scheduled');
  const {due_at, ...rest} = retry as Retrying;
  return {...rest, afterMs: Date.parse(due_at) - Date.parse(scheduled?.at ?? '')};
}

async function attemptOf(turn: PuppetTurn): Promise<string> {
  return (await turn.runs('echo "attempt:$SYMPHONY_ATTEMPT"')).output.trim();
}

shows(
  [
    ...['4.continuation', '2.retrying', '5.resumed', '6.reused', '6.after-create', '6.path'],
    ...['4.attempt', '4.backoff', '5.first-retry', '5.second-failure', '4.attempt.after-success'],
    ...['1.reload.at-once', '4.backoff.limit'],
  ],
  'continuation after 1 s on the same thread; failures after 10 s, 20 s; the second on a fresh one',
  async () => {
    const settings = {
      agent: {max_turns: 1},
      hooks: {after_create: 'echo created >> ../../created'},
    };
    await using scene = await Scene.set({settings});
    await scene.project.writeWorkflow({agent: {max_turns: 1, max_retry_backoff_ms: 300_000}});
    await scene.project.issue('T-1');
    const supervisor = scene.start();
    const first = await scene.turn('T-1');
    assert.equal(await attemptOf(first), 'attempt:');
    await works(first, 'kept');
    await first.completes();
    const continuation = await retryOf(supervisor, 'T-1', 1);
    assert.deepEqual(
      [continuation.kind, continuation.attempt, continuation.afterMs],
      ['continuation', 1, 1_000],
    );

    const second = await scene.turn('T-1');
    assert.equal(second.threadId, first.threadId);
    assert.doesNotMatch(second.input, /^Work on T-1\.$/m);
    assert.equal(await attemptOf(second), 'attempt:1');
    assert.equal((await second.runs('cat work.txt')).output, 'kept');
    assert.deepEqual(await scene.project.lines('created'), ['created']);
    await second.fails('boom');
    const failure = await retryOf(supervisor, 'T-1', 2);
    assert.deepEqual([failure.kind, failure.attempt, failure.afterMs], ['failure', 1, 10_000]);
    assert.equal(failure.error, 'turn_failed: boom');

    await supervisor.order('T-1/retry');
    const third = await scene.turn('T-1');
    assert.equal(third.threadId, first.threadId);
    assert.match(third.input, /boom/);
    await third.fails('again');
    const worse = await retryOf(supervisor, 'T-1', 3);
    assert.deepEqual([worse.attempt, worse.afterMs], [2, 20_000]);

    await supervisor.order('T-1/retry');
    const fourth = await scene.turn('T-1');
    assert.notEqual(fourth.threadId, first.threadId);
    assert.match(fourth.input, /^Work on T-1\.$/m);
    assert.equal(await attemptOf(fourth), 'attempt:2');
    await works(fourth);
    await fourth.completes();

    const fifth = await scene.turn('T-1');
    await scene.project.writeWorkflow({agent: {max_turns: 1, max_retry_backoff_ms: 700}});
    await until('the reload', () => /workflow\.(reloaded|changed|loaded)/.test(supervisor.output));
    await fifth.fails('once more');
    const limited = await retryOf(supervisor, 'T-1', 5);
    assert.deepEqual([limited.attempt, limited.afterMs], [1, 700]);
  },
);

shows(
  ['4.read-wins'],
  'the read after a run wins: a failed run whose issue is over is cleaned and released',
  async () => {
    await using linear = await Linear.open();
    const issue = linear.world.addIssue(linear.team);
    await using scene = await Scene.set({
      settings: {tracker: linear.settings, polling: NEVER},
    });
    const supervisor = scene.start([], linear.env);
    const turn = await scene.turn('LIN-1');
    linear.world.move(issue, 'Done');
    await turn.fails('too late');
    const page = await until('done', async () => {
      const seen = await supervisor.issue('LIN-1');
      return seen.status === 'done' ? seen : null;
    });
    assert.equal(page.runs[0]?.outcome, 'failed');
    assert.ok(!existsSync(join(scene.project.path, 'workspaces/LIN-1')));
  },
);

shows(
  ['4.context', '5.variables'],
  'context window exceeded: a fresh thread, and the prompt knows why',
  async () => {
    const prompt = [
      'T={{issue.title}} A={{attempt}} R={{retry}} E={{last_error}}',
      'turn {{run.turn}} of {{run.max_turns}} in {{workspace.path}}',
    ].join('\n');
    await using scene = await Scene.set({prompt});
    await scene.project.issue('T-1');
    scene.start();
    const first = await scene.turn('T-1');
    assert.match(first.input, /^T=Title of T-1 A= R= E=\nturn 1 of 1 in \/.*\/workspaces\/T-1$/);
    await first.fails('too long', 'contextWindowExceeded');
    const second = await scene.turn('T-1');
    assert.notEqual(second.threadId, first.threadId);
    assert.match(second.input, /A=1 R=failure E=context_window_exceeded/);
  },
);

shows(
  ['4.stalled', '3.reconcile.stall'],
  'a silent run is found between ticks, killed, and retried after its backoff',
  async () => {
    await using linear = await Linear.open();
    linear.world.addIssue(linear.team);
    const settings = {
      ...{tracker: linear.settings, polling: NEVER},
      agent: {max_turns: 1, max_retry_backoff_ms: 300_000},
      codex: {stall_timeout_ms: 3_000},
    };
    await using scene = await Scene.set({settings});
    const supervisor = scene.start([], linear.env);
    const turn = await scene.turn('LIN-1');
    await turn.agent.gone;
    const retry = await retryOf(supervisor, 'LIN-1', 1);
    assert.deepEqual([retry.kind, retry.attempt, retry.afterMs], ['failure', 1, 10_000]);
    assert.match(retry.error ?? '', /^stalled/);
  },
);

shows(
  ['4.waiting', '3.retries.first'],
  'a retry without a slot keeps its attempt, says so, and comes before fresh work',
  async () => {
    const settings = {
      tracker: {kind: 'file', handoff_state: 'Review'},
      agent: {max_turns: 1, max_concurrent_agents: 1, max_retry_backoff_ms: 50},
    };
    await using scene = await Scene.set({settings});
    await scene.project.issue('T-1', {priority: 2});
    await scene.project.issue('T-2', {priority: 2, created_at: '2020-01-01T00:00:00Z'});
    const supervisor = scene.start();
    const failing = await scene.turn('T-2');
    await failing.fails('boom');
    const other = await scene.turn('T-1');
    const row = await supervisor.seen('who waits for a slot', ({retrying}) =>
      retrying.find(({error}) => error?.includes('no available orchestrator slots')),
    );
    assert.deepEqual([row.issue_identifier, row.attempt], ['T-2', 1]);
    await scene.project.issue('T-3', {priority: 1});
    await supervisor.seen('T-3 waits', ({waiting}) => waiting.length === 1);
    await other.completes();
    const next = await scene.turn();
    assert.equal(next.threadId, failing.threadId);
  },
);
