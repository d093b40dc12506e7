import {mkdir, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import type {Snapshot} from '@symphony-supervisor/protocol';
import {readWorkflow} from '@symphony-supervisor/protocol/workflow';
import {AgentPuppet} from '@symphony-supervisor/scripts/puppet';
import {PROFILES} from '@symphony-supervisor/tracker';
import {aProject} from '../../../../test/rig/supervisor.ts';
import {type Listeners, type ListenersOptions, openListeners} from '../../src/http/index.ts';
import type {Metrics} from '../../src/metrics/index.ts';
import {type Outside, realOutside} from '../../src/shell/outside.ts';
import {Supervisor, type SupervisorOptions} from '../../src/shell/supervisor.ts';
import {type RawAnswer, type RawOptions, rawRequest} from './raw-request.ts';

const DIST = fileURLToPath(new URL('../../dist', import.meta.url));
const EMPTY_HOME = fileURLToPath(new URL('../../../../test/rig/empty-home', import.meta.url));

export interface ServedOptions {
  /** Issues in state Todo, by project; the first project is called `p`. */
  readonly issues?: readonly string[];
  readonly otherProject?: readonly string[];
  readonly listeners?: Partial<Omit<ListenersOptions, 'api' | 'stateDir'>>;
  readonly settings?: Record<string, unknown>;
  readonly metrics?: Metrics;
  /** Another world around it; also the place to put something into its state dir before it starts. */
  readonly outside?: (real: Outside, stateDir: string) => Promise<Outside>;
}

/** A real supervisor with its listeners open, a file tracker, and an agent that the test steers. */
export class Served implements AsyncDisposable {
  readonly folder: string;
  readonly puppet: AgentPuppet;
  readonly supervisor: Supervisor;
  readonly listeners: Listeners;
  readonly logged: string[];
  readonly #folders: readonly AsyncDisposable[];
  #isStopped = false;

  static async start(options: ServedOptions = {}): Promise<Served> {
    const puppet = await AgentPuppet.listen();
    const folders = [await aProject(puppet.command, options.issues ?? [], {...options.settings})];
    if (options.otherProject !== undefined) {
      const settings = {name: 'q', workspace: {root: './other'}};
      folders.push(await aProject(puppet.command, options.otherProject, settings));
    }
    const folder = folders[0]?.path ?? '';
    const context = {
      ...{env: process.env, profiles: PROFILES, tmpDir: folder, homeDir: folder},
      severalProjects: folders.length > 1,
    };
    const readings = await Promise.all(
      folders.map(({path}) => readWorkflow(join(path, 'WORKFLOW.md'), context)),
    );
    const stateDir = join(folder, '.symphony');
    const logged: string[] = [];
    const start: SupervisorOptions = {
      ...{stateDir, logsRoot: join(stateDir, 'logs'), context, maxAgents: null},
      workflows: readings.map((reading) => {
        if (!reading.ok) throw new Error(JSON.stringify(reading.errors));
        return reading.workflow;
      }),
      environment: {...process.env, HOME: EMPTY_HOME},
      runnerPath: join(DIST, 'runner.cjs'),
      trackerThreadPath: join(DIST, 'tracker-thread.js'),
      ...(options.metrics === undefined
        ? {}
        : {observe: options.metrics.onDecided, observeStore: options.metrics.onStore}),
      log: (level, fields, message) => {
        logged.push(JSON.stringify({level, ...fields, message}));
      },
    };
    const {outside = async (real: Outside) => real} = options;
    const supervisor = await Supervisor.start(start, await outside(realOutside(start), stateDir));
    const dashboardDir = join(folder, 'dashboard');
    await mkdir(dashboardDir);
    await writeFile(join(dashboardDir, 'index.html'), '<!doctype html><title>Symphony</title>');
    await writeFile(join(dashboardDir, 'app.js'), 'export {};');
    const listeners = await openListeners({
      api: supervisor.api,
      sessions: supervisor.sessions,
      stateDir,
      fixed: {host: '127.0.0.1', port: 0, allowedHosts: [], publicRead: false},
      log: (level, fields, message) => {
        logged.push(JSON.stringify({level, ...fields, message}));
      },
      webhook: async () => ({is: 'unknown'}),
      screenWebhook: () => null,
      dashboardDir,
      ...(options.metrics === undefined ? {} : {metrics: options.metrics}),
      ...options.listeners,
    });
    return new Served(folder, puppet, supervisor, listeners, logged, folders);
  }

  private constructor(
    folder: string,
    puppet: AgentPuppet,
    supervisor: Supervisor,
    listeners: Listeners,
    logged: string[],
    folders: readonly AsyncDisposable[],
  ) {
    this.folder = folder;
    this.puppet = puppet;
    this.supervisor = supervisor;
    this.listeners = listeners;
    this.logged = logged;
    this.#folders = folders;
  }

  get stateDir(): string {
    return join(this.folder, '.symphony');
  }

  /** The fixed listener. */
  get url(): string {
    if (this.listeners.url === null) throw new Error('there is no fixed listener');
    return this.listeners.url;
  }

  async token(): Promise<string> {
    return (await readFile(join(this.stateDir, 'control-token'), 'utf8')).trim();
  }

  /** With the token, on the fixed listener. */
  async ask(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = {authorization: `Bearer ${await this.token()}`, ...init.headers};
    return fetch(`${this.url}${path}`, {...init, headers});
  }

  /** The same with headers and paths that `fetch` does not send. */
  async raw(path: string, options: RawOptions = {}): Promise<RawAnswer> {
    const headers = {authorization: `Bearer ${await this.token()}`, ...options.headers};
    return rawRequest(this.url, path, {...options, headers});
  }

  async order(path: string, body: unknown = {}): Promise<Response> {
    const headers = {'content-type': 'application/json'};
    return this.ask(path, {method: 'POST', headers, body: JSON.stringify(body)});
  }

  /** Resolves when the state is as wished. */
  async until(fits: (snapshot: Snapshot) => boolean): Promise<Snapshot> {
    const {api} = this.supervisor;
    return new Promise((resolve) => {
      const look = (snapshot: Snapshot) => {
        if (!fits(snapshot)) return;
        watch[Symbol.dispose]();
        resolve(snapshot);
      };
      const watch = api.watch(({snapshot}) => look(snapshot));
      look(api.snapshot);
    });
  }

  /** In order, as a signal would end it. */
  async stop(): Promise<void> {
    if (this.#isStopped) return;
    this.#isStopped = true;
    await this.listeners[Symbol.asyncDispose]();
    this.supervisor.shutdown(10_000);
    await this.supervisor.ended;
    await this.supervisor[Symbol.asyncDispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await this.puppet[Symbol.asyncDispose]();
    for (const folder of this.#folders) await folder[Symbol.asyncDispose]();
  }
}
