import assert from 'node:assert/strict';
import {join} from 'node:path';
import {test} from 'node:test';
import {fileURLToPath} from 'node:url';
import {aFolder} from '../../test/rig/fixtures/folder.ts';
import {type Comparison, compare} from '../histories/compare.ts';
import {type Core, core, type Decision, type State} from '../histories/core.ts';
import {explain, recordedCore} from '../histories/explain.ts';
import {recordHistories} from '../histories/record.ts';
import {readRecording, writeRecording} from '../histories/recording.ts';
import {NO_RENAMES, type Renames} from '../histories/renames.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

async function compared(other: Core, renames: Renames = NO_RENAMES): Promise<Comparison> {
  await using folder = await aFolder();
  const path = join(folder.path, 'histories.gz');
  await writeRecording(path, recordHistories(5, 1, ROOT));
  return compare(readRecording(path), other, renames);
}

/** The core with another opinion about what it decides. */
function other(change: (decision: Decision) => Decision): Core {
  return {...core, decide: (state, event) => change(core.decide(state, event))};
}

test('the same core makes the same of recorded histories', async () => {
  const {histories, events, differing, first} = await compared(core);
  assert.deepEqual({histories, differing, first}, {histories: 5, differing: 0, first: null});
  assert.ok(events > 300, `only ${events} events`);
});

test('a decision that differs is shown with its event and both values', async () => {
  const tree = other((decision) => ({
    ...decision,
    effects: decision.effects.map((effect) =>
      effect.do === 'set-timer' && effect.timer.startsWith('retry ')
        ? {...effect, at: effect.at + 1}
        : effect,
    ),
  }));
  const {differing, first} = await compared(tree);
  assert.ok(first !== null && differing > 0, 'no difference was found');
  const base = await recordedCore(first.folder);
  const text = explain(first, base, tree, NO_RENAMES);
  assert.match(text, /^history \d, step \d+: \{.*"type":/);
  assert.match(text, /\.orders\.claims\.p\/\d\.\d\.at: \d+ → \d+/);
  const [then, now] = /at: (\d+) → (\d+)/.exec(text)?.slice(1).map(Number) ?? [];
  assert.equal(now, (then ?? 0) + 1);
});

test('orders of one claim in another order differ, those of several claims do not', async () => {
  const reversed = other((decision) => ({...decision, effects: decision.effects.toReversed()}));
  assert.notEqual((await compared(reversed)).first, null);
  const keyOf = (effect: Decision['effects'][number]) =>
    'key' in effect ? (effect.key ?? '') : '';
  const regrouped = other((decision) => ({
    ...decision,
    effects: decision.effects.toSorted((a, b) => (keyOf(a) < keyOf(b) ? 1 : 0)),
  }));
  const {first} = await compared(regrouped);
  assert.equal(first, null, first === null ? '' : explain(first, core, regrouped, NO_RENAMES));
});

test('a claim that is not written is a difference', async () => {
  const forgetful = other((decision) => ({
    ...decision,
    touched: {...decision.touched, claims: new Set()},
  }));
  const {first} = await compared(forgetful);
  assert.match(explain(first ?? assert.fail(), core, forgetful, NO_RENAMES), /\.written\.claims/);
});

/** As if the State had called a field by another name, and had one more. */
const RENAMED: Core = {
  decide: (state, event) => renamed(core.decide(withOldName(state), event)),
  resumed: (state, claims, at) => withNewName(core.resumed(withOldName(state), claims, at)),
  emptyState: (life) => withNewName(core.emptyState(life)),
};

function renamed(decision: Decision): Decision {
  return {...decision, state: withNewName(decision.state)};
}

function withNewName({storeIsWritable, ...rest}: State): State {
  return {...rest, canSave: storeIsWritable, shade: 'green'} as object as State;
}

function withOldName(state: State): State {
  const {canSave, shade: _, ...rest} = state as object as Record<string, unknown>;
  return {...rest, storeIsWritable: canSave} as object as State;
}

test('what was renamed on purpose is no difference', async () => {
  const keys = {storeIsWritable: 'canSave'};
  const renames = {...NO_RENAMES, keys, added: ['shade']};
  const {differing, first} = await compared(RENAMED, renames);
  assert.equal(differing, 0, first === null ? '' : explain(first, core, RENAMED, renames));
  assert.equal((await compared(RENAMED)).differing, 5);
});

test('an event that a core cannot decide is a difference, and the error is shown', async () => {
  const broken: Core = {
    ...core,
    decide: (state, event) => {
      if (event.type === 'timer.fired') throw new TypeError('no such timer');
      return core.decide(state, event);
    },
  };
  const {differing, first} = await compared(broken);
  assert.equal(differing, 5);
  assert.match(explain(first ?? assert.fail(), core, broken, NO_RENAMES), /no such timer/);
});

test('a folder that is gone leaves the event to be shown', async () => {
  assert.equal(await recordedCore('/nowhere'), null);
  const silent = other((decision) => ({...decision, effects: []}));
  const {first} = await compared(silent);
  assert.match(explain(first ?? assert.fail(), null, silent, NO_RENAMES), /is gone/);
});
