import assert from 'node:assert/strict';
import {test} from 'node:test';
import {type FailureCode, RunFailure} from '@symphony-supervisor/protocol';
import {ProgressKeeper} from '../src/agent/progress.ts';
import {meteredTurn} from '../src/conversation/metered-turn.ts';

function aKeeper(isMeasured = true): ProgressKeeper {
  return new ProgressKeeper((text) => text, {progress: () => {}, milestone: () => {}}, isMeasured);
}

const failedBy = (code: FailureCode) => async () => new RunFailure(code, 'as told');

test('figures are partial while a turn is under way, and final once it has ended with a report', async () => {
  const keeper = aKeeper();
  assert.equal(keeper.measured.is_partial, undefined);
  await meteredTurn(keeper, async () => {
    assert.equal(keeper.measured.is_partial, true);
    return null;
  });
  await meteredTurn(keeper, failedBy('turn_failed'));
  assert.equal(keeper.measured.is_partial, undefined);
});

test('a turn that was cut off leaves them partial for good', async () => {
  for (const code of ['port_exit', 'turn_timeout', 'turn_cancelled', 'response_timeout'] as const) {
    const keeper = aKeeper();
    await meteredTurn(keeper, failedBy(code));
    await meteredTurn(keeper, async () => null);
    assert.equal(keeper.measured.is_partial, true, code);
  }
});

test('a turn that never returns leaves them partial', () => {
  const keeper = aKeeper();
  void meteredTurn(keeper, () => new Promise(() => {}));
  assert.equal(keeper.measured.is_partial, true);
});

test('what is not measured is not partial', async () => {
  const keeper = aKeeper(false);
  await meteredTurn(keeper, failedBy('port_exit'));
  assert.deepEqual([keeper.measured.is_measured, keeper.measured.is_partial], [false, undefined]);
});
