import * as z from 'zod/mini';
import {AgentAccess, type AgentKind} from '../../agents/agent-job.ts';
import {AGENT_PROFILES, DEFAULT_KIND} from '../../agents/profiles.ts';
import {AGENT_SECTIONS} from '../../agents/sections.ts';
import {sharedKeys} from '../../agents/shared-keys.ts';
import {section, setting} from './setting.ts';
import {
  count,
  countByState,
  filePath,
  hostNames,
  labels,
  limit,
  map,
  oneOf,
  port,
  projectName,
  shellScript,
  states,
  text,
  timeSpan,
  variableNames,
  yesOrNo,
} from './value-types.ts';

/**
 * Every key of the front matter. Checks, complaints, the list of known keys, the JSON Schema and the
 * docs are all taken from here.
 */
export const frontMatterSchema = z.object({
  name: setting(projectName, null, "The project's name.", "the name of the workflow file's folder"),

  tracker: section(
    {
      kind: setting(
        text,
        null,
        'Where the issues are: file, linear, github or memory.',
        'required',
      ),
      provider: setting(map, {}, "The adapter's own settings; unknown keys are kept."),
      active_states: setting(states, null, 'Issues in these states are work.', "the adapter's"),
      terminal_states: setting(states, null, 'Issues in these states are over.', "the adapter's"),
      required_labels: setting(
        labels,
        [],
        'All must be present; case and outer blanks do not matter, and a blank entry matches nothing.',
      ),
      excluded_labels: setting(labels, [], 'None may be present.'),
      in_progress_state: setting(
        text,
        null,
        'Written to the issue before its agent starts. Must be an active state.',
      ),
      handoff_state: setting(
        text,
        null,
        'Written after a clean run whose issue is still active. Must be neither active nor terminal.',
      ),
    },
    'The issue tracker, and which of its issues are work.',
  ),

  polling: section(
    {interval_ms: setting(timeSpan, 30_000, 'Time from one poll of the tracker to the next.')},
    'How often the tracker is asked.',
  ),

  workspace: section(
    {
      root: setting(
        filePath,
        null,
        'The folder that holds a workspace for each issue.',
        '<tmp>/symphony_workspaces; with several projects, a folder of its name below it for each',
      ),
      keep_unpushed: setting(
        yesOrNo,
        true,
        'Keep the workspace of a finished issue that holds commits or files which are nowhere else.',
      ),
    },
    'Where agents work.',
  ),

  hooks: section(
    {
      after_create: setting(shellScript, null, 'Runs in a workspace that was just created.'),
      before_run: setting(shellScript, null, 'Runs before each attempt, which fails if it fails.'),
      after_run: setting(shellScript, null, 'Runs after each attempt, however it ended.'),
      deliver: setting(
        shellScript,
        null,
        'Runs after `after_run` of a clean run that changed the workspace since the last delivery. ' +
          'Until it has succeeded, nothing is handed off or removed.',
      ),
      before_remove: setting(shellScript, null, 'Runs before a workspace is deleted.'),
      timeout_ms: setting(timeSpan, 60_000, 'The longest that a hook may run.'),
    },
    'Shell scripts around the life of a workspace.',
  ),

  agent: section(
    {
      kind: setting(
        oneOf(...(Object.keys(AGENT_PROFILES) as AgentKind[])),
        DEFAULT_KIND,
        'Which coding agent works.',
      ),
      ...sharedKeys,
      access: setting(
        oneOf(...AgentAccess.options),
        'write',
        'What the agent may do to its workspace: `write` all of it, write documents but no commits (`artifact`), or only `read`.',
      ),
      max_concurrent_agents: setting(count, 10, 'Agents at work at the same time.'),
      max_concurrent_agents_by_state: setting(
        countByState,
        {},
        "The same for issues in one state; case and outer blanks of a state's name do not matter.",
      ),
      max_turns: setting(count, 20, 'Turns in one run.'),
      max_retry_backoff_ms: setting(timeSpan, 300_000, 'The longest wait before a retry.'),
      max_consecutive_failures: setting(
        limit,
        5,
        'Failures in a row, after which an issue is held; 0 is no limit.',
      ),
      max_runs: setting(
        limit,
        30,
        'Runs of one issue in all, after which it is held; 0 is no limit.',
      ),
      max_tokens: setting(
        limit,
        0,
        'Tokens of one issue in all, after which it is held; 0 is no limit.',
        '0 (no limit)',
      ),
      max_idle_runs: setting(
        limit,
        3,
        'Clean runs in a row that changed nothing, after which an issue is held; 0 is no limit.',
      ),
      max_idle_turns: setting(
        limit,
        2,
        'Turns in a row that changed neither workspace nor issue, after which a run ends; 0 is no limit. ' +
          'With `tracker.handoff_state` one such turn after a turn that changed something is enough.',
      ),
      env: setting(
        variableNames,
        [],
        'Further variables that the agent gets; "*" is all. Secrets of the tracker are never passed on.',
      ),
      shell: setting(
        oneOf('plain', 'login'),
        'plain',
        'plain: hooks and agents get the environment that a login shell had once, at the start of the supervisor. login: each of them is started by a login shell, which reads the profile each time.',
      ),
    },
    'The coding agent: how it is started, how many work, how long, and when to give up.',
  ),

  ...AGENT_SECTIONS,

  prompt: section(
    {
      engine: setting(
        oneOf('mustache', 'liquid'),
        null,
        'What renders the prompt.',
        'liquid if the text uses its tags or filters, else mustache',
      ),
    },
    'How the text below the front matter is read.',
  ),

  server: section(
    {
      port: setting(port, null, 'A fixed port for API and dashboard; 0 is any free one.', 'off'),
      host: setting(text, '127.0.0.1', 'The address to listen on.'),
      allowed_hosts: setting(hostNames, [], 'Further host names that requests may be sent to.'),
      public_read: setting(yesOrNo, false, 'On loopback, reading needs no token.'),
      webhook_port: setting(
        port,
        null,
        'A port for webhooks alone, which are then not served elsewhere.',
        'webhooks are served at server.port',
      ),
      webhook_host: setting(text, '127.0.0.1', 'The address that webhook_port listens on.'),
    },
    'API and dashboard. With several projects, the first file decides.',
  ),

  logs: section(
    {
      max_run_mb: setting(
        count,
        32,
        'The largest transcript of one run, in megabytes; of more its beginning and its end are kept.',
      ),
      max_total_mb: setting(
        count,
        5000,
        'All logs together, in megabytes; the oldest transcripts go first, also when the disk is short.',
      ),
    },
    'How much room logs may take. With several projects, the first file decides.',
  ),
});

/** The front matter with every default in place; tracker and environment are not yet asked. */
export type GivenSettings = z.infer<typeof frontMatterSchema>;
