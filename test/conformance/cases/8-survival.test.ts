import assert from 'node:assert/strict';
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {supervisorCommand} from '../../rig/supervisor-command.ts';
import {shows} from '../case.ts';
import {Scene, works} from '../rig/scene.ts';
import {until} from '../rig/until.ts';

shows(
  [
    ...['8.store', '8.killed.agent', '8.killed.resumed', '8.killed.once', '8.killed.retries'],
    '8.killed.tokens',
  ],
  'kill -9 and a new start: the former agent is gone, the run continues, and nothing is lost or twice',
  async () => {
    const agent = {max_turns: 1, max_retry_backoff_ms: 300_000};
    await using scene = await Scene.set({settings: {agent}});
    for (const issue of ['T-1', 'T-2']) await scene.project.issue(issue);
    const former = scene.start();
    await (await scene.turn('T-2')).fails('boom');
    const retry = await former.seen('its retry', ({retrying}) =>
      retrying.find(({issue_identifier}) => issue_identifier === 'T-2'),
    );
    const first = await scene.turn('T-1');
    await works(first);
    await first.says('one', {input: 1_000});
    await first.completes();
    const second = await scene.turn('T-1');
    let isGone = false;
    void second.agent.gone.then(() => {
      isGone = true;
    });
    await second.says('two', {input: 500});
    const {codex_totals} = await former.seen('its tokens', (state) =>
      state.running[0]?.last_message === 'two' ? state : null,
    );
    assert.ok(existsSync(join(scene.project.path, '.symphony/symphony.db')));
    await former.kill();

    const supervisor = scene.start();
    const resumed = await scene.turn('T-1');
    assert.ok(isGone, 'the former agent still lives');
    assert.equal(resumed.threadId, second.threadId);
    const state = await supervisor.seen('the run', (seen) =>
      seen.running[0]?.turn_count === 1 ? seen : null,
    );
    assert.deepEqual(
      state.running.map(({issue_identifier, attempt}) => [issue_identifier, attempt]),
      [['T-1', 1]],
    );
    assert.deepEqual(
      state.retrying.map(({issue_identifier, attempt, due_at}) => [
        ...[issue_identifier, attempt, due_at],
      ]),
      [['T-2', 1, retry.due_at]],
    );
    await resumed.says('three', {input: 250});
    await supervisor.seen('all tokens, each once', (seen) =>
      seen.running[0]?.last_message === 'three'
        ? seen.codex_totals.input_tokens === codex_totals.input_tokens + 250
        : null,
    );
    const {runs} = await supervisor.issue('T-1');
    assert.deepEqual(
      runs.map(({outcome}) => outcome),
      ['interrupted', 'succeeded'],
    );
  },
);

shows(
  ['8.signal', '8.signal.resumed', '8.signal.interrupt', '4.shutdown', '8.one', '9.dry-run.beside'],
  'SIGTERM and SIGINT end it in good order, exit 0; the next start goes on; a second one exits 5',
  async () => {
    const hooks = {after_run: 'echo "$SYMPHONY_OUTCOME" >> ../../outcomes'};
    await using scene = await Scene.set({settings: {hooks}});
    await scene.project.issue('T-1');
    let former = scene.start();
    const first = await scene.turn('T-1');
    await works(first);
    await first.completes();
    let turn = await scene.turn('T-1');
    const signals: NodeJS.Signals[] = ['SIGTERM', 'SIGINT'];
    for (const signal of signals) {
      former.process.kill(signal);
      assert.deepEqual(await former.exited, {code: 0, signal: null});
      assert.equal(turn.agent.received('turn/interrupt').length, 1);
      assert.equal(existsSync(join(scene.project.path, '.symphony/supervisor.json')), false);
      former = scene.start();
      turn = await scene.turn('T-1');
      assert.equal(turn.threadId, first.threadId);
      const row = await former.seen('the run', ({running}) => running[0]);
      assert.equal(row.attempt, 1);
    }
    assert.deepEqual(await scene.project.lines('outcomes'), [
      'succeeded',
      ...['interrupted', 'interrupted'],
    ]);

    const {code, stderr} = await supervisorCommand([], {cwd: scene.project.path});
    assert.equal(code, 5);
    assert.match(stderr, new RegExp(String(former.process.pid)));
    const plan = await supervisorCommand(['--dry-run'], {cwd: scene.project.path});
    assert.equal(plan.code, 0, plan.stderr);
    assert.match(plan.stdout, /T-1 .*running already/);
  },
);

shows(
  ['8.signal.bound'],
  'a hook that does not end does not keep it beyond --shutdown-timeout',
  async () => {
    const hooks = {after_run: 'touch ../../begun; sleep 600'};
    await using scene = await Scene.set({settings: {hooks}});
    await scene.project.issue('T-1');
    const supervisor = scene.start(['--shutdown-timeout', '2000']);
    const turn = await scene.turn('T-1');
    supervisor.process.kill('SIGTERM');
    assert.deepEqual(await supervisor.exited, {code: 0, signal: null});
    await turn.agent.gone;
    await until('the hook had begun', () => existsSync(join(scene.project.path, 'begun')));
  },
);
