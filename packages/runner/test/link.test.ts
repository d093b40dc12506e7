import assert from 'node:assert/strict';
import {test} from 'node:test';
import {setImmediate as nextTurn} from 'node:timers/promises';
import {
  type AgentProgress,
  type FromRunner,
  NO_USAGE,
  type Transport,
} from '@symphony-supervisor/protocol';
import {RunnerLink} from '../src/host/link.ts';

function aLink() {
  const sent: FromRunner[] = [];
  const transport: Transport = {
    send: async (message) => {
      sent.push(message as FromRunner);
    },
    onMessage: () => {},
    onClose: () => {},
    close: () => {},
  };
  const on = {start: () => {}, stop: () => {}, gone: () => {}};
  const link = new RunnerLink(transport, (text) => text, on);
  const heard = () =>
    sent.flatMap((said) =>
      said.to === 'report' && said.report.type === 'agent' ? [said.report.progress.messages] : [],
    );
  return {link, heard, sent};
}

function progress(messages: number): () => AgentProgress {
  return () => ({
    ...{
      event: null,
      message: null,
      messages,
      signs_of_life: messages,
      rate_limits: null,
      is_measured: true,
      models: [],
    },
    ...{usage: NO_USAGE, thread_usage: NO_USAGE},
  });
}

test('progress is told at once, then joined until its time has come; the latest says it all', async (t) => {
  t.mock.timers.enable({apis: ['setTimeout']});
  // The clock goes with the timers: on a busy machine the time between two lines may be longer than a wait.
  let now = 1_000_000;
  t.mock.method(performance, 'now', () => now);
  const pass = (ms: number): void => {
    now += ms;
    t.mock.timers.tick(ms);
  };
  const {link, heard} = aLink();
  link.progress(progress(1));
  pass(1);
  await nextTurn();
  assert.deepEqual(heard(), [1]);
  for (let messages = 2; messages <= 500; messages++) link.progress(progress(messages));
  pass(200);
  await nextTurn();
  assert.deepEqual(heard(), [1]);
  pass(50);
  await nextTurn();
  assert.deepEqual(heard(), [1, 500]);
  link.close();
});

test('a milestone does not wait, and a report comes after the progress before it', async (t) => {
  t.mock.timers.enable({apis: ['setTimeout']});
  const {link, heard, sent} = aLink();
  link.milestone(progress(1));
  link.progress(progress(2));
  link.report({type: 'note', message: 'after it'});
  await nextTurn();
  assert.deepEqual(heard(), [1, 2]);
  const last = sent.at(-1);
  assert.ok(last?.to === 'report' && last.report.type === 'note');
  link.close();
});
