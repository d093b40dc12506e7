import assert from 'node:assert/strict';
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, test} from 'node:test';
import {type Fields, fieldsOf} from '../../scripted-agent/json.ts';
import {AgentClient} from './scripted-agent-client.ts';
import {HOLD, lifeline} from './scripted-agent-lifeline.ts';

describe('the scripted agent at its worst', {timeout: 60_000}, () => {
  for (const info of ['usageLimitExceeded', {httpConnectionFailed: {httpStatusCode: 401}}]) {
    test(`fail: ${JSON.stringify(info)} is told twice, and the thread stays usable`, async () => {
      const {client, threadId} = await AgentClient.withThread([
        [{fail: 'no', info}],
        [{say: 'ok'}],
      ]);
      await using _ = client;
      const {status, error} = await client.turn(threadId);
      assert.equal(status, 'failed');
      assert.deepEqual(error, {
        message: 'no',
        codexErrorInfo: info,
        additionalDetails: null,
        misalignment: null,
      });
      const [told] = client.told('error');
      assert.deepEqual([told?.error, told?.willRetry], [error, false]);
      assert.equal(
        fieldsOf(client.told('thread/status/changed').at(-1)?.status).type,
        'systemError',
      );
      assert.equal((await client.turn(threadId)).status, 'completed');
    });
  }

  test('retrying: notices that promise another try, and then the turn goes on', async () => {
    const {client, threadId} = await AgentClient.withThread([{retrying: 2, every_ms: 1}]);
    await using _ = client;
    assert.equal((await client.turn(threadId)).status, 'completed');
    assert.deepEqual(
      client.told('error').map(({willRetry, error}) => [willRetry, fieldsOf(error).message]),
      [
        [true, 'Reconnecting... 1/2'],
        [true, 'Reconnecting... 2/2'],
      ],
    );
  });

  test('interrupt: the turn ends interrupted by itself', async () => {
    const {client, threadId} = await AgentClient.withThread(['interrupt', {say: 'never'}]);
    await using _ = client;
    assert.equal((await client.turn(threadId)).status, 'interrupted');
    assert.deepEqual(client.items('agentMessage'), []);
  });

  test('hang: nothing more, until it is interrupted', async () => {
    const {client, threadId} = await AgentClient.withThread([
      {run: 'sleep 0.1', background: true},
      'hang',
    ]);
    await using _ = client;
    const turnId = await client.startTurn(threadId);
    await client.until(() => client.items('commandExecution').length > 0);
    await client.request('turn/interrupt', {threadId, turnId});
    assert.equal((await client.end(turnId)).status, 'interrupted');
  });

  test('flood: as many deltas as ordered, of that size, paced or not', async () => {
    const {client, threadId} = await AgentClient.withThread([
      {flood: 5000, size: 100},
      {flood: 20, per_second: 1000, of: 'output'},
    ]);
    await using _ = client;
    await client.turn(threadId);
    const deltas = client.told('item/agentMessage/delta');
    assert.equal(deltas.length, 5000);
    assert.equal(String(deltas[0]?.delta).length, 100);
    assert.equal(client.told('item/commandExecution/outputDelta').length, 20);
  });

  test('exit: in the middle of a turn, and what was said before arrives', async () => {
    const {client, threadId} = await AgentClient.withThread([{say: 'last words'}, {exit: 7}]);
    await using _ = client;
    await client.startTurn(threadId);
    assert.deepEqual(await client.exited, {code: 7, signal: null});
    await client.until(() => client.items('agentMessage').length === 1);
  });

  test('signal: killed by itself, and its shell lives on', async () => {
    const {client, threadId} = await AgentClient.withThread([
      {run: `${HOLD}; exec sleep 300`, background: true},
      {run: 'until [ -e go ]; do sleep 0.01; done'},
      {signal: 'SIGKILL'},
    ]);
    await using _ = client;
    const shell = lifeline(client.folder);
    await client.startTurn(threadId);
    const pid = await shell.holder;
    writeFileSync(join(client.folder, 'go'), '');
    assert.deepEqual(await client.exited, {code: null, signal: 'SIGKILL'});
    process.kill(pid, 'SIGKILL'); // throws if there is no such process
    await shell.cut;
  });

  test('ignore: deaf to SIGTERM and to the end of stdin', async () => {
    const {client, threadId} = await AgentClient.withThread([
      {ignore: 'SIGTERM'},
      {ignore: 'stdin'},
      {run: 'until [ -e go ]; do sleep 0.01; done'},
      {stderr: 'still here'},
      'hang',
    ]);
    await using _ = client;
    await client.startTurn(threadId);
    client.child.kill('SIGTERM');
    client.child.stdin?.end();
    writeFileSync(join(client.folder, 'go'), '');
    await client.until(() => client.stderr.includes('still here'));
  });

  test('leave: a process that holds stdout open after the death of the agent', async () => {
    const {client, threadId} = await AgentClient.withThread([
      {leave: `${HOLD}; exec sleep 300`, holding: 'stdout'},
      {run: 'until [ -e go ]; do sleep 0.01; done'},
      {exit: 1},
    ]);
    await using _ = client;
    const left = lifeline(client.folder);
    const closed = new Promise((resolve) => client.child.once('close', resolve));
    await client.startTurn(threadId);
    const pid = await left.holder;
    writeFileSync(join(client.folder, 'go'), '');
    assert.deepEqual(await client.exited, {code: 1, signal: null});
    assert.equal(client.child.stdout?.readableEnded, false);
    process.kill(pid, 'SIGKILL'); // throws if there is no such process
    await left.cut;
    await closed;
  });

  test('raw and stderr: broken lines, half lines, and text beside the line', async () => {
    const {client, threadId} = await AgentClient.withThread([
      {raw: '{"broken'},
      {raw: '{"half":', newline: false},
      {raw: '1}'},
      {stderr: 'a complaint'},
    ]);
    await using _ = client;
    await client.turn(threadId);
    assert.ok(client.messages.includes('{"broken'));
    assert.ok(client.messages.some((message) => fieldsOf(message).half === 1));
    await client.until(() => client.stderr.includes('a complaint\n'));
  });

  test('huge: one valid line of 100 MB, never whole in the memory of the agent', {
    skip: process.platform !== 'linux' && 'peak memory is read from /proc',
  }, async () => {
    const bytes = 100_000_000;
    const {client, threadId} = await AgentClient.withThread([
      {huge: bytes},
      {say: 'after'},
      'hang',
    ]);
    await using _ = client;
    await client.startTurn(threadId);
    await client.until(() => client.items('agentMessage').length > 0);
    const [huge] = client.messages.filter((message) => lengthOf(message) > 1_000_000);
    assert.equal(lengthOf(huge), bytes - 1); // and a newline
    const status = readFileSync(`/proc/${client.child.pid}/status`, 'utf8');
    const peakMb = Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
    assert.ok(peakMb < 90, `peak of ${peakMb} MB`);
  });

  test('a start can go wrong in several ways', async () => {
    await using refusing = await AgentClient.start(['--fail-initialize']);
    assert.equal(fieldsOf((await refusing.initialize()).error).code, -32600);

    await using stranger = await AgentClient.start([
      '--not-logged-in',
      '--echo-policy',
      'untrusted',
    ]);
    await stranger.initialize();
    const account = fieldsOf((await stranger.request('account/read', {})).result);
    assert.deepEqual([account.account, account.requiresOpenaiAuth], [null, true]);
    const started = await stranger.request('thread/start', {approvalPolicy: 'never'});
    assert.equal(fieldsOf(started.result).approvalPolicy, 'untrusted');

    await using forgetful = await AgentClient.start(['--refuse-resume']);
    await forgetful.initialize();
    const threadId = await forgetful.startThread();
    await forgetful.turn(threadId);
    const resumed = await forgetful.request('thread/resume', {threadId});
    assert.match(String(fieldsOf(resumed.error).message), /no rollout found/);

    await using mute = await AgentClient.start(['--silent']);
    void mute.initialize().catch(() => {});
    assert.deepEqual(await mute.close(), {code: 0, signal: null});
    assert.deepEqual(mute.messages, []);

    await using gone = await AgentClient.start(['--exit', '3']);
    assert.deepEqual(await gone.exited, {code: 3, signal: null});
  });
});

function lengthOf(message: Fields | string | undefined): number {
  return JSON.stringify(message ?? '').length;
}
