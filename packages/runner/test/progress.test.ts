import assert from 'node:assert/strict';
import {test} from 'node:test';
import {AgentProgress} from '@symphony-supervisor/protocol';
import {takeNotice} from '../src/agent/codex/notices.ts';
import {ProgressKeeper} from '../src/agent/progress.ts';

function aKeeper() {
  const told: (() => AgentProgress)[] = [];
  const tell = (progress: () => AgentProgress) => void told.push(progress);
  const keeper = new ProgressKeeper((text) => text, {progress: tell, milestone: tell}, true);
  return {keeper, message: () => told.at(-1)?.().message};
}

for (const size of [1, 7, 1000, 5000]) {
  test(`of text that is streamed by ${size} its end is told, however much came since the last time`, () => {
    const {keeper, message} = aKeeper();
    let said = '';
    for (let nth = 0; said.length < 20_000; nth++) {
      const piece = `${nth},`.repeat(size).slice(0, size);
      keeper.streamed(piece, 1);
      said += piece;
      if (nth === 2) assert.equal(message(), said.slice(-300));
    }
    assert.equal(message(), said.slice(-300));
  });
}

test('blank text does not hide what was said before it, and a message hides the text', () => {
  const {keeper, message} = aKeeper();
  const completes = (text: string) =>
    takeNotice('item/completed', {item: {type: 'agentMessage', id: 'm', text}}, keeper, 'm-1');
  completes('the first');
  keeper.streamed(' \n'.repeat(400), 1);
  assert.equal(message(), 'the first');
  keeper.streamed('more', 1);
  assert.equal(message(), 'more');
  completes('the second');
  assert.equal(message(), 'the second');
  keeper.streamed('anew', 1);
  assert.equal(message(), 'anew');
});

test('a count of tokens that cannot be one is not taken, and progress can still be told', () => {
  const told: AgentProgress[] = [];
  const tell = (progress: () => AgentProgress) => void told.push(progress());
  const keeper = new ProgressKeeper((text) => text, {progress: tell, milestone: tell}, true);
  for (const inputTokens of [100, 1e308]) {
    const none = {totalTokens: 0, cachedInputTokens: 0, outputTokens: 0, reasoningOutputTokens: 0};
    const tokenUsage = {total: {...none, inputTokens}};
    takeNotice('thread/tokenUsage/updated', {threadId: 't', tokenUsage}, keeper, 'm-1');
  }
  assert.equal(AgentProgress.parse(told.at(-1)).usage.total_tokens, 100);
});

test('what cannot be made a text by itself is told as it came', () => {
  const {keeper, message} = aKeeper();
  const hostile = {toString: 1, valueOf: 1};
  for (const item of [
    {type: 'webSearch', id: 'i', query: hostile},
    {type: 'commandExecution', id: 'i', command: hostile},
    {type: 'dynamicToolCall', id: 'i', tool: hostile},
    {type: 'fileChange', id: 'i', changes: [{path: hostile}]},
  ]) {
    takeNotice('item/completed', {item}, keeper, 'm-1');
    assert.match(message() ?? '', /\{"toString":1,"valueOf":1\}/);
  }
});
