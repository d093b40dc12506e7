import type {
  AgentSettings,
  DispatchRule,
  HookSettings,
  Issue,
  RunResult,
  TrackerSettings,
  Workflow,
} from '@symphony-supervisor/protocol';
import {NO_USAGE} from '@symphony-supervisor/protocol';
import {anIssue as anyIssue} from '../../../../test/rig/fixtures/issue.ts';
import {
  type Claim,
  type ClaimKey,
  type Counters,
  claimKey,
  LOCAL_HOST,
  NO_COUNTERS,
} from '../../src/core/claim.ts';
import type {Decision} from '../../src/core/draft.ts';
import type {Effect} from '../../src/core/effect.ts';
import type {Event} from '../../src/core/event.ts';
import {decide, emptyState, type State} from '../../src/core/index.ts';
import {resumed} from '../../src/core/life/resume.ts';

export const NOW = 1_000_000;

export function anIssue(fields: Partial<Issue> = {}): Issue {
  const id = fields.id ?? '1';
  return anyIssue({id, identifier: `ABC-${id}`, state: 'Todo', ...fields});
}

export interface Knobs {
  readonly name?: string;
  readonly tracker?: Partial<TrackerSettings>;
  readonly agent?: Partial<AgentSettings>;
  readonly hooks?: Partial<HookSettings>;
  readonly intervalMs?: number;
  readonly keepUnpushed?: boolean;
  readonly roles?: readonly RoleKnobs[];
}

interface RoleKnobs {
  readonly name: string;
  readonly when?: Partial<DispatchRule>;
  readonly agent?: Partial<AgentSettings>;
}

const NO_WEBHOOKS = {webhookPort: null, webhookHost: '127.0.0.1'};

export function aWorkflow(knobs: Knobs = {}): Workflow {
  const workflow = plainWorkflow(knobs);
  if (knobs.roles === undefined) return workflow;
  const {prompt, settings} = workflow;
  const roles = knobs.roles.map(({name, when, agent}) => ({
    ...{name, prompt, agent: {...settings.agent, ...agent}},
    when: when === undefined ? null : {...NO_RULE, ...when},
  }));
  return {...workflow, roles};
}

const NO_RULE: DispatchRule = {labels: null, states: null, priority: null, title: null};

/** An agent of another kind than that of the file. */
export const OTHER_KIND = 'claude';
export const OTHER_AGENT: Pick<AgentSettings, 'command' | 'options'> = {
  command: 'other-agent',
  options: {
    ...{kind: OTHER_KIND, permission_mode: 'acceptEdits', allowed_tools: [], disallowed_tools: []},
    ...{on_permission: 'deny', sandbox: 'auto', max_retries: 4},
  },
};

function codexOptions() {
  return {
    kind: 'codex' as const,
    approval_policy: 'never',
    thread_sandbox: 'workspace-write',
    turn_sandbox_policy: null,
  };
}

function plainWorkflow(knobs: Knobs): Workflow {
  return {
    path: '/project/WORKFLOW.md',
    prompt: {template: '', engine: null},
    settings: {
      name: knobs.name ?? 'p',
      tracker: {
        kind: 'memory',
        provider: {},
        secrets: {},
        secretNames: [],
        activeStates: ['Todo', 'In Progress'],
        terminalStates: ['Done'],
        unstartedStates: ['Todo'],
        requiredLabels: [],
        excludedLabels: [],
        inProgressState: null,
        handoffState: null,
        ...knobs.tracker,
      },
      polling: {intervalMs: knobs.intervalMs ?? 30_000},
      workspace: {root: '/workspaces', keepUnpushed: knobs.keepUnpushed ?? true},
      hooks: {
        afterCreate: null,
        beforeRun: null,
        afterRun: null,
        deliver: null,
        beforeRemove: null,
        timeoutMs: 60_000,
        ...knobs.hooks,
      },
      agent: {
        maxConcurrentAgents: 10,
        maxConcurrentAgentsByState: {},
        maxTurns: 20,
        maxRetryBackoffMs: 300_000,
        maxConsecutiveFailures: 5,
        maxRuns: 30,
        maxTokens: 0,
        maxIdleRuns: 3,
        maxIdleTurns: 2,
        env: [],
        shell: 'plain',
        command: 'codex app-server',
        model: null,
        effort: null,
        access: 'write',
        turnTimeoutMs: 3_600_000,
        readTimeoutMs: 5000,
        stallTimeoutMs: 300_000,
        onInput: 'hold',
        options: codexOptions(),
        ...knobs.agent,
      },
      server: {port: null, host: '127.0.0.1', allowedHosts: [], publicRead: false, ...NO_WEBHOOKS},
      logs: {maxRunBytes: 32_000_000, maxTotalBytes: 5_000_000_000},
    },
  };
}

export function aResult(fields: Partial<RunResult> = {}): RunResult {
  return {
    outcome: 'succeeded',
    failure: null,
    question: null,
    turns: 1,
    is_measured: true,
    usage: NO_USAGE,
    models: [],
    thread: {
      agent: 'codex',
      id: 'thread-1',
      workspace_path: '/workspaces/ABC-1',
      usage: NO_USAGE,
      prompt_digest: 'digest',
      turns: 1,
      ...{role: 'worker', phase: null, tools_digest: 'tools'},
    },
    evidence: {workspace_changed: true, issue_changed: false, tools_wrote: false},
    made: null,
    links: [],
    ...fields,
  };
}

