import assert from 'node:assert/strict';
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {shows} from '../case.ts';
import {Scene, works} from '../rig/scene.ts';

shows(
  ['2.stop', '2.retry.conflict', '2.restart', '2.restart.candidate', '5.restart', '6.after-run'],
  'stop holds and keeps the workspace; restart forgets the thread, and the issue is a candidate again',
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

    await supervisor.order('T-1/restart');
    const fresh = await scene.turn('T-1');
    assert.notEqual(fresh.threadId, turn.threadId);
    assert.match(fresh.input, /^Work on T-1\.$/);
    assert.equal((await supervisor.issue('T-1')).running?.attempt, null);

    await supervisor.order('T-1/restart');
    await fresh.agent.gone;
    assert.match((await scene.turn('T-1')).input, /^Work on T-1\.$/);
  },
);

shows(
  ['2.dismiss', '2.dismiss.change', '2.dismiss.retry', '2.dismiss.life', '2.release'],
  'dismiss ends the run and leaves the issue alone until it changes or is retried; release is restart',
  async () => {
    await using scene = await Scene.set();
    for (const issue of ['T-1', 'T-2']) await scene.project.issue(issue);
    const former = scene.start();
    const turns = [await scene.turn('T-1'), await scene.turn('T-2')];
    for (const issue of ['T-1', 'T-2']) await former.order(`${issue}/dismiss`);
    for (const turn of turns) await turn.agent.gone;
    const {counts} = await former.seen('both', (state) =>
      state.counts.dismissed === 2 ? state : null,
    );
    assert.deepEqual([counts.held, counts.running], [0, 0]);
    await former.end();

    const supervisor = scene.start();
    await supervisor.seen('both', (state) => state.counts.dismissed === 2);
    await scene.project.issue('T-1', {state: 'In Progress'});
    await scene.turn('T-1');
    await supervisor.order('T-2/retry');
    await scene.turn('T-2');
    await supervisor.seen('none', (state) => state.counts.dismissed === 0);
    const answer = await supervisor.ask('POST', '/api/v1/T-2/release');
    assert.equal(answer.status, 202);
    assert.match(JSON.stringify(answer.body), /"command":"restart"/);
    await scene.turn('T-2');
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
