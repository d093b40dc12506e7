// JavaScript, because a thread without an environment has no loader for anything else.
import {BroadcastChannel} from 'node:worker_threads';
import {
  serve as serveApi,
  TrackerThreadApi,
} from '../../packages/orchestrator/dist/tracker-thread.js';

/** A tracker thread that reports every read of issues, and dies of it. */
class DyingApi extends TrackerThreadApi {
  issuesByStates() {
    return die('list');
  }

  issuesByIds() {
    return die('read');
  }
}

function die(read) {
  const channel = new BroadcastChannel('reads');
  channel.postMessage(read);
  channel.close();
  // The message is on its way before the thread ends.
  return new Promise(() => setImmediate(() => process.exit(1)));
}

export function serve({port}) {
  return serveApi({port}, new DyingApi());
}
