import {
  parseWorkflow,
  type WorkflowContext,
  type WorkflowReading,
} from '@symphony-supervisor/protocol/workflow';
import {PROFILES} from '@symphony-supervisor/tracker';
import type {Chance} from '../surroundings/chance.ts';

export const CONTEXT: WorkflowContext = {
  env: {},
  profiles: PROFILES,
  tmpDir: '/tmp',
  homeDir: '/home/someone',
};

/** So low that issues come up against them. */
export const MAX_RUNS = 8;
export const MAX_IDLE_RUNS = 2;

/** What of a workflow file is changed now and then. */
interface Knobs {
  readonly agents: number;
  readonly todoAgents: number | null;
  readonly intervalMs: number;
  readonly part: number;
  readonly root: number;
  readonly stallMs: number;
  readonly onInput: 'hold' | 'fail';
  readonly handsOff: boolean;
  readonly marks: boolean;
  readonly failures: number;
}

const FIRST: Knobs = {
  agents: 3,
  todoAgents: 1,
  intervalMs: 180_000,
  part: 0,
  root: 0,
  stallMs: 300_000,
  onInput: 'hold',
  handsOff: false,
  marks: true,
  failures: 3,
};

/** The workflow files, as text: read by the same code as anybody's. */
export class WorkflowFiles {
  readonly projects = ['web', 'ops'] as const;
  readonly #texts = new Map<string, string>();

  constructor() {
    this.mend();
  }

  pathOf(project: string): string {
    return `/projects/${project}/WORKFLOW.md`;
  }

  read(path: string): WorkflowReading {
    return parseWorkflow(this.#texts.get(path) ?? '', {...CONTEXT, path});
  }

  textOf(path: string): string {
    return this.#texts.get(path) ?? '';
  }

  /** As they should be. */
  mend(): void {
    this.#write('web', FIRST);
    this.#write('ops', {
      ...FIRST,
      agents: 2,
      todoAgents: null,
      handsOff: true,
      marks: false,
      failures: 2,
    });
  }

  /** Whoever starts the supervisor looks to it that it can. */
  mendBroken(): void {
    const isGood = this.projects.every((project) => {
      const reading = this.read(this.pathOf(project));
      return reading.ok && reading.workflow.settings.name === project;
    });
    if (!isGood) this.mend();
  }

  /** Somebody saves one: mostly a good one. */
  edit(chance: Chance): void {
    const project = chance.of(this.projects);
    if (chance.is(25)) {
      const broken = chance.of(['---\ntracker: [', '---\ntracker: {kind: none}\n---\n', '']);
      this.#texts.set(this.pathOf(project), broken);
      return;
    }
    if (chance.is(5)) return this.#write('renamed', FIRST, this.pathOf(project));
    this.#write(project, {
      agents: chance.between(1, 4),
      todoAgents: chance.is(50) ? chance.between(0, 3) : null,
      intervalMs: chance.of([15_000, 120_000, 300_000]),
      part: chance.is(20) ? chance.between(1, 2) : 0,
      root: chance.is(20) ? 1 : 0,
      stallMs: chance.of([0, 60_000, 300_000]),
      onInput: chance.of(['hold', 'fail']),
      handsOff: chance.is(50),
      marks: chance.is(50),
      failures: chance.between(2, 4),
    });
  }

  #write(name: string, knobs: Knobs, path = this.pathOf(name)): void {
    const {todoAgents, handsOff, marks} = knobs;
    const text = `---
name: ${name}
tracker:
  kind: memory
  provider: {part: ${knobs.part}}
  terminal_states: [Done]
  excluded_labels: [parked]
${marks ? '  in_progress_state: In Progress\n' : ''}${handsOff ? '  handoff_state: Review\n' : ''}polling: {interval_ms: ${knobs.intervalMs}}
workspace: {root: /workspaces/${name}-${knobs.root}}
agent:
  max_concurrent_agents: ${knobs.agents}
  max_runs: ${MAX_RUNS}
  max_consecutive_failures: ${knobs.failures}
  max_idle_runs: ${MAX_IDLE_RUNS}
  max_tokens: 150000
${todoAgents === null ? '' : `  max_concurrent_agents_by_state: {todo: ${todoAgents}}\n`}codex:
  stall_timeout_ms: ${knobs.stallMs}
  on_input: ${knobs.onInput}
---
Do {{ issue.title }}.
`;
    this.#texts.set(path, text);
  }
}
