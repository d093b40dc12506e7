import {appendFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import type {Supervisor} from 'symphony-supervisor/supervisor';
import {endOnSigterm, startHere} from '../rig/embedded.ts';
import type {CrashPoint} from './crash-point.ts';
import {describeClaim} from './describe-claim.ts';

// A supervisor that notes every write to its store, and kills itself at a crash point.
// Arguments: folder, crash point, where a person moves the issue in the moment of its reservation, what an
// operator answers when it is held, and how its claim begins when an operator dismisses it; empty: nothing.

const [folder = '', pointJson = 'null', moveTo = '', answer = '', dismissAt = ''] =
  process.argv.slice(2);
const point: CrashPoint | null = JSON.parse(pointJson);
const dist = fileURLToPath(new URL('../../packages/orchestrator/dist', import.meta.url));
let supervisor: Supervisor | null = null;
let before = 'none';
let write = '';
let times = 0;
let hasDismissed = false;

supervisor = await startHere(folder, dist, {
  observeStore: ({is}) => {
    if (is === 'save-begun') note();
    const when = is === 'save-begun' ? 'before' : 'after';
    if (point?.write === write && point.nth === times && point.when === when) {
      process.kill(process.pid, 'SIGKILL');
    }
  },
});
endOnSigterm(supervisor);

function note(): void {
  const claim = supervisor?.state.claims.get('p/T-1');
  const after = claim === undefined ? 'none' : describeClaim(claim);
  write = `${before} → ${after}`;
  before = after;
  if (write === point?.write) times++;
  appendFileSync(join(folder, 'writes'), `${write}\n`);
  if (answer !== '' && after.startsWith('held')) {
    const order = {command: 'retry', message: answer} as const;
    setImmediate(() => supervisor?.api.order('operator', 'T-1', 'p', order));
  }
  if (dismissAt !== '' && !hasDismissed && after.startsWith(dismissAt)) {
    hasDismissed = true;
    setImmediate(() => supervisor?.api.order('operator', 'T-1', 'p', {command: 'dismiss'}));
  }
  if (moveTo !== '' && after.startsWith('running reading')) {
    writeFileSync(join(folder, 'issues/T-1.md'), `---\nstate: ${moveTo}\n---\n# T-1\n`);
  }
}
