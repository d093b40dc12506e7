import assert from 'node:assert/strict';
import {test} from 'node:test';
import {anIssue} from '../rig/fixtures/issue.ts';
import {GIT_REPOSITORY, Scene, tokensOf} from './scene.ts';
import {rateLimitHeaders} from './stub/rate-limit-headers.ts';
import {addFile, say, shell, USAGE} from './stub/stub-step.ts';

const GO_ON = {readIssue: () => ({issue: anIssue(), go_on: true})};

test('two turns on one thread', async (t) => {
  await using scene = await Scene.open(t);
  const {stub} = scene;
  stub.headers = rateLimitHeaders({usedPercent: 40, windowMinutes: 300, resetsAt: 1_900_000_000});
  stub.answers([
    shell('echo hello > hello.txt'),
    say('half done', {reasoning: '**Thinking**', usage: {...USAGE, output: 57}}),
  ]);
  stub.answers([addFile('more.txt', 'more'), say('all done')]);
  const job = scene.attempt({max_turns: 2, hooks: {after_create: GIT_REPOSITORY}});
  await using runner = scene.start(job, GO_ON);

  const result = await runner.result();

  assert.equal(result.outcome, 'succeeded');
  assert.equal(result.turns, 2);
  assert.deepEqual(stub.unexpected, []);
  const thread = result.thread?.id;
  assert.deepEqual(
    runner.all('turn_started').map(({turn, session_id}) => [turn, session_id]),
    [
      [1, `${thread}-${stub.requests[0]?.turnId}`],
      [2, `${thread}-${stub.requests[2]?.turnId}`],
    ],
  );
  assert.deepEqual(
    stub.requests.map(({prompt}) => prompt.split('.')[0]),
    ['Work on ABC-1', 'Work on ABC-1', 'Turn 2 of 2', 'Turn 2 of 2'],
  );
  const usage = tokensOf(4);
  usage.output_tokens += 7;
  usage.total_tokens += 7;
  assert.deepEqual(result.usage, usage);
  assert.deepEqual(result.models, [{model: 'gpt-5.5', usage}]);
  assert.deepEqual(result.thread, {
    agent: 'codex',
    id: thread,
    workspace_path: scene.workspace,
    usage,
    prompt_digest: result.thread?.prompt_digest,
    turns: 2,
    ...{role: 'worker', phase: null, tools_digest: result.thread?.tools_digest},
  });
  const progress = runner.all('agent').at(-1)?.progress;
  assert.deepEqual(progress?.usage, usage);
  assert.deepEqual(progress?.rate_limits?.windows[0], {
    name: 'primary',
    used_percent: 40,
    window_minutes: 300,
    resets_at: new Date(1_900_000_000_000).toISOString(),
  });
  assert.deepEqual(result.evidence, {
    workspace_changed: true,
    issue_changed: false,
    tools_wrote: false,
  });
  const transcript = await scene.transcriptOf(job);
  assert.match(transcript, /"thread\/name\/updated".*"threadName":"ABC-1: Add a greeting"/);
});

test('a turn that only talks leaves no evidence', async (t) => {
  await using scene = await Scene.open(t);
  scene.stub.answers([shell('git status'), say('nothing to do')]);
  const job = scene.attempt({hooks: {after_create: `${GIT_REPOSITORY} && echo a > tracked`}});
  await using runner = scene.start(job);

  const {outcome, evidence} = await runner.result();

  assert.equal(outcome, 'succeeded');
  assert.deepEqual(evidence, {workspace_changed: false, issue_changed: false, tools_wrote: false});
});

test('model and effort are passed on', async (t) => {
  await using scene = await Scene.open(t, {model: 'gpt-5.4'});
  scene.stub.answers([say('done')]);
  const job = scene.attempt({agent: {model: 'gpt-5.5', effort: 'high'}});
  await using runner = scene.start(job);

  assert.equal((await runner.result()).outcome, 'succeeded');
  const [request] = scene.stub.requests;
  assert.equal(request?.body.model, 'gpt-5.5');
  assert.equal(request?.body.reasoning?.effort, 'high');
});
