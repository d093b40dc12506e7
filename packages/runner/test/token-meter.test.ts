import assert from 'node:assert/strict';
import {test} from 'node:test';
import {NO_USAGE, type Usage} from '@symphony-supervisor/protocol';
import {TokenMeter} from '../src/agent/token-meter.ts';

function tokens(n: number): Usage {
  return {...NO_USAGE, input_tokens: n, total_tokens: n};
}

test('of totals only what is new counts, whatever is repeated, smaller or counted before', () => {
  const meter = new TokenMeter();
  meter.startFrom('t', tokens(100));
  for (const total of [100, 150, 150, 120, 160]) meter.total('t', tokens(total), 'm');
  assert.deepEqual(meter.run, tokens(60));
  assert.deepEqual(meter.ofThread('t'), tokens(160));
});

test('costs of turns are added, also to what earlier runs have counted of the conversation', () => {
  const meter = new TokenMeter();
  meter.startFrom('t', tokens(100));
  meter.more('t', tokens(10), 'm');
  meter.more('t', tokens(10), 'm');
  assert.deepEqual([meter.run, meter.ofThread('t')], [tokens(20), tokens(120)]);
});

test('what was used is known by model, and a model without a name is one of them', () => {
  const meter = new TokenMeter();
  meter.more('t', tokens(10), 'large');
  meter.more('t', tokens(2), null);
  meter.total('helper', tokens(5), 'large');
  assert.deepEqual(meter.models, [
    {model: 'large', usage: tokens(15)},
    {model: null, usage: tokens(2)},
  ]);
});

test('what a turn is known to have used counts until the turn says more, and is then replaced', () => {
  const meter = new TokenMeter();
  meter.startFrom('t', tokens(100));
  meter.more('t', tokens(10), 'm');
  meter.soFar('t', [{model: 'm', usage: tokens(3)}]);
  meter.soFar('t', [
    {model: 'm', usage: tokens(3)},
    {model: 'n', usage: tokens(4)},
  ]);
  assert.deepEqual([meter.run, meter.ofThread('t')], [tokens(17), tokens(117)]);
  assert.deepEqual(meter.models, [
    {model: 'm', usage: tokens(13)},
    {model: 'n', usage: tokens(4)},
  ]);
  assert.deepEqual(meter.ofThread('helper'), NO_USAGE);
  meter.soFar('t', []);
  meter.more('t', tokens(9), 'm');
  assert.deepEqual([meter.run, meter.ofThread('t')], [tokens(19), tokens(119)]);
});
