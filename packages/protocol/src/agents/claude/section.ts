import {section, setting} from '../../workflow/keys/setting.ts';
import {limit, oneOf, text, toolRules} from '../../workflow/keys/value-types.ts';

/** The section `claude` of the front matter. */
export const claudeSection = section(
  {
    permission_mode: setting(
      text,
      null,
      "Claude Code's own value, passed through.",
      'acceptEdits; manual with agent.access: read',
    ),
    allowed_tools: setting(
      toolRules,
      [],
      'Tools that it may use without asking, in addition to its shell and our tools: `WebFetch`, `Bash(git push:*)`. A bare `Write` or `Edit` allows changes outside the workspace, too.',
    ),
    disallowed_tools: setting(toolRules, [], 'Tools, or uses of them, that are always refused.'),
    on_permission: setting(
      oneOf('deny', 'ask'),
      'deny',
      'When it asks for a permission that the settings above do not give: refuse it, and the turn goes on; or ask a person, as with a question.',
    ),
    sandbox: setting(
      oneOf('auto', 'on', 'off'),
      'auto',
      'Its own sandbox around shell commands, which needs bubblewrap and socat: used where both are installed, always (a run without it fails), or never.',
    ),
    max_retries: setting(
      limit,
      4,
      'How often it repeats a failed request to the model before the turn fails. The pauses double: 4 take about 8 seconds, 10 about 3 minutes.',
    ),
  },
  'What only Claude Code knows, for `agent.kind: claude`.',
);
