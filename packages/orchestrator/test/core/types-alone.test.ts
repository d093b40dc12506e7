import assert from 'node:assert/strict';
import {test} from 'node:test';
import * as effects from '../../src/core/effect.ts';
import * as events from '../../src/core/event.ts';

test('events and effects are data: their files hold types, and nothing that runs', () => {
  assert.deepEqual({...effects, ...events}, {});
});