/** Of a clean run that changed nothing. */
export const IDLE_RESULT = aResult({
  evidence: {workspace_changed: false, issue_changed: false, tools_wrote: false},
});

/** What most tests do not care about has a default. */
type Defaulted = 'at' | 'askedAt' | 'counters' | 'host';
type Happening = Event extends infer E
  ? E extends Event
    ? Omit<E, Defaulted> & Partial<Pick<E, Extract<keyof E, Defaulted>>>
    : never
  : never;

/** A supervisor in the hands of a test: events in, state and the orders that followed out. */
export class Table {
  state: State;
  now = NOW;
  /** The orders of the last event. */
  effects: readonly Effect[] = [];
  decision: Decision | null = null;
  /** Orders reads as a monotonic clock does: what is not told otherwise is asked for when it is answered. */
  asked = 0;
  readonly all: Effect[] = [];
  /** As the store has them: they outlive the claim. */
  readonly counters = new Map<ClaimKey, Counters>();

  constructor(maxAgents: number | null = null) {
    this.state = emptyState('life', maxAgents);
  }

  happens(event: Happening): readonly Effect[] {
    const counters = 'key' in event ? this.counters.get(event.key) : undefined;
    const askedAt = this.asked++;
    const known = {at: this.now, askedAt, counters: counters ?? NO_COUNTERS, host: LOCAL_HOST};
    const decision = this.decide({...known, ...event} as Event);
    this.decision = decision;
    this.state = decision.state;
    for (const [key, counted] of decision.touched.counters) this.counters.set(key, counted);
    this.effects = decision.effects;
    this.all.push(...decision.effects);
    return decision.effects;
  }

  protected decide(event: Event): Decision {
    return decide(this.state, event);
  }

  /** The supervisor is started again: `state` and `claims` are what its store has. */
  restart(state: State, claims: State['claims']): void {
    this.state = resumed(state, claims, this.now);
  }

  /** A project whose agent is known to be there, and whose tick has read these candidates. */
  project(knobs: Knobs, candidates: readonly Issue[]): readonly Effect[] {
    const name = knobs.name ?? 'p';
    this.happens({type: 'project.loaded', workflow: aWorkflow(knobs)});
    const result = {version: '1', logged_in: true, failure: null};
    this.happens({type: 'agent.probed', project: name, result});
    return this.happens({
      type: 'candidates.read',
      project: name,
      scope: 0,
      answer: {ok: true, value: candidates},
    });
  }

  claim(id = '1', project = 'p'): Claim | undefined {
    return this.state.claims.get(claimKey(project, id));
  }

  key(id = '1', project = 'p'): ClaimKey {
    return claimKey(project, id);
  }

  runId(id = '1', project = 'p'): string {
    const claim = this.claim(id, project);
    return claim !== undefined && 'run' in claim ? (claim.run?.id ?? '') : '';
  }

  /** Answers the read that precedes a launch, or follows an end. */
  reads(issue: Issue | null, id = issue?.id ?? '1', project = 'p'): readonly Effect[] {
    const [key, runId] = [this.key(id, project), this.runId(id, project)];
    return this.happens({type: 'issue.read', key, runId, answer: {ok: true, value: issue}});
  }

  /** Answers the read that comes before anything is deleted. */
  confirms(issue: Issue | null, id = issue?.id ?? '1'): readonly Effect[] {
    const answer = {ok: true, value: issue} as const;
    return this.happens({type: 'issue.read', key: this.key(id), runId: null, answer});
  }

  /** From reservation to a live runner in its workspace. */
  starts(issue: Issue, project = 'p'): void {
    this.reads(issue, issue.id, project);
    const [key, runId] = [this.key(issue.id, project), this.runId(issue.id, project)];
    this.happens({type: 'runner.started', key, runId, process: {pid: 42, startedAt: 'then'}});
    const report = {
      type: 'workspace',
      path: `/workspaces/${issue.identifier}`,
      created: true,
    } as const;
    this.happens({type: 'runner.reported', key, runId, report});
  }

  /** The runner says its result and goes. */
  ends(result: RunResult, id = '1', project = 'p'): readonly Effect[] {
    const [key, runId] = [this.key(id, project), this.runId(id, project)];
    this.happens({type: 'runner.reported', key, runId, report: {type: 'result', result}});
    return this.happens({type: 'runner.exited', key, runId, how: 'exit code 0'});
  }

  later(ms: number): void {
    this.now += ms;
  }
}

export function started(effects: readonly Effect[]): string[] {
  return effects.flatMap((effect) => (effect.do === 'start-run' ? [effect.key] : []));
}

export function reserved(effects: readonly Effect[]): string[] {
  return effects.flatMap((effect) => (effect.do === 'read-issue' ? [effect.issue.id] : []));
}

export function timers(effects: readonly Effect[]): Record<string, number> {
  return Object.fromEntries(
    effects.flatMap((effect) => (effect.do === 'set-timer' ? [[effect.timer, effect.at]] : [])),
  );
}
