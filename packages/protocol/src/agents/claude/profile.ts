import {nearest} from '../../nearest.ts';
import type {Findings} from '../../workflow/text/findings.ts';
import type {AgentAccess} from '../agent-job.ts';
import type {AgentProfile} from '../profile.ts';
import type {GivenSections} from '../sections.ts';
import type {ClaudeOptions} from './options.ts';
import {PERMISSION_MODES} from './words.ts';

type Given = GivenSections['claude'];

/** Modes in which Claude Code uses its tools without asking. */
const UNASKED = ['acceptEdits', 'auto', 'bypassPermissions'];

/** Modes and tools that let an agent do more than `agent.access` says. */
const WIDER: Readonly<
  Record<AgentAccess, {readonly modes: readonly string[]; readonly tools: readonly string[]}>
> = {
  write: {modes: [], tools: []},
  artifact: {modes: ['auto', 'bypassPermissions'], tools: ['Bash']},
  read: {modes: UNASKED, tools: ['Bash', 'Edit', 'Write', 'NotebookEdit', 'MultiEdit']},
};

export const claudeProfile: AgentProfile = {
  name: 'Claude Code',
  // It answers in about a second; on a busy machine that starts several agents at once it takes longer.
  defaults: {command: 'claude', read_timeout_ms: 30_000},
  example: `# claude:
#   permission_mode: acceptEdits # Claude Code's own word
#   allowed_tools: []            # without asking, beside its shell and the tracker's tools: [WebFetch]
#   sandbox: auto                # around shell commands; needs bubblewrap and socat`,
  resolve({claude: given}, access, findings): ClaudeOptions {
    checkMode(given, access, findings);
    for (const [index, rule] of given.allowed_tools.entries()) {
      if (!WIDER[access].tools.includes(rule)) continue;
      reject(['claude', 'allowed_tools', index], access, findings);
    }
    return {
      ...given,
      kind: 'claude',
      permission_mode: given.permission_mode ?? (access === 'read' ? 'manual' : 'acceptEdits'),
      allowed_tools: [...given.allowed_tools],
      disallowed_tools: [...given.disallowed_tools],
    };
  },
};

function checkMode(given: Given, access: AgentAccess, findings: Findings): void {
  const {permission_mode: mode} = given;
  if (mode === null) return;
  const key = ['claude', 'permission_mode'];
  if (WIDER[access].modes.includes(mode)) return reject(key, access, findings);
  if (PERMISSION_MODES.includes(mode)) return;
  const meant = nearest(mode, PERMISSION_MODES);
  const hint = meant === null ? '' : `; did you mean ${meant}?`;
  const message = `${findings.asGiven(key)}, which Claude Code does not know; it knows ${PERMISSION_MODES.join(', ')}${hint}`;
  findings.warn('unknown_value', key, message);
}

function reject(key: (string | number)[], access: AgentAccess, findings: Findings): void {
  const message = `${findings.asGiven(key)}, which allows more than agent.access: ${access}; leave one of them out`;
  findings.error('invalid_setting', key, message);
}
