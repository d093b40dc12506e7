import type {AddressInfo} from 'node:net';
import type {FastifyInstance} from 'fastify';
import type {FrontDesk} from '../shell/front-desk.ts';
import type {Log} from '../shell/log.ts';
import {takeControlToken} from './control-token.ts';
import {DashboardFiles} from './dashboard-files.ts';
import {describe} from './describe.ts';
import {EventStream} from './event-stream.ts';
import type {GateRules} from './gate.ts';
import {buildListener} from './listener.ts';
import {CannotListen} from './port-busy.ts';
import {RouteTable} from './route-table.ts';
import {aboutRoutes, type MetricsPage} from './routes/about.ts';
import {actionRoutes} from './routes/actions.ts';
import {issueRoutes} from './routes/issues.ts';
import {projectRoutes} from './routes/projects.ts';
import {runRoutes} from './routes/runs.ts';
import {stateRoutes} from './routes/state.ts';
import {type JudgeDelivery, webhookRoutes} from './routes/webhooks.ts';
import {StateText} from './state-text.ts';
import {removeSupervisorFile, writeSupervisorFile} from './supervisor-file.ts';

export interface DoorsOptions {
  readonly desk: FrontDesk;
  readonly stateDir: string;
  /** The listener that people know; null: only the one for our own commands. */
  readonly fixed: {
    readonly host: string;
    readonly port: number;
    readonly allowedHosts: readonly string[];
  } | null;
  readonly log: Log;
  readonly webhook: JudgeDelivery;
  /** Where the pages of the dashboard are. */
  readonly dashboardDir: string;
  readonly metrics?: MetricsPage;
}

/** Open listeners. */
export interface Doors extends AsyncDisposable {
  /** For our own commands: always there, and the token is asked for. */
  readonly controlUrl: string;
  /** The fixed one, with the dashboard. */
  readonly url: string | null;
}

const CONTROL_HOST = '127.0.0.1';

/** Throws `PortBusy` or `CannotListen`; nothing is open then. */
export async function openDoors(options: DoorsOptions): Promise<Doors> {
  const closing: Closing[] = [];
  try {
    const urls = await openAll(options, (close) => void closing.unshift(close));
    return {...urls, [Symbol.asyncDispose]: () => closeAll(closing)};
  } catch (error) {
    await closeAll(closing);
    throw error;
  }
}

type Closing = () => void | Promise<void>;

async function openAll(options: DoorsOptions, defer: (close: Closing) => void) {
  const {desk, stateDir, fixed, log} = options;
  const {token, path: tokenFile} = await takeControlToken(stateDir, log);
  const events = new EventStream(desk);
  defer(() => events[Symbol.dispose]());
  const table = tableOf(options, events);
  const open = async (rules: GateRules, port: number): Promise<string> => {
    const dashboard = rules.kind === 'fixed' ? new DashboardFiles(options.dashboardDir) : null;
    const app = await buildListener({table, rules, dashboard, log});
    defer(() => app.close());
    return listen(app, rules.host, port);
  };
  const url = fixed === null ? null : await open({...fixed, kind: 'fixed', token}, fixed.port);
  const control = {kind: 'control', host: CONTROL_HOST, allowedHosts: [], token} as const;
  const controlUrl = await open(control, 0);
  // Last of all: whoever finds it finds us.
  await writeSupervisorFile(stateDir, {
    ...{pid: process.pid, started_at: desk.snapshot.supervisor.started_at, url: controlUrl},
    ...{token_file: tokenFile, dashboard_url: url},
  });
  defer(() => removeSupervisorFile(stateDir, process.pid));
  return {controlUrl, url};
}

/** In the reverse order of their opening. */
async function closeAll(closing: Closing[]): Promise<void> {
  for (let close = closing.shift(); close !== undefined; close = closing.shift()) await close();
}

function tableOf({desk, webhook, metrics, log}: DoorsOptions, events: EventStream): RouteTable {
  const state = new StateText(desk);
  // Made when it is first asked for: nobody needs it to work.
  let description: string | null = null;
  const described = (): string => {
    description ??= JSON.stringify(describe(table.routes));
    return description;
  };
  const table = new RouteTable([
    ...stateRoutes(desk, state, events),
    ...issueRoutes(desk, state),
    ...runRoutes(desk),
    ...actionRoutes(desk),
    ...projectRoutes(desk, state),
    ...webhookRoutes(desk, webhook, log),
    ...aboutRoutes(described, metrics ?? null),
  ]);
  return table;
}

async function listen(app: FastifyInstance, host: string, port: number): Promise<string> {
  try {
    await app.listen({host, port});
  } catch (error) {
    throw CannotListen.from(error, host, port);
  }
  const address = app.server.address() as AddressInfo;
  const name = host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${address.port}`;
}
