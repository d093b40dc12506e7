import {section, setting} from '../../workflow/keys/setting.ts';
import {oneOf, text, timeSpan, yesOrNo} from '../../workflow/keys/value-types.ts';
import {sharedTypes} from '../shared-keys.ts';
import {ACP_PRESET_NAMES} from './presets.ts';

/** The section `acp` of the front matter. */
export const acpSection = section(
  {
    command: setting(
      sharedTypes.command,
      null,
      'The same as `agent.command`.',
      'that of the preset; without one, required',
    ),
    preset: setting(
      oneOf(...ACP_PRESET_NAMES),
      null,
      'An agent whose habits are known. It brings its command, and how it is kept from running code of the repository.',
    ),
    mode: setting(
      text,
      null,
      "The mode of a conversation, in the agent's own word.",
      'the one that it starts in',
    ),
    permissions: setting(
      oneOf('allow', 'ask'),
      'allow',
      'What the agent asks permission for: `allow` it within `agent.access`, or refuse it and `ask` a person (`agent.on_input`).',
    ),
    trust_repository: setting(
      yesOrNo,
      false,
      'Let configuration of the agent that the repository brings take effect, code included.',
    ),
    start_timeout_ms: setting(
      timeSpan,
      60_000,
      'The longest wait for each answer until the conversation is open.',
    ),
  },
  'What only agents of the Agent Client Protocol know, for `agent.kind: acp`.',
);
