import assert from 'node:assert/strict';
import {test} from 'node:test';
import {AgentProgress} from '@symphony-supervisor/protocol';
import {ProgressKeeper} from '../src/codex/progress.ts';

test('a count of tokens that cannot be one is not taken, and progress can still be told', () => {
  const told: AgentProgress[] = [];
  const tell = (progress: () => AgentProgress) => void told.push(progress());
  const keeper = new ProgressKeeper((text) => text, {progress: tell, milestone: tell});
  for (const inputTokens of [100, 1e308]) {
    const none = {totalTokens: 0, cachedInputTokens: 0, outputTokens: 0, reasoningOutputTokens: 0};
    const tokenUsage = {total: {...none, inputTokens}};
    keeper.notification('thread/tokenUsage/updated', {threadId: 't', tokenUsage});
  }
  assert.equal(AgentProgress.parse(told.at(-1)).usage.total_tokens, 100);
});
