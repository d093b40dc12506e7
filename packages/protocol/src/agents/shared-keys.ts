import {setting} from '../workflow/keys/setting.ts';
import {anyInteger, oneOf, shellCommand, text, timeSpan} from '../workflow/keys/value-types.ts';

/** The settings that every kind of agent has, by the type of their values. */
export const sharedTypes = {
  command: shellCommand,
  model: text,
  effort: text,
  turn_timeout_ms: timeSpan,
  read_timeout_ms: timeSpan,
  stall_timeout_ms: anyInteger,
  on_input: oneOf('hold', 'fail'),
};

/** Where the file and the profile of the kind are silent. */
export const SHARED_DEFAULTS = {
  turn_timeout_ms: 3_600_000,
  read_timeout_ms: 5_000,
  stall_timeout_ms: 300_000,
  on_input: 'hold',
} as const;

/** The same as keys of the section `agent`. None has a fallback: an older spelling may stand for it. */
export const sharedKeys = {
  command: setting(
    sharedTypes.command,
    null,
    'Run by bash -c in the workspace (bash -lc with agent.shell: login).',
    'that of the kind',
  ),
  model: setting(sharedTypes.model, null, 'The model, if not the one that the agent would choose.'),
  effort: setting(sharedTypes.effort, null, "The model's reasoning effort."),
  turn_timeout_ms: setting(
    sharedTypes.turn_timeout_ms,
    null,
    'The longest silence within a turn.',
    String(SHARED_DEFAULTS.turn_timeout_ms),
  ),
  read_timeout_ms: setting(
    sharedTypes.read_timeout_ms,
    null,
    'The longest wait for an answer to a request.',
    String(SHARED_DEFAULTS.read_timeout_ms),
  ),
  stall_timeout_ms: setting(
    sharedTypes.stall_timeout_ms,
    null,
    'The longest time without a sign of life from a run; 0 or less turns it off.',
    String(SHARED_DEFAULTS.stall_timeout_ms),
  ),
  on_input: setting(
    sharedTypes.on_input,
    null,
    'When the agent asks a question: hold the issue for a person, or fail the run.',
    SHARED_DEFAULTS.on_input,
  ),
};
