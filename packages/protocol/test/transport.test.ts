import assert from 'node:assert/strict';
import {fork} from 'node:child_process';
import {once} from 'node:events';
import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {ending} from '../../../test/rig/ending.ts';
import {aFolder} from '../../../test/rig/fixtures/folder.ts';
import {ipcTransport, LineClosed, localTransports} from '../src/index.ts';

test('a local line carries copies, in order, and closes behind them', async () => {
  const [ours, theirs] = localTransports();
  const heard: unknown[] = [];
  theirs.onMessage((message) => heard.push(message));
  const closed = new Promise<void>((resolve) => theirs.onClose(resolve));
  const message = {list: [1]};
  await ours.send(message);
  await ours.send('second');
  message.list.push(2);
  ours.close();
  await closed;
  assert.deepEqual(heard, [{list: [1]}, 'second']);
  await assert.rejects(theirs.send('late'), LineClosed);
});

test('IPC: what is sent to a process that is gone is refused, not thrown', async () => {
  await using folder = await aFolder();
  const script = join(folder.path, 'echo.cjs');
  await writeFile(script, `process.on('message', (m) => process.send({echo: m}))`);
  const child = fork(script);
  await using _end = ending(child);
  const line = ipcTransport(child);
  const heard = new Promise((resolve) => line.onMessage(resolve));
  const closed = new Promise<void>((resolve) => line.onClose(resolve));
  await line.send({hello: 'there'});
  assert.deepEqual(await heard, {echo: {hello: 'there'}});
  child.kill('SIGKILL');
  await Promise.all([closed, once(child, 'exit')]);
  await assert.rejects(line.send('late'), LineClosed);
});
