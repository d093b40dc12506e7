import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {readWorkflow} from '@symphony-supervisor/protocol/workflow';
import {AgentPuppet} from '@symphony-supervisor/scripts/puppet';
import {PROFILES} from '@symphony-supervisor/tracker';
import {type Listeners, openListeners} from '../../packages/orchestrator/src/http/index.ts';
import {Supervisor} from '../../packages/orchestrator/src/shell/supervisor.ts';
import {aProject} from '../rig/supervisor.ts';

const DIST = fileURLToPath(new URL('../../packages/orchestrator/dist', import.meta.url));
const EMPTY_HOME = fileURLToPath(new URL('../rig/empty-home', import.meta.url));

/** A real supervisor with its dashboard, a file tracker, and an agent that the test steers. */
export class Watched implements AsyncDisposable {
  readonly folder: string;
  readonly puppet: AgentPuppet;
  readonly #folder: AsyncDisposable;
  readonly #host: string;
  #life: {readonly supervisor: Supervisor; readonly listeners: Listeners} | null = null;
  #port = 0;

  static async start(
    issues: readonly string[],
    settings: Record<string, unknown> = {},
    host = '127.0.0.1',
  ): Promise<Watched> {
    const puppet = await AgentPuppet.listen();
    const watched = new Watched(puppet, await aProject(puppet.command, issues, settings), host);
    await watched.begin();
    return watched;
  }

  private constructor(puppet: AgentPuppet, folder: AsyncDisposable & {path: string}, host: string) {
    this.puppet = puppet;
    this.#host = host;
    this.folder = folder.path;
    this.#folder = folder;
  }

  /** Of the page; it says nothing to a browser that is not signed in. */
  get url(): string {
    return `http://127.0.0.1:${this.#port}/`;
  }

  /** Another one each time: it signs one browser in. */
  get link(): string {
    const link = this.#life?.listeners.makeLink() ?? null;
    if (link === null) throw new Error('the supervisor does not run');
    return link.url.replace('0.0.0.0', '127.0.0.1');
  }

  /** A life of the supervisor, always under the same address. */
  async begin(): Promise<void> {
    const {folder} = this;
    const context = {
      ...{env: process.env, profiles: PROFILES, tmpDir: folder, homeDir: folder},
      severalProjects: false,
    };
    const reading = await readWorkflow(join(folder, 'WORKFLOW.md'), context);
    if (!reading.ok) throw new Error(JSON.stringify(reading.errors));
    const stateDir = join(folder, '.symphony');
    const log = () => {};
    const supervisor = await Supervisor.start({
      ...{stateDir, logsRoot: join(stateDir, 'logs'), context, maxAgents: null, log},
      workflows: [reading.workflow],
      environment: {...process.env, HOME: EMPTY_HOME},
      runnerPath: join(DIST, 'runner.cjs'),
      trackerThreadPath: join(DIST, 'tracker-thread.js'),
    });
    const listeners = await openListeners({
      ...{api: supervisor.api, sessions: supervisor.sessions, stateDir, log},
      webhook: async () => ({is: 'unknown'}),
      screenWebhook: () => null,
      fixed: {host: this.#host, port: this.#port, allowedHosts: [], publicRead: false},
      dashboardDir: join(DIST, 'dashboard'),
    });
    this.#port = Number(new URL(listeners.url ?? '').port);
    this.#life = {supervisor, listeners};
  }

  async end(): Promise<void> {
    const life = this.#life;
    if (life === null) return;
    this.#life = null;
    await life.listeners[Symbol.asyncDispose]();
    life.supervisor.shutdown(10_000);
    await life.supervisor.ended;
    await life.supervisor[Symbol.asyncDispose]();
  }

  async addIssue(identifier: string, title: string, state: string): Promise<void> {
    const text = `---\nstate: ${state}\n---\n# ${title}\n`;
    await writeFile(join(this.folder, 'issues', `${identifier}.md`), text);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end();
    await this.puppet[Symbol.asyncDispose]();
    await this.#folder[Symbol.asyncDispose]();
  }
}
