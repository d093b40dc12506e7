import assert from 'node:assert/strict';
import {test} from 'node:test';
import {UsageCounter} from '../../src/agent/claude/turn/usage.ts';
import {TokenMeter} from '../../src/agent/token-meter.ts';

function result(uuid: string, used: Record<string, object>) {
  // Totals go on over turns, and over processes that ended in order: they must not count.
  const modelUsage = {large: {inputTokens: 9999, outputTokens: 9999}};
  return {type: 'result', uuid, model_usage_since_last_result: used, modelUsage};
}

function message(id: string, usage: object, stop_reason: string | null = null) {
  return {type: 'assistant', message: {id, model: 'large', usage, stop_reason}};
}

test('what each result says was used since the last one is counted, by model and in our words', () => {
  const meter = new TokenMeter();
  const usage = new UsageCounter(meter, 't');
  const large = {
    ...{inputTokens: 100, cacheReadInputTokens: 30, cacheCreationInputTokens: 20},
    ...{outputTokens: 50, thinkingTokens: 10},
  };
  assert.deepEqual(usage.result(result('1', {large}), null), ['large']);
  usage.result(result('2', {large, small: {inputTokens: 1, outputTokens: 2}}), null);
  assert.deepEqual(meter.run, {
    ...{input_tokens: 301, cached_input_tokens: 60, output_tokens: 102},
    ...{reasoning_output_tokens: 20, total_tokens: 403},
  });
  assert.deepEqual(
    meter.models.map(({model, usage: {total_tokens}}) => [model, total_tokens]),
    [
      ['large', 400],
      ['small', 3],
    ],
  );
});

test('a result that comes twice counts once', () => {
  const meter = new TokenMeter();
  const usage = new UsageCounter(meter, 't');
  const large = {inputTokens: 5};
  for (const _ of [1, 2]) usage.result(result('1', {large}), null);
  assert.equal(meter.run.total_tokens, 5);
});

test('until the result of a turn is there, its messages stand for it, each once', () => {
  const meter = new TokenMeter();
  const usage = new UsageCounter(meter, 't');
  usage.message(message('m1', {input_tokens: 10, output_tokens: 1}));
  usage.message(message('m1', {input_tokens: 10, output_tokens: 1}));
  usage.message(message('m2', {input_tokens: 20, output_tokens: 7}, 'end_turn'));
  assert.equal(meter.run.total_tokens, 37);
  assert.equal(meter.ofThread('t').total_tokens, 37);
  assert.equal(usage.isPartial, true);
  usage.result(result('1', {large: {inputTokens: 30, outputTokens: 12}}), null);
  assert.equal(meter.run.total_tokens, 42);
  assert.equal(usage.isPartial, false);
});

test('figures that cannot be are nothing', () => {
  const meter = new TokenMeter();
  const usage = new UsageCounter(meter, 't');
  const large = {inputTokens: -5, outputTokens: 1e300, cacheReadInputTokens: 'many'};
  assert.deepEqual(usage.result(result('1', {large}), null), []);
  usage.message({type: 'assistant', message: 'none'});
  usage.message(message('m', {input_tokens: Number.NaN}));
  assert.equal(meter.run.total_tokens, 0);
});

test('a version that does not tell more says what the turn itself used', () => {
  const meter = new TokenMeter();
  const usage = new UsageCounter(meter, 't');
  const told = {type: 'result', uuid: '1', usage: {input_tokens: 3, output_tokens: 4}};
  assert.deepEqual(usage.result(told, 'large'), ['large']);
  assert.equal(meter.run.total_tokens, 7);
});
