import {once} from 'node:events';
import {join} from 'node:path';
import {Worker} from 'node:worker_threads';
import {readPointer} from '../control.ts';
import {aProject, SupervisorRig} from '../supervisor.ts';
import {BodyFlood, rssOf} from './body-flood.ts';

const MB = 1024 * 1024;
/** Beyond the largest body that is taken. */
const BYTES_EACH = 3 * MB;
const SIGNED = `Linear-Signature: ${'0'.repeat(64)}`;
const ATTACKS: readonly (readonly [path: string, headers: readonly string[]])[] = [
  ['/webhooks/nope', []],
  ['/webhooks/p', []],
  ['/webhooks/p', ['Linear-Signature: nonsense']],
  ['/webhooks/p', [SIGNED]],
  ['/api/v1/session', ['Content-Type: application/json']],
];

export interface Flooded {
  /** By bodies: as many requests without one came before. */
  readonly grownMb: number;
  readonly statuses: readonly number[];
  readonly slowestLivezMs: number;
}

/** What a supervisor goes through while strangers send bodies that never end. */
export async function flood(connections: number): Promise<Flooded> {
  const provider = {
    ...{project_slug: 'x', endpoint: 'http://127.0.0.1:9/graphql'},
    ...{api_key: 'lin_api_x', webhook_secret: 'secret'},
  };
  await using folder = await aProject('false', [], {tracker: {kind: 'linear', provider}});
  await using supervisor = new SupervisorRig(folder.path, ['--port', '0']);
  await supervisor.logged('http.listening');
  const {dashboard_url: url} = await readPointer(join(folder.path, '.symphony'));
  const port = Number(new URL(url ?? '').port);
  const pid = supervisor.process.pid ?? 0;
  // Any traffic lets the young generation of V8 grow to its full size, once.
  for (const [path] of ATTACKS) {
    using visitors = new BodyFlood({port, path, connections, bytesEach: null});
    await visitors.allClosed;
  }
  const before = await rssOf(pid);
  let most = before;
  const statuses: number[] = [];
  await using health = new HealthProbe(`${url}/livez`);
  for (const [path, headers] of ATTACKS) {
    using strangers = new BodyFlood({port, path, headers, connections, bytesEach: BYTES_EACH});
    let isOver = false;
    const over = strangers.allClosed.then(() => {
      isOver = true;
    });
    while (!isOver) {
      most = Math.max(most, await rssOf(pid));
      await Promise.race([over, new Promise((resolve) => setTimeout(resolve, 5))]);
    }
    statuses.push(...strangers.statuses);
  }
  return {grownMb: (most - before) / MB, statuses, slowestLivezMs: await health.slowest()};
}

/** Asks again and again; in a thread of its own, since this one is busy with the strangers. */
class HealthProbe implements AsyncDisposable {
  readonly #worker: Worker;

  constructor(url: string) {
    const script = `
      const {get} = require('node:http');
      const {parentPort} = require('node:worker_threads');
      let slowest = 0;
      const ask = () => {
        const begun = performance.now();
        const note = () => {
          slowest = Math.max(slowest, performance.now() - begun);
          setTimeout(ask, 20);
        };
        get(${JSON.stringify(url)}, {agent: false}, (answer) => {
          if (answer.statusCode !== 200) slowest = Infinity;
          answer.resume().on('end', note);
        }).on('error', () => { slowest = Infinity; });
      };
      ask();
      parentPort.on('message', () => parentPort.postMessage(slowest));`;
    this.#worker = new Worker(script, {eval: true});
  }

  /** Infinity: one was not answered. */
  async slowest(): Promise<number> {
    this.#worker.postMessage('slowest');
    const [ms] = await once(this.#worker, 'message');
    return ms;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker.terminate();
  }
}
