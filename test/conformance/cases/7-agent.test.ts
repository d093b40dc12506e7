import assert from 'node:assert/strict';
import {shows} from '../case.ts';
import {Scene, works} from '../rig/scene.ts';
import {until} from '../rig/until.ts';

shows(
  [
    ...['7.peer.unknown-method', '7.peer.broken-line', '7.approvals.never', '7.defaults'],
    ...['7.tokens', '7.rate-limits', '7.transcript', '9.api.transcript', '7.end.interrupt'],
  ],
  'a peer that answers everything, and forgets nothing: tokens, limits, transcript',
  async () => {
    await using scene = await Scene.set();
    await scene.project.issue('T-1');
    const supervisor = scene.start();
    const turn = await scene.turn('T-1');
    const asked = turn.agent.threadStartParams ?? {};
    assert.equal(asked.approvalPolicy, 'never');
    assert.equal(asked.sandbox, 'workspace-write');

    assert.match(JSON.stringify(await turn.requests('no/such/method')), /-32601/);
    await turn.sends('{"this is": not JSON');
    assert.equal(await turn.asksApproval('true'), 'acceptForSession');
    await turn.performs({rate_limits: {primary: 13, secondary: 40}});
    await turn.says('The answer is 42.', {input: 3_000, cached: 100, output: 20, reasoning: 7});
    const row = await supervisor.seen('what it said', ({running}) =>
      running.find(({last_message}) => last_message === 'The answer is 42.'),
    );
    assert.ok(row.tokens.input_tokens >= 3_000);
    assert.equal(row.tokens.total_tokens, row.tokens.input_tokens + row.tokens.output_tokens);
    assert.ok(row.tokens.cached_input_tokens >= 100 && row.tokens.reasoning_output_tokens >= 7);
    const {rate_limits} = await supervisor.seen('the limits', (state) =>
      state.rate_limits === null ? null : state,
    );
    assert.match(JSON.stringify(rate_limits), /13/);

    await supervisor.order('T-1/stop');
    await turn.agent.gone;
    assert.equal(turn.agent.received('turn/interrupt').length, 1);
    const page = await until('the end', async () => {
      const seen = await supervisor.issue('T-1');
      return seen.runs.length === 1 ? seen : null;
    });
    assert.deepEqual(page.runs[0]?.tokens, row.tokens);
    assert.equal((await supervisor.state()).codex_totals.total_tokens, row.tokens.total_tokens);

    const {body} = await supervisor.ask<string>('GET', `/api/v1/runs/${row.run_id}/transcript`);
    const lines = body.trim().split('\n');
    for (const line of lines) JSON.parse(line);
    assert.match(body, /The answer is 42\./);
    assert.match(body, /Work on T-1\./);
  },
);

shows(
  ['7.approvals.else'],
  'under another policy an approval is declined and asks a person',
  async () => {
    await using scene = await Scene.set({settings: {codex: {approval_policy: 'on-request'}}});
    await scene.project.issue('T-1');
    const supervisor = scene.start();
    const turn = await scene.turn('T-1');
    await works(turn);
    const decision = turn.asksApproval('rm -rf /somewhere').catch(() => 'interrupted');
    const row = await supervisor.seen('the hold', ({held}) => held[0]);
    assert.match(row.question ?? '', /rm -rf \/somewhere/);
    assert.match(String(await decision), /decline|cancel|interrupted/);
  },
);
