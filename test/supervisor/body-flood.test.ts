import assert from 'node:assert/strict';
import {test} from 'node:test';
import {flood} from '../rig/flood/flooded-supervisor.ts';

// The same with as many connections as a listener takes: test/chaos/body-flood.test.ts.

test('bodies without an end, of a hundred strangers, cost little memory', {
  skip: process.platform === 'linux' ? false : 'memory is read from /proc',
}, async () => {
  const {grownMb, statuses, slowestLivezMs} = await flood(100);
  // Read to the end, the bodies would be 1.5 GB.
  assert.ok(grownMb < 50, `it grew by ${grownMb.toFixed(0)} MB`);
  assert.ok(slowestLivezMs !== null, 'health was not answered');
  const known = [401, 403, 404, 413, 503];
  assert.deepEqual(
    statuses.filter((status) => !known.includes(status)),
    [],
  );
});
