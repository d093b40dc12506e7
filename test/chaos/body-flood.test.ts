import assert from 'node:assert/strict';
import {test} from 'node:test';
import {flood} from '../rig/flood/flooded-supervisor.ts';

/** Nearly as many as a listener takes at a time. */
const CONNECTIONS = 950;

test('bodies without an end, of 950 strangers: little memory, and health is answered', {
  skip: process.platform === 'linux' ? false : 'memory is read from /proc',
}, async (t) => {
  const {grownMb, slowestLivezMs} = await flood(CONNECTIONS);
  // Read to the end, the bodies would be 1.9 GB. V8 alone takes some fifty MB more or less for such traffic.
  assert.ok(grownMb < 150, `it grew by ${grownMb.toFixed(0)} MB`);
  // How soon depends on what else the machine does; told, so that a change is seen.
  t.diagnostic(`the slowest answer to /livez took ${slowestLivezMs.toFixed(0)} ms`);
  assert.notEqual(slowestLivezMs, Number.POSITIVE_INFINITY, 'health was not answered');
});
