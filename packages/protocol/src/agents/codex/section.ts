import type * as z from 'zod/mini';
import {section, setting} from '../../workflow/keys/setting.ts';
import {map, text, type ValueType} from '../../workflow/keys/value-types.ts';
import {sharedTypes} from '../shared-keys.ts';
import {approvalPolicy} from './words.ts';

/** The section `codex` of the front matter: Codex's own keys, and older spellings of shared ones. */
export const codexSection = section(
  {
    command: alias('command', sharedTypes.command, 'codex app-server'),
    model: alias('model', sharedTypes.model),
    effort: alias('effort', sharedTypes.effort),
    approval_policy: setting(approvalPolicy, 'never', "Codex's own value, passed through."),
    thread_sandbox: setting(
      text,
      null,
      "Codex's own value, passed through.",
      'workspace-write; read-only with agent.access: read',
    ),
    turn_sandbox_policy: setting(
      map,
      null,
      "Codex's own value, passed through.",
      'workspace-write: the workspace, its .git and a private TMPDIR writable, no network',
    ),
    turn_timeout_ms: alias('turn_timeout_ms', sharedTypes.turn_timeout_ms),
    read_timeout_ms: alias('read_timeout_ms', sharedTypes.read_timeout_ms),
    stall_timeout_ms: alias('stall_timeout_ms', sharedTypes.stall_timeout_ms),
    on_input: alias('on_input', sharedTypes.on_input),
  },
  'What only Codex knows, for `agent.kind: codex`.',
);

function alias<S extends z.ZodMiniType>(
  key: string,
  type: ValueType<S>,
  defaultText: string | null = null,
) {
  return setting(type, null, `The same as \`agent.${key}\`.`, defaultText);
}
