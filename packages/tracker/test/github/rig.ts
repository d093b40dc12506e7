import assert from 'node:assert/strict';
import type {Issue, TrackerSettings} from '@symphony-supervisor/protocol';
import type {Answer, TrackerFailure} from '../../src/answer.ts';
import {GithubTracker} from '../../src/github/adapter.ts';
import {secretResolver} from '../../src/thread/secrets.ts';
import {soon, unwrap} from '../file/folder-of-issues.ts';
import {FaultProxy} from '../servers/fault-proxy.ts';
import {GithubServer} from '../servers/github-server.ts';
import {GithubWorld} from '../servers/github-world.ts';

export const STATE_LABELS = {
  Todo: 'status:todo',
  'In Progress': 'status:doing',
  Review: 'status:review',
  Done: 'status:done',
};

/** Settings with labels or a project as the source of states. */
export const BOARD = {
  activeStates: ['Todo', 'In Progress'],
  terminalStates: ['Done', 'closed'],
};

export function githubSettings(
  provider: Record<string, unknown> = {},
  more: Partial<TrackerSettings> = {},
): TrackerSettings {
  return {
    kind: 'github',
    provider: {repo: 'Acme/widgets', ...provider},
    secrets: {
      api_key: {from: 'env', name: 'GITHUB_TOKEN'},
      webhook_secret: {from: 'value', value: 'a-secret-for-hooks'},
    },
    secretNames: ['GITHUB_TOKEN'],
    activeStates: ['open'],
    terminalStates: ['closed'],
    unstartedStates: ['open', 'Todo'],
    requiredLabels: [],
    excludedLabels: [],
    inProgressState: null,
    handoffState: null,
    ...more,
  };
}

/** A world, its server, the proxy in front of it and a tracker that talks to the proxy. */
export class GithubRig implements AsyncDisposable {
  readonly world: GithubWorld;
  readonly proxy: FaultProxy;
  readonly #server: GithubServer;
  readonly #trackers: GithubTracker[] = [];
  /** For trackers from now on: short where nobody will answer, and else as long as it takes. */
  limitMs = 30_000;

  private constructor(world: GithubWorld, server: GithubServer, proxy: FaultProxy) {
    this.world = world;
    this.#server = server;
    this.proxy = proxy;
  }

  static async start(fill: (world: GithubWorld) => void = () => {}): Promise<GithubRig> {
    const world = new GithubWorld();
    fill(world);
    const server = await GithubServer.of(world);
    return new GithubRig(world, server, await FaultProxy.before(server.url));
  }

  tracker(
    provider: Record<string, unknown> = {},
    more: Partial<TrackerSettings> = {},
    token = this.world.token,
  ): GithubTracker {
    const settings = githubSettings({api_url: this.proxy.url.href, ...provider}, more);
    const tracker = new GithubTracker(settings, {
      resolveSecret: secretResolver({GITHUB_TOKEN: token}),
      http: {limitMs: this.limitMs, pauseMs: 1},
    });
    this.#trackers.push(tracker);
    return tracker;
  }

  /** Paths that were asked for since the last look, without the repository. */
  asked(): string[] {
    const paths = this.proxy.seen.map(({method, path}) => `${method} ${path}`);
    this.proxy.seen.length = 0;
    return paths.map((path) => path.replace('/repos/Acme/widgets', ''));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const tracker of this.#trackers) await tracker[Symbol.asyncDispose]();
    await this.proxy[Symbol.asyncDispose]();
    await this.#server[Symbol.asyncDispose]();
  }
}

export async function byState(tracker: GithubTracker, ...states: string[]): Promise<string[]> {
  const issues = unwrap(await tracker.issuesByStates(states, soon()));
  return issues.map(({id, state}) => `${id} ${state}`);
}

export async function issueOf(tracker: GithubTracker, id: string): Promise<Issue> {
  const [issue] = unwrap(await tracker.issuesByIds([id], soon()));
  assert.ok(issue !== undefined, `there is no issue ${id}`);
  return issue;
}

/** The failure, which must not hold the token. */
export function failureOf(answer: Answer<unknown>, {token}: GithubWorld): TrackerFailure {
  assert.ok(!answer.ok, 'it should have failed');
  assert.ok(!JSON.stringify(answer.failure).includes(token));
  return answer.failure;
}
