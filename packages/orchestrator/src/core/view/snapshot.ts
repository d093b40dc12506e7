import {
  addUsage,
  type HeldRow,
  type KeptRow,
  type ProjectRow,
  profileOf,
  type RetryingRow,
  type RunningRow,
  type Snapshot,
  type StoppingRow,
  type WaitingRow,
} from '@symphony-supervisor/protocol';
import {claimKey, projectOf} from '../claim.ts';
import {blockOf, waitReasonOf} from '../dispatch/dispatch-block.ts';
import {unfitness} from '../dispatch/eligibility.ts';
import {Slots} from '../dispatch/slots.ts';
import {errorOf, type Project, type State} from '../state.ts';
import {
  dismissedRow,
  heldRow,
  iso,
  issueRef,
  keptRow,
  retryingRow,
  runningRow,
  stoppingRow,
} from './claim-rows.ts';

/** Facts that only the process knows. */
export type Surroundings = Pick<Snapshot['supervisor'], 'version' | 'pid' | 'started_at'> &
  Partial<Pick<Snapshot['supervisor'], 'left_processes' | 'login'>>;

/** Enough to see what is next; a list of thousands would be sent again with every change. */
const WAITING_SHOWN = 100;
const KEPT_SHOWN = 100;
const DISMISSED_SHOWN = 100;

/** The state as shown outside. Pure, and computed by time, not by event: see `Publisher`. */
export function snapshotOf(
  state: State,
  at: number,
  surroundings: Surroundings,
  waitingShown = WAITING_SHOWN,
): Snapshot {
  const rows = rowsOf(state);
  const slots = new Slots(state.claims, state.maxAgents, at);
  const projects = [...state.projects.values()].map((project) =>
    projectRow(state, project, slots, at),
  );
  const waiting = waitingRows(state, slots, at);
  const kept = keptRows(state);
  return {
    generated_at: iso(at),
    supervisor: {
      left_processes: [],
      login: null,
      ...surroundings,
      is_shutting_down: state.isShuttingDown,
      store_is_writable: state.storeIsWritable,
      slots: {used: slots.all, limit: state.maxAgents},
    },
    counts: {
      running: rows.running.length,
      stopping: rows.stopping.length,
      retrying: rows.retrying.length,
      held: rows.held.length,
      dismissed: rows.dismissed.length,
      waiting: waiting.length,
      kept: kept.length,
    },
    ...rows,
    dismissed: rows.dismissed.slice(0, DISMISSED_SHOWN),
    waiting: waiting.slice(0, waitingShown),
    kept: kept.slice(0, KEPT_SHOWN),
    codex_totals: totalsOf(state, at),
    rate_limits: state.rateLimits,
    polling: nextPoll(projects),
    projects,
    last_error: lastError(state),
  };
}

function rowsOf(state: State) {
  const rows = {
    running: [] as RunningRow[],
    stopping: [] as StoppingRow[],
    retrying: [] as RetryingRow[],
    held: [] as HeldRow[],
    dismissed: [] as HeldRow[],
  };
  for (const claim of state.claims.values()) {
    if (claim.is === 'running') rows.running.push(runningRow(state, claim));
    else if (claim.is === 'stopping') rows.stopping.push(stoppingRow(claim));
    else if (claim.is === 'retrying') rows.retrying.push(retryingRow(claim));
    else if (claim.is === 'held') rows.held.push(heldRow(claim));
    else rows.dismissed.push(dismissedRow(claim));
  }
  rows.retrying.sort((a, b) => (a.due_at < b.due_at ? -1 : 1));
  return rows;
}

/** Longest kept first. */
function keptRows({kept}: State): KeptRow[] {
  const rows = [...kept].flatMap(([key, workspaces]) =>
    workspaces.map((one) => keptRow(projectOf(key), one)),
  );
  return rows.sort((a, b) => (a.since < b.since ? -1 : 1));
}

/** In the order of dispatch, project by project. */
function waitingRows(state: State, slots: Slots, at: number): WaitingRow[] {
  return [...state.projects.values()].flatMap((project) =>
    project.candidates
      .filter(({id}) => !state.claims.has(claimKey(project.name, id)))
      .map((issue) => {
        const {role} = profileOf(project.workflow, issue);
        const unfit = unfitness(issue, project.workflow.settings.tracker);
        const waits = unfit ?? waitReasonOf(state, project, {issue, role}, slots, at);
        return {
          ...{...issueRef({issue, project: project.name}), role},
          reason: waits ?? 'next in line',
        };
      }),
  );
}

function projectRow(state: State, project: Project, slots: Slots, at: number): ProjectRow {
  const {settings, path} = project.workflow;
  return {
    name: project.name,
    workflow_path: path,
    tracker: {
      kind: settings.tracker.kind,
      not_before: project.notBefore === null ? null : iso(project.notBefore),
      budget: project.budget,
      malformed: project.malformed,
    },
    is_paused: project.isPaused,
    problem: project.problem,
    dispatch_block: blockOf(state, project, at),
    agent: agentOf(project.agent),
    other_agents: [...project.otherAgents].map(([kind, other]) => ({
      ...{kind, ...agentOf(other.agent)},
    })),
    slots: {used: slots.used(project.name), limit: settings.agent.maxConcurrentAgents},
    candidates: project.candidates.length,
    polling: pollingOf(project, at),
    last_error: errorOf(project),
  };
}

function agentOf(agent: Project['agent']): ProjectRow['agent'] {
  return {
    status: agent.is,
    version: agent.is === 'ready' ? agent.version : null,
    why: agent.is === 'blocked' ? agent.why : null,
    until: agent.is === 'blocked' ? iso(agent.until) : null,
  };
}

function pollingOf({poll, workflow}: Project, at: number): Snapshot['polling'] {
  return {
    checking: poll.is !== 'waiting',
    interval_ms: workflow.settings.polling.intervalMs,
    next_poll_in_ms: poll.is === 'waiting' ? Math.max(0, Math.round(poll.nextAt - at)) : null,
  };
}

function nextPoll(projects: readonly ProjectRow[]): Snapshot['polling'] {
  // A project that is being polled now comes first.
  const due = ({polling}: ProjectRow) => polling.next_poll_in_ms ?? -1;
  const [first] = projects.toSorted((a, b) => due(a) - due(b));
  return first?.polling ?? {checking: false, interval_ms: 0, next_poll_in_ms: null};
}

/** Over the lifetime of the store, including current runs. */
function totalsOf({totals, claims}: State, at: number): Snapshot['codex_totals'] {
  let {usage, secondsRunning} = totals;
  for (const claim of claims.values()) {
    // An ended run is already in the totals.
    if (claim.is !== 'running' && !(claim.is === 'stopping' && claim.step === 'runner')) continue;
    usage = addUsage(usage, claim.run.usage);
    secondsRunning += Math.max(0, at - claim.run.startedAt) / 1000;
  }
  const {input_tokens, output_tokens, total_tokens} = usage;
  return {input_tokens, output_tokens, total_tokens, seconds_running: secondsRunning};
}

function lastError(state: State): string | null {
  if (!state.storeIsWritable) return 'the store cannot be written; nothing is started';
  for (const project of state.projects.values()) {
    const told = project.problem ?? errorOf(project);
    if (told !== null) return state.projects.size > 1 ? `${project.name}: ${told}` : told;
  }
  return null;
}
