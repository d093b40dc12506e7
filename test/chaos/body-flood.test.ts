import assert from 'node:assert/strict';
import {test} from 'node:test';
import {flood} from '../rig/flood/flooded-supervisor.ts';

/** Nearly as many as a listener takes at a time. */
const CONNECTIONS = 950;

test('bodies without an end, of 950 strangers: less than 50 MB, and health is answered within a second', {
  skip: process.platform === 'linux' ? false : 'memory and waiting times are read from /proc',
}, async (t) => {
  const {grownMb, slowestLivezMs} = await flood(CONNECTIONS);
  t.diagnostic(
    `grown by ${grownMb.toFixed(0)} MB; slowest /livez ${slowestLivezMs?.toFixed(0)} ms`,
  );
  // Read to the end, the bodies would be 14 GB.
  assert.ok(grownMb < 50, `it grew by ${grownMb.toFixed(0)} MB`);
  assert.ok(slowestLivezMs !== null, 'health was not answered');
  assert.ok(slowestLivezMs < 1_000, `the slowest answer to /livez took ${slowestLivezMs} ms`);
});
