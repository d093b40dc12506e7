// JavaScript, because a thread without an environment has no loader for anything else.
import {existsSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {setTimeout as sleep} from 'node:timers/promises';
import {
  serve as serveApi,
  TrackerThreadApi,
} from '../../packages/orchestrator/dist/tracker-thread.js';

// A tracker thread whose answers can be late. The file `late` names a call and an issue; the next such
// call leaves `late-asked`, waits for `look`, asks the tracker, leaves `late-known`, waits for `answer`, and
// leaves `late-answered`.

const CALLS = ['issuesByIds', 'issuesByIdentifiers'];
const POLL_MS = 10;

class LateApi extends TrackerThreadApi {}

for (const name of CALLS) {
  LateApi.prototype[name] = async function (...args) {
    const isLate = takeOrder(name, args[1]);
    if (isLate) await mark('late-asked', 'look');
    const answer = await TrackerThreadApi.prototype[name].apply(this, args);
    if (isLate) {
      await mark('late-known', 'answer');
      writeFileSync('late-answered', '');
    }
    return answer;
  };
}

function takeOrder(name, issues) {
  if (!existsSync('late')) return false;
  const {call, issue} = JSON.parse(readFileSync('late', 'utf8'));
  if (call !== name || !issues.includes(issue)) return false;
  rmSync('late');
  return true;
}

async function mark(done, next) {
  writeFileSync(done, '');
  while (!existsSync(next)) await sleep(POLL_MS);
}

export function serve({port}) {
  return serveApi({port}, new LateApi());
}
