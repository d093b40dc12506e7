import assert from 'node:assert/strict';
import type {Issue, TrackerSettings} from '@symphony-supervisor/protocol';
import type {Answer} from '../../src/answer.ts';
import {LinearTracker} from '../../src/linear/adapter.ts';
import {secretResolver} from '../../src/thread/secrets.ts';
import {FaultProxy} from '../servers/fault-proxy.ts';
import {KEY, LinearServer} from '../servers/linear-server.ts';
import {LinearWorld, type WorldIssue} from '../servers/linear-world.ts';

export const LIVE = new AbortController().signal;
export const WEBHOOK_SECRET = 'secret-of-the-webhook';

type Provider = Readonly<Record<string, unknown>>;

/** A world with one team, the server over it, a proxy before that, and our adapter at the end. */
export async function aLinear({
  provider = {},
  key = KEY,
  limitMs = 30_000,
  requiredLabels = [],
}: {
  provider?: Provider;
  key?: string;
  limitMs?: number;
  requiredLabels?: readonly string[];
} = {}) {
  const world = new LinearWorld();
  const team = world.addTeam('ENG');
  const server = await LinearServer.over(world);
  const proxy = await FaultProxy.before(server.url);
  const open = (more: Provider = {}) =>
    new LinearTracker(
      {
        ...settingsFor({endpoint: proxy.url.href, team_key: 'ENG', ...provider, ...more}),
        requiredLabels,
      },
      {
        resolveSecret: secretResolver({LINEAR_API_KEY: key, WEBHOOK: WEBHOOK_SECRET}),
        http: {limitMs, pauseMs: 1},
      },
    );
  const tracker = open();
  return {
    world,
    team,
    proxy,
    tracker,
    open,
    /** How many requests were sent so far, and what they asked. */
    operations: () => proxy.seen.map(({body}) => /(query|mutation) (\w+)/.exec(body)?.[2] ?? '?'),
    async [Symbol.asyncDispose]() {
      await tracker[Symbol.asyncDispose]();
      await proxy[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

export function settingsFor(provider: Provider): TrackerSettings {
  return {
    kind: 'linear',
    provider,
    secrets: {
      api_key: {from: 'env', name: 'LINEAR_API_KEY'},
      webhook_secret: {from: 'env', name: 'WEBHOOK'},
    },
    secretNames: ['LINEAR_API_KEY'],
    activeStates: ['Todo', 'In Progress'],
    terminalStates: ['Done'],
    unstartedStates: ['Todo'],
    requiredLabels: [],
    excludedLabels: [],
    inProgressState: null,
    handoffState: null,
  };
}

export function unwrap<T>(answer: Answer<T>): T {
  if (!answer.ok) assert.fail(`${answer.failure.code}: ${answer.failure.message}`);
  return answer.value;
}

export function codeOf(answer: Answer<unknown>): string {
  return answer.ok ? 'none' : answer.failure.code;
}

export function identifiers(answer: Answer<readonly Issue[]>): string[] {
  return unwrap(answer).map(({identifier}) => identifier);
}

/** The issue as our side knows it now. */
export async function known(tracker: LinearTracker, {id}: WorldIssue): Promise<Issue> {
  const [issue] = unwrap(await tracker.issuesByIds([id], LIVE));
  assert.ok(issue !== undefined);
  return issue;
}
