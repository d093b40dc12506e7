import assert from 'node:assert/strict';
import {existsSync} from 'node:fs';
import {mkdir, readdir, symlink} from 'node:fs/promises';
import {join} from 'node:path';
import {command} from '../../rig/command.ts';
import {shows} from '../case.ts';
import {Linear} from '../rig/linear.ts';
import {Scene} from '../rig/scene.ts';
import {until} from '../rig/until.ts';

shows(
  ['6.hooks.environment', '6.environment.hooks', '6.environment.agent'],
  'hooks hear of the run and get the environment, agents what is listed; nobody the secrets',
  async () => {
    await using linear = await Linear.open();
    const issue = linear.world.addIssue(linear.team, 'Todo', {title: 'It is a "title"'});
    const print =
      'for v in ISSUE_ID ISSUE_IDENTIFIER ISSUE_TITLE ISSUE_STATE WORKSPACE ATTEMPT; do printenv SYMPHONY_$v; done';
    const settings = {
      tracker: linear.settings,
      hooks: {
        before_run: `{ pwd; ${print}; echo "$EXTRA $PLAIN [$LIN_KEY]"; } > ../../before`,
        after_run: 'echo "$SYMPHONY_OUTCOME $SYMPHONY_RUN_ID" > ../../after',
      },
      agent: {max_turns: 1, env: ['EXTRA']},
    };
    await using scene = await Scene.set({settings});
    const env = {...linear.env, EXTRA: 'extra', PLAIN: 'plain'};
    const supervisor = scene.start([], env);
    const turn = await scene.turn('LIN-1');
    const workspace = join(scene.project.path, 'workspaces/LIN-1');
    assert.deepEqual(await scene.project.lines('before'), [
      ...[workspace, issue.id, 'LIN-1', 'It is a "title"', 'Todo', workspace],
      'extra plain []',
    ]);
    const {output} = await turn.runs('env');
    assert.match(output, /^EXTRA=extra$/m);
    assert.match(output, /^SYMPHONY_RUN_ID=/m);
    assert.doesNotMatch(output, /^PLAIN=|LIN_KEY|lin_api_/m);
    const tmp = /^TMPDIR=(.*)$/m.exec(output)?.[1];
    assert.ok(tmp !== undefined && tmp !== process.env.TMPDIR);
    const run = (await supervisor.state()).running[0]?.run_id;
    await turn.completes();
    await until('after_run', async () => (await scene.project.lines('after')).length > 0);
    assert.deepEqual(await scene.project.lines('after'), [`succeeded ${run}`]);
  },
);

shows(
  ['6.after-create.failed', '6.before-run', '6.hooks.time-limit', '9.log.hooks', '6.symlink'],
  'hooks that fail fail the attempt; a half-made folder goes; a link is never followed',
  async () => {
    const by = (issue: string, then: string) =>
      `case "$SYMPHONY_ISSUE_IDENTIFIER" in ${issue}) ${then};; esac`;
    const settings = {
      agent: {max_turns: 1, max_retry_backoff_ms: 300_000},
      hooks: {
        timeout_ms: 1_500,
        after_create: by('create', 'touch half; exit 3'),
        before_run: `${by('before', 'exit 4')}; ${by('slow', 'sleep 600')}`,
        after_run: 'echo "$SYMPHONY_ISSUE_IDENTIFIER $SYMPHONY_OUTCOME" >> ../../after',
      },
    };
    await using scene = await Scene.set({settings});
    const root = join(scene.project.path, 'workspaces');
    const outside = join(scene.project.path, 'outside');
    await mkdir(root);
    await mkdir(outside);
    await symlink(outside, join(root, 'linked'));
    for (const name of ['create', 'before', 'slow', 'linked']) await scene.project.issue(name);
    const supervisor = scene.start();
    const errors = await supervisor.seen('all of them', ({retrying, held}) => {
      const rows = [
        ...retrying.map((row) => [row.issue_identifier, row.error] as const),
        ...held.map((row) => [row.issue_identifier, row.reason] as const),
      ];
      return rows.length === 4 ? new Map(rows) : null;
    });
    assert.match(errors.get('create') ?? '', /^hook_failed/);
    assert.match(errors.get('before') ?? '', /^hook_failed/);
    assert.match(errors.get('slow') ?? '', /^hook_timeout/);
    assert.match(errors.get('linked') ?? '', /^(invalid_workspace_cwd|workspace_)/);
    assert.ok(!existsSync(join(root, 'create')));
    assert.deepEqual((await scene.project.lines('after')).sort(), ['before failed', 'slow failed']);
    assert.deepEqual(await readdir(outside), []);
    const events = supervisor.log.map(
      ({event, issue_identifier}) => `${event} ${issue_identifier}`,
    );
    assert.ok(events.includes('hook.hook_failed before'), events.join('\n'));
    assert.ok(events.includes('hook.hook_timeout slow'), events.join('\n'));
  },
);

shows(['6.lock'], 'while a run has a workspace, a runner by hand finds it busy', async () => {
  await using scene = await Scene.set();
  await scene.project.issue('T-1');
  scene.start();
  const turn = await scene.turn('T-1');
  const {code, stdout, stderr} = await command('symphony-runner', ['T-1'], {
    cwd: scene.project.path,
  });
  assert.equal(code, 1);
  assert.match(stdout + stderr, /workspace_busy/);
  assert.equal((await turn.runs('echo on')).exitCode, 0);
});
