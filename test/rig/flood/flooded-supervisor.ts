import {readdirSync} from 'node:fs';
import {constants, setPriority} from 'node:os';
import {join} from 'node:path';
import {readPointer} from '../control.ts';
import {aProject, SupervisorRig} from '../supervisor.ts';
import {BodyFlood, rssOf} from './body-flood.ts';
import {HealthProbe} from './health-probe.ts';

const MB = 1024 * 1024;
/** Beyond the largest body that is taken. */
const BYTES_EACH = 3 * MB;
const FIRST_READ = 64 * 1024;
const SIGNED = `Linear-Signature: ${'0'.repeat(64)}`;
const ATTACKS: readonly (readonly [path: string, headers: readonly string[]])[] = [
  ['/webhooks/nope', []],
  ['/webhooks/p', []],
  ['/webhooks/p', ['Linear-Signature: nonsense']],
  ['/webhooks/p', [SIGNED]],
  ['/api/v1/session', ['Content-Type: application/json']],
];

export interface Flooded {
  /** By what is endless: as many requests with a short body came before. */
  readonly grownMb: number;
  readonly statuses: readonly number[];
  /** By what the supervisor could help, see `HealthProbe`; null: one was not answered. */
  readonly slowestLivezMs: number | null;
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
  prefer(pid);
  // Any traffic lets the young generation of V8 grow to its full size, once. What the system hands over in the first
  // read of a connection is garbage already, and V8 collects garbage of this kind when there are some thirty megabytes.
  for (const [path] of ATTACKS) {
    using visitors = new BodyFlood({port, path, connections, bytesEach: FIRST_READ});
    await visitors.allClosed;
  }
  const before = await rssOf(pid);
  let most = before;
  const statuses: number[] = [];
  await using health = await HealthProbe.of(`${url}/livez`, pid);
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
  return {grownMb: (most - before) / MB, statuses, slowestLivezMs: await health.slowestMs()};
}

/**
 * Before all else that the machine does: what is measured is the supervisor, not what it has to share with other
 * processes. Only root may; otherwise the measure is stricter.
 */
function prefer(pid: number): void {
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    try {
      setPriority(Number(thread), constants.priority.PRIORITY_HIGHEST);
    } catch {}
  }
}
