// JavaScript, because a thread without an environment has no loader for anything else.
import {readFileSync, rmSync} from 'node:fs';
import {
  serve as serveApi,
  TrackerThreadApi,
} from '../../packages/orchestrator/dist/tracker-thread.js';

// A tracker thread that dies when the file `thread-dies` says so, in the call that it is asked next:
// `before` it does anything, or `after` it has done it and before anybody hears of that.

const DEATH = 'thread-dies';
const CALLS = ['issuesByStates', 'issuesByIds', 'transition', 'callTool', 'tools'];

class MortalApi extends TrackerThreadApi {}

for (const name of CALLS) {
  MortalApi.prototype[name] = async function (...args) {
    const death = deathWanted();
    if (death === 'before') die();
    const answer = await TrackerThreadApi.prototype[name].apply(this, args);
    if (death === 'after') die();
    return answer;
  };
}

function deathWanted() {
  try {
    return readFileSync(DEATH, 'utf8');
  } catch {
    return null;
  }
}

/** The file goes first: whoever waits for this death waits for that. */
function die() {
  rmSync(DEATH, {force: true});
  process.exit(1);
}

export function serve({port}) {
  return serveApi({port}, new MortalApi());
}
