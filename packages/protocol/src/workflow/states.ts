import type {TrackerSettings} from '../settings.ts';
import type {TrackerProfile} from '../tracker-profile.ts';
import {stateKey} from '../wire/issue.ts';
import type {GivenSettings} from './keys/schema.ts';
import type {Findings} from './text/findings.ts';

type States = Pick<
  TrackerSettings,
  'activeStates' | 'terminalStates' | 'unstartedStates' | 'inProgressState' | 'handoffState'
>;

const ACTIVE = ['tracker', 'active_states'];
const TERMINAL = ['tracker', 'terminal_states'];
const IN_PROGRESS = ['tracker', 'in_progress_state'];
const HANDOFF = ['tracker', 'handoff_state'];

export function resolveStates(
  given: GivenSettings['tracker'],
  profile: TrackerProfile,
  findings: Findings,
): States {
  const terminalStates = distinct(given.terminal_states ?? profile.terminalStates);
  const wanted = distinct(given.active_states ?? profile.activeStates);
  const activeStates = wanted.filter((state) => !includes(terminalStates, state));
  const states = {
    activeStates,
    terminalStates,
    unstartedStates: profile.unstartedStates,
    inProgressState: given.in_progress_state,
    handoffState: given.handoff_state,
  };
  // Against a list that is itself in question, every answer would be a guess.
  if (!findings.isSound(ACTIVE) || !findings.isSound(TERMINAL)) return states;
  for (const state of wanted.filter((state) => !activeStates.includes(state))) {
    const key = given.active_states === null ? TERMINAL : ACTIVE;
    const message = `the state "${state}" is both active and terminal; it counts as terminal`;
    findings.warn('overlapping_states', key, message);
  }
  checkWrittenStates(states, profile, findings);
  return states;
}

/** The two states that we write ourselves. */
function checkWrittenStates(
  {activeStates, terminalStates, inProgressState, handoffState}: States,
  profile: TrackerProfile,
  findings: Findings,
): void {
  for (const [key, state] of [
    [IN_PROGRESS, inProgressState],
    [HANDOFF, handoffState],
  ] as const) {
    if (state !== null && !profile.canWrite) {
      const problem = `the tracker ${profile.kind} cannot write states; leave the key out`;
      findings.error('invalid_setting', key, `${findings.asGiven(key)}, but ${problem}`);
    }
  }
  if (!profile.canWrite) return;
  if (inProgressState !== null && !includes(activeStates, inProgressState)) {
    findings.reject(IN_PROGRESS, `an active state (${activeStates.join(', ')})`);
  }
  if (handoffState !== null && includes([...activeStates, ...terminalStates], handoffState)) {
    findings.reject(HANDOFF, 'a state that is neither active nor terminal');
  }
}

function includes(states: readonly string[], state: string): boolean {
  return states.some((other) => stateKey(other) === stateKey(state));
}

/** Each state once, in its first spelling. */
function distinct(states: readonly string[]): readonly string[] {
  const spellings = new Map<string, string>();
  for (const state of states) {
    if (!spellings.has(stateKey(state))) spellings.set(stateKey(state), state);
  }
  return [...spellings.values()];
}
