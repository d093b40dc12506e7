// JavaScript, because a thread without an environment has no loader for anything else.
import {serve as serveApi, TrackerThreadApi} from '../../../dist/tracker-thread.js';

/** A tracker thread that meets with trouble when it is asked for issues in a state of that name. */
class TroubledApi extends TrackerThreadApi {
  #notes = [];

  open(project, settings, secrets) {
    this.#notes.push(`secrets ${JSON.stringify(secrets)}`);
    return super.open(project, settings, secrets);
  }

  issuesByIds(project, ids) {
    this.#notes.push(`ids ${ids.join(' ')}`);
    return super.issuesByIds(project, ids);
  }

  async issuesByStates(project, states) {
    switch (states[0]) {
      case 'exit':
        return process.exit(1);
      case 'silence':
        return new Promise(() => {});
      case 'loop':
        for (;;);
      case 'out of memory':
        for (const hoard = []; ; ) hoard.push(new Array(100_000).fill(hoard.length));
      case 'notes':
        return {ok: true, value: [], warnings: [{count: 0, examples: this.#notes}]};
      default:
        return super.issuesByStates(project, states);
    }
  }
}

export function serve({port}) {
  return serveApi({port}, new TroubledApi());
}
