import type {SupervisorApi} from '../shell/api/supervisor-api.ts';
import type {Log} from '../shell/log.ts';
import type {SessionTable} from '../store/index.ts';
import type {GateRules} from './access/gate.ts';
import {LoginCodes} from './access/login-codes.ts';
import {Sessions} from './access/sessions.ts';
import {Tokens} from './access/tokens.ts';
import {DashboardFiles} from './answers/dashboard-files.ts';
import {EventStream} from './answers/event-stream.ts';
import {StateText} from './answers/state-text.ts';
import {describe} from './api/describe.ts';
import type {Access, Route} from './api/route.ts';
import {RouteTable} from './api/route-table.ts';
import {BodySlots} from './body-slots.ts';
import {listen} from './listen.ts';
import {buildListener} from './listener.ts';
import {CONTROL_HOST, openControl} from './open-control.ts';
import {aboutRoutes, type MetricsPage} from './routes/about.ts';
import {type AccessParts, accessRoutes} from './routes/access.ts';
import {actionRoutes} from './routes/actions.ts';
import {issueRoutes} from './routes/issues.ts';
import {projectRoutes} from './routes/projects.ts';
import {runRoutes} from './routes/runs.ts';
import {stateRoutes} from './routes/state.ts';
import {type JudgeDelivery, type ScreenDelivery, webhookRoutes} from './routes/webhooks.ts';
import {makeLink, type SignInLink} from './sign-in-link.ts';
import {removeSupervisorFile, writeSupervisorFile} from './supervisor-file.ts';

export interface ListenersOptions {
  readonly api: SupervisorApi;
  readonly stateDir: string;
  /** See `ControlOptions`. */
  readonly runtimeDir?: string | null;
  /** The fixed address; null: only the control listener. */
  readonly fixed: {
    readonly host: string;
    readonly port: number;
    readonly allowedHosts: readonly string[];
    readonly publicRead: boolean;
  } | null;
  readonly sessions: SessionTable;
  readonly log: Log;
  readonly webhook: JudgeDelivery;
  readonly screenWebhook: ScreenDelivery;
  /** A separate listener for webhooks; null: they use the fixed one. */
  readonly webhooks?: {readonly host: string; readonly port: number} | null;
  /** The folder of the dashboard's pages. */
  readonly dashboardDir: string;
  readonly metrics?: MetricsPage;
}

/** Open listeners. */
export interface Listeners extends AsyncDisposable {
  /** The control listener, always open. `unix://<path>`, or a port on loopback. */
  readonly controlUrl: string;
  /** The fixed one, with the dashboard. */
  readonly url: string | null;
  /** The one for webhooks alone. */
  readonly webhookUrl: string | null;
  /** A link that signs one browser in, once; null without a dashboard. */
  readonly makeLink: () => SignInLink | null;
}

/** Throws `PortBusy` or `CannotListen`; nothing is open then. */
export async function openListeners(options: ListenersOptions): Promise<Listeners> {
  const closing: Closing[] = [];
  try {
    const urls = await openAll(options, (close) => void closing.unshift(close));
    return {...urls, [Symbol.asyncDispose]: () => closeAll(closing)};
  } catch (error) {
    await closeAll(closing);
    throw error;
  }
}

type Closing = () => void | PromiseLike<void>;

async function openAll(options: ListenersOptions, defer: (close: Closing) => void) {
  const {api, stateDir, fixed, log} = options;
  const tokens = await Tokens.take(stateDir, log);
  const sessions = new Sessions(options.sessions, tokens);
  const codes = new LoginCodes();
  const events = new EventStream(api);
  defer(() => events[Symbol.dispose]());
  const slots = new BodySlots();
  const {webhooks = null} = options;
  const ownKind = webhooks === null ? 'fixed' : 'webhooks';
  const kindFor = (access: Access): GateRules['kind'][] =>
    access === 'signed' ? [ownKind] : ['fixed', 'control'];
  let url: string | null = null;
  let webhookUrl: string | null = null;
  const routes = routesOf(options, events, {
    ...{tokens, sessions, codes, log, endStreams: () => events.endAll(), dashboardUrl: () => url},
  });
  const build = (rules: GateRules) => {
    const dashboard = rules.kind === 'fixed' ? new DashboardFiles(options.dashboardDir) : null;
    const table = new RouteTable(routes.filter(({access}) => kindFor(access).includes(rules.kind)));
    return buildListener({table, rules, keyring: {tokens, sessions}, dashboard, slots, log});
  };
  if (fixed !== null) {
    const app = await build({...fixed, kind: 'fixed'});
    defer(() => app.close());
    url = await listen(app, fixed.host, fixed.port);
  }
  if (webhooks !== null) {
    const {host, port} = webhooks;
    const app = await build({kind: 'webhooks', host, allowedHosts: [], publicRead: false});
    defer(() => app.close());
    webhookUrl = await listen(app, host, port);
  }
  const control = await openControl({
    ...{stateDir, log, runtimeDir: options.runtimeDir ?? null},
    build: () => build({kind: 'control', host: CONTROL_HOST, allowedHosts: [], publicRead: false}),
  });
  defer(() => control[Symbol.asyncDispose]());
  // Written last: a client that finds the file finds open listeners.
  await writeSupervisorFile(stateDir, {
    ...{pid: process.pid, started_at: api.snapshot.supervisor.started_at, url: control.url},
    ...{token_file: tokens.controlFile, read_token_file: tokens.readFile, dashboard_url: url},
    webhook_url: webhookUrl,
  });
  defer(() => removeSupervisorFile(stateDir, process.pid));
  return {
    controlUrl: control.url,
    ...{url, webhookUrl},
    makeLink: () => (url === null ? null : makeLink(url, codes)),
  };
}

/** In the reverse order of their opening. */
async function closeAll(closing: Closing[]): Promise<void> {
  for (let close = closing.shift(); close !== undefined; close = closing.shift()) await close();
}

function routesOf(
  {api, webhook, screenWebhook, metrics, log}: ListenersOptions,
  events: EventStream,
  access: AccessParts,
): readonly Route[] {
  const state = new StateText(api);
  // Created on first use: nothing else depends on it.
  let description: string | null = null;
  const described = (): string => {
    description ??= JSON.stringify(describe(routes, access.sessions.cookieName));
    return description;
  };
  const routes: readonly Route[] = [
    ...stateRoutes(api, state, events),
    ...issueRoutes(api, state),
    ...runRoutes(api),
    ...actionRoutes(api),
    ...accessRoutes(access),
    ...projectRoutes(api, state),
    ...webhookRoutes(api, {screen: screenWebhook, judge: webhook}, log),
    ...aboutRoutes(described, metrics ?? null),
  ];
  return routes;
}
