import {randomUUID} from 'node:crypto';
import type {Issue, Workflow} from '@symphony-supervisor/protocol';
import {decide} from '../../core/decide.ts';
import type {Effect} from '../../core/effect.ts';
import type {Event, TrackerAnswer} from '../../core/event.ts';
import {ofProjects, resumed} from '../../core/life/resume.ts';
import {emptyState, type State} from '../../core/state.ts';
import type {Happening} from '../../shell/loop.ts';
import {TrackerThread} from '../../shell/trackers/tracker-thread.ts';
import {lookIntoStore} from '../client/look-into-store.ts';
import {EXIT, type ExitCode, ExitWith} from '../exit.ts';
import {bundle, stateDirFor} from '../places.ts';
import {goodWorkflows} from '../read-workflows.ts';
import type {RunOptions} from '../run/run-command.ts';
import {printJson} from '../table.ts';
import {describeBeyond, surveyAll} from './beyond-active.ts';
import {describePlan, planOf} from './plan.ts';

/**
 * What a tick would do, decided by the core from the store and one read of each tracker. Its
 * effects are printed and not carried out.
 */
export async function dryRun(given: readonly string[], options: RunOptions): Promise<ExitCode> {
  const {paths, workflows} = await goodWorkflows(given);
  const {loaded, isLive} = await lookIntoStore(stateDirFor(paths, options.stateDir));
  const now = Date.now();
  const empty = emptyState(randomUUID(), options.maxAgents ?? null);
  const names = workflows.map(({settings}) => settings.name);
  const claims: State['claims'] = ofProjects(loaded?.claims ?? new Map(), names);
  // Runs of a dead supervisor would be resumed; those of a running one are left alone.
  const asTheyAre = new Map([...claims].map(([key, claim]) => [key, {...claim, scope: 0}]));
  const before = isLive ? {...empty, claims: asTheyAre} : resumed(empty, claims, now);
  await using thread = new TrackerThread({
    filename: bundle('tracker-thread.js'),
    environment: process.env,
    onTrouble: (reason) => console.error(`warning: ${reason}`),
  });
  const {state, effects, failures} = await tick(
    before,
    workflows,
    loaded?.pausedProjects ?? [],
    thread,
    now,
  );
  const plan = planOf(before, state, effects, now);
  const beyond = await surveyAll(thread, workflows);
  if (options.json) printJson({...plan, ...beyond, failures});
  else console.log([describePlan(plan), ...describeBeyond(beyond)].join('\n\n'));
  const refusals = failures.filter(({isRefusal}) => isRefusal);
  if (refusals.length === workflows.length) throw refused(EXIT.trackerRefused, failures);
  if (failures.length > 0) throw refused(EXIT.unexpected, failures);
  return EXIT.fine;
}

interface ReadFailure {
  readonly project: string;
  readonly message: string;
  readonly isRefusal: boolean;
}

function refused(code: ExitCode, failures: readonly ReadFailure[]): ExitWith {
  const told = failures.map(({project, message}) => `${project}: ${message}`);
  return new ExitWith(code, `the tracker could not be read\n${told.join('\n')}`);
}

async function tick(
  before: State,
  workflows: readonly Workflow[],
  paused: readonly string[],
  thread: TrackerThread,
  at: number,
): Promise<{state: State; effects: readonly Effect[]; failures: readonly ReadFailure[]}> {
  let state = before;
  const effects: Effect[] = [];
  const failures: ReadFailure[] = [];
  const happens = (event: Happening): void => {
    const decision = decide(state, {...event, at} as Event);
    state = decision.state;
    effects.push(...decision.effects);
  };
  const read = async (
    project: string,
    issues: Promise<Awaited<ReturnType<TrackerThread['issuesByIds']>>>,
  ) => {
    const answer = await issues;
    if (answer.ok) return {ok: true, value: answer.value} as const;
    const {code, message} = answer.failure;
    const failure = {project, message: `${code}: ${message}`, isRefusal: code === 'tracker_auth'};
    failures.push(failure);
    return {ok: false, notBefore: null, ...failure} as const;
  };

  for (const workflow of workflows) {
    const {name, tracker} = workflow.settings;
    await thread.open(name, tracker);
    happens({type: 'project.loaded', workflow});
    const claimed = [...state.claims.values()].filter(({project}) => project === name);
    const ids = claimed.map(({issue}) => issue.id);
    if (ids.length > 0) {
      const answer: TrackerAnswer<readonly Issue[]> = await read(
        name,
        thread.issuesByIds(name, ids),
      );
      happens({type: 'claimed.read', project: name, scope: 0, ids, askedAt: 0, answer});
    }
    if (failures.some(({project}) => project === name)) continue;
    const answer = await read(name, thread.issuesByStates(name, tracker.activeStates));
    happens({type: 'candidates.read', project: name, scope: 0, askedAt: 0, answer});
  }
  // `doctor` checks the agent. It counts as available for all projects at once, so that all compete
  // for slots. A paused project would not be read by a tick; here its waiting issues are shown.
  const ready = [...state.projects].map(([name, project]) => {
    const isPaused = paused.includes(name);
    const agent = {is: 'ready', version: null} as const;
    const others = [...project.otherAgents].map(([kind, one]) => [kind, {...one, agent}] as const);
    return [name, {...project, isPaused, agent, otherAgents: new Map(others)}] as const;
  });
  state = {...state, projects: new Map(ready)};
  happens({type: 'supervisor.started'});
  return {state, effects, failures};
}
