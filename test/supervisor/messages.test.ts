import assert from 'node:assert/strict';
import {access, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {AgentPuppet} from '@symphony-supervisor/scripts/puppet';
import {readStore} from '../rig/fixtures/store-file.ts';
import {aProject, onRecord, SupervisorRig} from '../rig/supervisor.ts';
import {supervisorCommand} from '../rig/supervisor-command.ts';
import {until} from '../rig/survivors.ts';

// An operator's answer reaches the agent once, though starts fail and processes are killed before, and
// just after, a turn has begun with it. `broken` in the project's folder makes one start fail.

const KEY = 'p/T-1';
const ANSWER = 'Blue, like the sky.';
const IF_BROKEN = 'rm ../../broken 2>/dev/null || exit 0';

interface Row {
  readonly code: string;
  readonly hooks?: Record<string, unknown>;
  /** What the agent's command does instead. */
  readonly agent?: (puppet: AgentPuppet) => string;
}

const ROWS: readonly Row[] = [
  {code: 'hook_failed', hooks: {before_run: `${IF_BROKEN}; exit 1`}},
  {code: 'hook_timeout', hooks: {before_run: `${IF_BROKEN}; sleep 60`, timeout_ms: 1000}},
  {code: 'runner_crashed', hooks: {before_run: `${IF_BROKEN}; kill -9 $PPID; sleep 60`}},
  {code: 'port_exit', agent: () => 'exit 3'},
  {code: 'agent_not_found', agent: () => 'exec /does/not/exist'},
  {code: 'agent_incompatible', agent: ({command}) => `exec ${command} --fail-initialize`},
];

for (const {code, hooks = {}, agent = () => ':'} of ROWS) {
  test(`a start that fails by ${code} does not lose the answer, nor does a later run repeat it`, async () => {
    await using puppet = await AgentPuppet.listen();
    // The probe of the agent has no issue, and finds nothing wrong.
    const command = `if [ -n "$SYMPHONY_ISSUE_ID" ] && rm "$HOME/broken" 2>/dev/null; then ${agent(puppet)}; fi; exec ${puppet.command}`;
    await using folder = await aProject(command, ['T-1'], {
      hooks,
      agent: {max_retry_backoff_ms: 200},
    });
    await using supervisor = new SupervisorRig(folder.path);
    await asks(puppet, folder.path);
    await writeFile(join(folder.path, 'broken'), '');
    await answers(folder.path);

    const given = await puppet.nextTurn();
    assert.equal(timesIn(given.input), 1);
    await assert.rejects(access(join(folder.path, 'broken')), 'the start did not fail');
    const failures = readStore(folder.path).runs.map(({failure}) => failure);
    assert.deepEqual(failures, ['turn_input_required', code, null]);

    void given.performs({exit: 1}).catch(() => {});
    const later = await puppet.nextTurn();
    assert.equal(timesIn(later.input), 0);
    await later.callsTool('update_issue', {state: 'Done'});
    await later.completes();
    await supervisor.logged('claim.released', KEY);
  });
}

test('a prompt that cannot be rendered holds the issue, and the mended one takes the answer along', async () => {
  await using puppet = await AgentPuppet.listen();
  await using folder = await aProject(puppet.command, ['T-1']);
  await using supervisor = new SupervisorRig(folder.path);
  await asks(puppet, folder.path);
  const path = join(folder.path, 'WORKFLOW.md');
  const good = await readFile(path, 'utf8');
  await writeFile(path, good.replace('{{issue.identifier}}', '{{issue.nonsense}}'));
  await supervisor.logged('workflow.reloaded');
  await answers(folder.path);
  await isHeld(folder.path, 'template_render_error');
  await writeFile(path, good.replace('Work on', 'Go on with'));
  const given = await puppet.nextTurn();
  assert.match(given.input, /^Go on with T-1\./);
  assert.equal(timesIn(given.input), 1);
});

const WAIT = 'rm ../../broken 2>/dev/null || exit 0; touch ../../waiting; sleep 60';

test('the supervisor is killed after the fork and before the turn: the next life gives the answer once', async () => {
  await using puppet = await AgentPuppet.listen();
  await using folder = await aProject(puppet.command, ['T-1'], {hooks: {before_run: WAIT}});
  await using former = new SupervisorRig(folder.path);
  await asks(puppet, folder.path);
  await writeFile(join(folder.path, 'broken'), '');
  await answers(folder.path);
  await fileIn(folder.path, 'waiting');
  await former.kill();

  await using _supervisor = new SupervisorRig(folder.path);
  assert.equal(timesIn((await puppet.nextTurn()).input), 1);
});

const GATE = `${IF_BROKEN}; touch ../../waiting; until [ -e ../../go ]; do sleep 0.05; done`;

for (const killed of ['the supervisor', 'the runner', 'both'] as const) {
  test(`killed when a turn has begun and the supervisor has not stored it, ${killed}: nothing is said twice in the thread`, async () => {
    await using puppet = await AgentPuppet.listen();
    await using folder = await aProject(puppet.command, ['T-1'], {
      hooks: {before_run: GATE},
      agent: {max_retry_backoff_ms: 200},
    });
    await using former = new SupervisorRig(folder.path);
    const asked = await asks(puppet, folder.path);
    await writeFile(join(folder.path, 'broken'), '');
    await answers(folder.path);
    await fileIn(folder.path, 'waiting');
    former.process.kill('SIGSTOP');
    await writeFile(join(folder.path, 'go'), '');
    const given = await puppet.nextTurn();
    assert.deepEqual([given.threadId, timesIn(given.input)], [asked, 1]);
    await isNoted(folder.path);
    assert.equal(readStore(folder.path).claims.get(KEY)?.messages.length, 1);

    if (killed !== 'the supervisor') process.kill(await parentOf(given.agent.pid), 'SIGKILL');
    if (killed === 'the runner') former.process.kill('SIGCONT');
    else await former.kill();
    await using next = killed === 'the runner' ? null : new SupervisorRig(folder.path);
    const after = await puppet.nextTurn();
    assert.deepEqual([after.threadId, timesIn(after.input)], [asked, 0]);
    await after.callsTool('update_issue', {state: 'Done'});
    await after.completes();
    await (next ?? former).logged('claim.released', KEY);
  });
}

function timesIn(input: string): number {
  return input.split(ANSWER).length - 1;
}

/** The agent asks in its first turn, and the issue is held; returns the thread. */
async function asks(puppet: AgentPuppet, folder: string): Promise<string> {
  const turn = await puppet.nextTurn();
  await onRecord(folder, turn.threadId);
  void turn.performs({question: 'Which colour?'}).catch(() => {});
  await isHeld(folder, 'turn_input_required');
  return turn.threadId;
}

async function isHeld(folder: string, code: string): Promise<void> {
  const held = await until(async () => {
    const claim = readStore(folder).claims.get(KEY);
    return claim?.is === 'held' && claim.because.code === code ? true : null;
  });
  assert.ok(held, `the issue was never held by ${code}`);
}

async function answers(folder: string): Promise<void> {
  const {code, stderr} = await supervisorCommand(['retry', 'T-1', '--message', ANSWER], {
    cwd: folder,
  });
  assert.equal(code, 0, stderr);
}

/** The runner has noted beside the workspace that the conversation has the message. */
async function isNoted(folder: string): Promise<void> {
  const path = join(folder, 'workspaces/.symphony/owners/T-1.json');
  const noted = await until(async () =>
    (await readFile(path, 'utf8')).includes('given_messages') ? true : null,
  );
  assert.ok(noted, 'the runner never noted the message');
}

async function fileIn(folder: string, name: string): Promise<void> {
  const seen = await until(() => readFile(join(folder, name)).catch(() => null));
  assert.ok(seen !== null, `${name} was never written`);
}

async function parentOf(pid: number): Promise<number> {
  return Number(/^PPid:\s+(\d+)$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]);
}
