import assert from 'node:assert/strict';
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {shows} from '../case.ts';
import {Scene, works} from '../rig/scene.ts';

shows(
  ['2.stop', '2.retry.conflict', '2.release', '2.release.candidate', '5.release', '6.after-run'],
  'stop holds and keeps the workspace; release forgets the thread, and the issue is a candidate again',
  async () => {
    const hooks = {after_run: 'echo "$SYMPHONY_OUTCOME" >> ../../outcomes'};
    await using scene = await Scene.set({settings: {hooks}});
    await scene.project.issue('T-1');
    const supervisor = scene.start();
    const turn = await scene.turn('T-1');
    await works(turn);
    await supervisor.seen('a turn', ({running}) => running[0]?.turn_count === 1);

    const refused = await supervisor.ask('POST', '/api/v1/T-1/retry');
    assert.equal(refused.status, 409);
    assert.match(JSON.stringify(refused.body), /"code":"conflict"/);

    await supervisor.order('T-1/stop');
    await turn.agent.gone;
    const row = await supervisor.seen('the hold', ({held}) => held[0]);
    assert.equal(row.reason, 'stopped_by_operator');
    assert.ok(existsSync(join(scene.project.path, 'workspaces/T-1/work.txt')));
    assert.deepEqual(await scene.project.lines('outcomes'), ['stopped_by_operator']);

    await supervisor.order('T-1/release');
    const fresh = await scene.turn('T-1');
    assert.notEqual(fresh.threadId, turn.threadId);
    assert.match(fresh.input, /^Work on T-1\.$/);
    assert.equal((await supervisor.issue('T-1')).running?.attempt, null);

    await supervisor.order('T-1/release');
    await fresh.agent.gone;
    assert.match((await scene.turn('T-1')).input, /^Work on T-1\.$/);
  },
);

shows(
  ['2.pause', '2.resume', '2.pause.restart'],
  'while paused nothing starts, retries included, and runs go on; it survives a restart',
  async () => {
    const agent = {max_turns: 1, max_retry_backoff_ms: 50};
    await using scene = await Scene.set({settings: {agent}});
    for (const issue of ['T-1', 'T-2']) await scene.project.issue(issue);
    const former = scene.start();
    const failing = await scene.turn('T-1');
    const going = await scene.turn('T-2');
    await former.order('pause');
    await failing.fails('boom');
    await former.seen('a retry that waits', ({retrying}) =>
      retrying.some(({error}) => error?.includes('paused')),
    );
    await scene.project.issue('T-3');
    await former.ask('POST', '/api/v1/refresh');
    assert.equal((await going.runs('echo on')).exitCode, 0);
    await former.end();

    const supervisor = scene.start();
    const {counts} = await supervisor.seen('the pause, and that retries wait', (state) =>
      state.projects[0]?.is_paused === true && state.counts.retrying === 2 ? state : null,
    );
    assert.equal(counts.running, 0);
    await supervisor.order('resume');
    for (const issue of ['T-1', 'T-2', 'T-3']) await scene.turn(issue);
  },
);
