import {sameState, type TrackerSettings, type Workflow} from '@symphony-supervisor/protocol';
import type {Survey, TrackerFailure, TrackerWarning} from '@symphony-supervisor/tracker';
import {TrackerThread} from '../../shell/trackers/tracker-thread.ts';
import {addressOf, trackerPage} from '../documentation.ts';
import {bundle} from '../places.ts';
import {type Check, fail, ok, warn} from './check.ts';

/** Compares the workflow file with the tracker. Needs the same rights as a tick. */
export async function checkTracker({settings}: Workflow): Promise<Check[]> {
  const {name, tracker} = settings;
  await using thread = new TrackerThread({
    filename: bundle('tracker-thread.js'),
    environment: process.env,
    onTrouble: () => {},
  });
  const opened = await thread.open(name, tracker);
  const surveyed = opened.ok ? await thread.survey(name) : opened;
  if (!surveyed.ok) return [refused(tracker.kind, surveyed.failure)];
  return compare(tracker, surveyed.value, surveyed.warnings);
}

export function compare(
  tracker: TrackerSettings,
  survey: Survey,
  warnings: readonly TrackerWarning[] = [],
): Check[] {
  if (survey.found === null) return [notFound(tracker, survey.others)];
  return [
    ok('tracker', `${tracker.kind}: ${survey.found}`),
    ...checkStates(tracker, survey.states),
    ...checkLabels(survey.missingLabels),
    checkCounts(tracker, survey),
    ...warnings.map(unreadable),
  ];
}

/** The rights that a credential needs, by tracker. */
const RIGHTS: Readonly<Record<string, string>> = {
  linear:
    'create a personal API key with the permissions Read and Write (Linear: Settings, Security & access)',
  github:
    'create a fine-grained token for this repository with Issues: read and write, Metadata: read, ' +
    'and Projects: read and write if the state comes from a project',
};

const REMEDIES: Readonly<Record<string, string>> = {
  missing_tracker_secret: 'set the variable, or create the file, that the workflow names',
  tracker_request: 'check the address in tracker.provider, the network, and proxy variables',
  tracker_rate_limited: 'wait, or use a separate key for the supervisor',
  tracker_status: 'check the names in tracker.provider and the permissions of the key',
  invalid_tracker_config: 'correct tracker.provider in the workflow file',
};

function refused(kind: string, {code, message}: TrackerFailure): Check {
  const ofFile = 'create the folder, or set tracker.provider.path to the folder of your issues';
  const ofKey = `${RIGHTS[kind] ?? 'create a new key'}; then set the variable or the file with it; ${trackerPage(kind)}`;
  const remedy =
    code === 'tracker_auth'
      ? ofKey
      : kind === 'file'
        ? ofFile
        : (REMEDIES[code] ?? `look the code up: ${addressOf('failures')}`);
  return fail('tracker', `${kind}: ${code}: ${message}`, remedy);
}

function notFound({kind, provider}: TrackerSettings, others: readonly string[]): Check {
  const given = String(provider.repo ?? provider.project_slug ?? provider.team_key ?? '');
  const seen = others.length === 0 ? '' : `; the key can see: ${others.join(', ')}`;
  const key = kind === 'github' ? 'repo' : provider.project_slug ? 'project_slug' : 'team_key';
  const remedy = `correct tracker.provider.${key}, or use a key that can see it: ${RIGHTS[kind] ?? ''}`;
  return fail(
    'tracker',
    `${kind}: "${given}" does not exist or is not visible to this key${seen}`,
    remedy,
  );
}

function checkStates(tracker: TrackerSettings, states: readonly string[] | null): Check[] {
  if (states === null) return [];
  const lacks = (state: string) => !states.some((other) => sameState(other, state));
  const there = `existing states: ${states.join(', ')}`;
  const checks: Check[] = [];
  const noActive = tracker.activeStates.filter(lacks);
  if (noActive.length > 0) {
    const found = `active_states: no state ${quoted(noActive)}; ${there}`;
    const remedy = 'set tracker.active_states to names of existing states';
    const isHopeless = noActive.length === tracker.activeStates.length;
    checks.push(isHopeless ? fail('states', found, remedy) : warn('states', found, remedy));
  }
  for (const [key, state] of [
    ['in_progress_state', tracker.inProgressState],
    ['handoff_state', tracker.handoffState],
  ] as const) {
    if (state === null || !lacks(state)) continue;
    const remedy = `set tracker.${key} to an existing state, or remove it`;
    checks.push(fail('states', `${key}: no state ${quoted([state])}; ${there}`, remedy));
  }
  if (tracker.terminalStates.every(lacks)) {
    const found = `terminal_states: no state ${quoted(tracker.terminalStates)}; ${there}`;
    const remedy = 'set tracker.terminal_states: workspaces are removed when an issue reaches one';
    checks.push(warn('states', found, remedy));
  }
  return checks.length > 0 ? checks : [ok('states', states.join(', '))];
}

function checkLabels(missing: readonly string[]): Check[] {
  if (missing.length === 0) return [];
  const remedy = 'create them in the tracker, or correct required_labels and state_labels';
  return [warn('labels', `the tracker has no label ${quoted(missing)}`, remedy)];
}

function checkCounts(tracker: TrackerSettings, {counts, isPartial}: Survey): Check {
  const isActive = (state: string) => tracker.activeStates.some((other) => sameState(other, state));
  const told = (of: Survey['counts']) =>
    of.map(({state, count}) => `${state} ${count}`).join(', ') || 'none';
  const work = counts.filter(({state}) => isActive(state));
  const others = counts.filter(({state}) => !isActive(state));
  const more = isPartial ? ' (there are more)' : '';
  const found = `in active states: ${told(work)}; in others: ${told(others)}${more}`;
  if (work.length > 0 || counts.length === 0) return ok('issues', found);
  const remedy = `move an issue to ${tracker.activeStates.join(' or ')}, or change tracker.active_states`;
  return warn('issues', found, remedy);
}

function unreadable({count, examples}: TrackerWarning): Check {
  const more = count > examples.length ? `; and ${count - examples.length} more` : '';
  return warn('issues', `${count} cannot be read: ${examples.join('; ')}${more}`, 'correct them');
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ');
}
