import assert from 'node:assert/strict';
import {join} from 'node:path';
import {shows} from '../case.ts';
import type {Held} from '../rig/answers.ts';
import {Scene, works} from '../rig/scene.ts';
import type {Supervisor} from '../rig/supervisor.ts';

function held(supervisor: Supervisor, issue: string): Promise<Held> {
  return supervisor.seen(`${issue} held`, ({held: rows}) =>
    rows.find(({issue_identifier}) => issue_identifier === issue),
  );
}

shows(
  [
    ...['4.limit.failures', '4.limit.idle', '4.limit.runs', '4.limit.tokens', '4.let-go.state'],
    '2.held',
  ],
  'each limit holds its issue with that reason; a new state of the issue lets it go',
  async () => {
    const agent = {
      ...{max_turns: 1, max_retry_backoff_ms: 50, max_consecutive_failures: 2},
      ...{max_idle_runs: 2, max_runs: 3, max_tokens: 1_500},
    };
    await using scene = await Scene.set({settings: {agent}});
    for (const name of ['fails', 'idles', 'works', 'spends']) await scene.project.issue(name);
    const supervisor = scene.start();

    const spending = await scene.turn('spends');
    await spending.says('much', 2_000);
    await spending.agent.gone;
    assert.match((await held(supervisor, 'spends')).reason, /limit_tokens/);

    for (let run = 1; run <= 2; run++) await (await scene.turn('fails')).fails('boom');
    const {reason, question, since} = await held(supervisor, 'fails');
    assert.match(reason, /limit_failures/);
    assert.equal(question, null);
    assert.ok(Date.parse(since) <= Date.now());

    for (let run = 1; run <= 2; run++) await (await scene.turn('idles')).completes();
    assert.match((await held(supervisor, 'idles')).reason, /limit_idle/);

    for (let run = 1; run <= 3; run++) {
      const turn = await scene.turn('works');
      await works(turn);
      await turn.completes();
    }
    assert.match((await held(supervisor, 'works')).reason, /limit_runs/);

    await scene.project.issue('fails', {state: 'In Progress'});
    await scene.turn('fails');
  },
);

shows(
  ['4.input.hold', '7.input', '2.retry', '2.retry.message', '4.held.restart'],
  'a question of the agent holds its issue, over a restart; an answer goes on with the same thread',
  async () => {
    await using scene = await Scene.set();
    await scene.project.issue('T-1');
    const former = scene.start();
    const turn = await scene.turn('T-1');
    void turn.asksInput('Which colour?', ['red', 'blue']).catch(() => {});
    await turn.agent.gone;
    const asked = await held(former, 'T-1');
    assert.match(asked.question ?? '', /Which colour\?/);
    assert.equal((await former.issue('T-1')).runs[0]?.outcome, 'input_required');
    await former.end();

    const supervisor = scene.start();
    assert.deepEqual(await held(supervisor, 'T-1'), asked);
    await supervisor.order('T-1/retry', {message: 'Blue, please.'});
    const next = await scene.turn('T-1');
    assert.equal(next.threadId, turn.threadId);
    assert.match(next.input, /Blue, please\./);
  },
);

shows(['4.input.fail'], 'with codex.on_input: fail a question fails the run', async () => {
  const settings = {
    codex: {on_input: 'fail'},
    agent: {max_turns: 1, max_retry_backoff_ms: 300_000},
  };
  await using scene = await Scene.set({settings});
  await scene.project.issue('T-1');
  const supervisor = scene.start();
  const turn = await scene.turn('T-1');
  void turn.asksInput('Which colour?').catch(() => {});
  const retry = await supervisor.seen('its retry', ({retrying}) => retrying[0]);
  assert.deepEqual([retry.kind, retry.attempt], ['failure', 1]);
  assert.match(retry.error ?? '', /turn_input_required/);
});

shows(
  ['4.unmendable', '5.strict', '4.let-go.reload', '1.reload.watched'],
  'an unknown variable holds its issue, with line and name; a mended template lets it go',
  async () => {
    await using scene = await Scene.set({prompt: 'Hello.\nWork on {{issue.nmae}}.'});
    await scene.project.issue('T-1');
    const supervisor = scene.start();
    const {reason, message} = await held(supervisor, 'T-1');
    assert.equal(reason, 'template_render_error');
    assert.match(message, /issue\.nmae/);
    assert.match(message, /line/);
    await scene.project.writeWorkflow({}, 'Work on {{issue.title}}.');
    assert.equal((await scene.turn('T-1')).input, 'Work on Title of T-1.');
  },
);

shows(['5.malformed'], 'a malformed template is template_parse_error', async () => {
  await using scene = await Scene.set({prompt: 'Work on {{#issue.title}}.'});
  await scene.project.issue('T-1');
  const supervisor = scene.start();
  assert.equal((await held(supervisor, 'T-1')).reason, 'template_parse_error');
});

shows(
  ['4.host', '7.warm-up.failed', '7.warm-up'],
  'an agent that is not logged in: nothing is dispatched or held, and that is told; then it is',
  async () => {
    await using scene = await Scene.set({agent: ['--not-logged-in']});
    await scene.project.issue('T-1');
    const supervisor = scene.start();
    const {last_error} = await supervisor.seen('the trouble', (state) =>
      state.last_error === null ? null : state,
    );
    assert.match(JSON.stringify(last_error), /unauthorized/);
    const {counts, waiting} = await supervisor.state();
    assert.deepEqual([counts.running, counts.held, counts.retrying], [0, 0, 0]);
    assert.ok(waiting.length <= 1);
    const probe = await scene.puppet.connection();
    await probe.gone;
    assert.equal(probe.received('initialize').length, 1);
    assert.equal(probe.received('account/read').length, 1);
    assert.equal(probe.received('thread/start').length, 0);

    const command = scene.puppet.command.replace("'--not-logged-in'", '');
    await scene.project.writeWorkflow({codex: {command}});
    const turn = await scene.turn('T-1');
    assert.match((await turn.runs('pwd')).output, new RegExp(join('workspaces', 'T-1')));
  },
);
