import {InstanceLock, openStore} from '../../src/store/index.ts';
import {aClaim} from './a-store.ts';

// A supervisor reduced to its store: takes the lock, then saves one claim after the other, and says
// what it has saved once it is.
const stateDir = process.argv[2] ?? '';
InstanceLock.take(stateDir, {pid: process.pid, startedAt: new Date()});
let count = 0;
const {store} = openStore(stateDir, {
  observe: (what) => {
    if (what.is === 'save-ended' && what.ok) process.send?.({saved: count});
  },
});
process.send?.({saved: 0});
process.once('disconnect', () => process.exit());

function saveNext(): void {
  count++;
  const key = `p/i${count}`;
  store.save({
    claims: new Map([[key, aClaim(`i${count}`)]]),
    counters: new Map([['p/i1', {runs: count, tokens: 0, idleRuns: 0}]]),
  });
  setImmediate(saveNext);
}
if (process.argv.includes('--save')) saveNext();
setInterval(() => {}, 60_000);
