import * as z from 'zod/mini';
import {AgentAccess, type AgentKind} from '../../agents/agent-job.ts';
import {AGENT_PROFILES, DEFAULT_KIND} from '../../agents/profiles.ts';
import {AGENT_SECTIONS} from '../../agents/sections.ts';
import {sharedKeys} from '../../agents/shared-keys.ts';
import {roleSections} from './role-section.ts';
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
 * Every key of the front matter. Checks, messages, the list of known keys, the JSON Schema and the
 * docs are all derived from it.
 */
export const frontMatterSchema = z.object({
  name: setting(projectName, null, "The project's name.", "the name of the workflow file's folder"),

  tracker: section(
    {
      kind: setting(
        text,
        null,
        'The tracker of the issues: file, linear, github or memory.',
        'required',
      ),
      provider: setting(map, {}, "The adapter's own settings; unknown keys are kept."),
      active_states: setting(
        states,
        null,
        'Issues in these states are worked on.',
        "the adapter's",
      ),
      terminal_states: setting(
        states,
        null,
        'Issues in these states are finished.',
        "the adapter's",
      ),
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
    'The issue tracker, and which of its issues are worked on.',
  ),

  polling: section(
    {interval_ms: setting(timeSpan, 30_000, 'Time from one poll of the tracker to the next.')},
    'How often the tracker is polled.',
  ),

  workspace: section(
    {
      root: setting(
        filePath,
        null,
        'The folder that holds a workspace for each issue.',
        '<tmp>/symphony_workspaces; with several projects, each has a subfolder of its name',
      ),
      keep_unpushed: setting(
        yesOrNo,
        true,
        'Keep the workspace of a finished issue if it holds the only copy of commits or files.',
      ),
    },
    'Where agents work.',
  ),

  hooks: section(
    {
      after_create: setting(shellScript, null, 'Runs in a newly created workspace.'),
      before_run: setting(
        shellScript,
        null,
        'Runs before each attempt; if it fails, the attempt fails.',
      ),
      after_run: setting(shellScript, null, 'Runs after each attempt, whatever its outcome.'),
      deliver: setting(
        shellScript,
        null,
        'Runs after `after_run` of a clean run that changed the workspace since the last delivery. ' +
          'Until it has succeeded, nothing is handed off or removed.',
      ),
      before_remove: setting(shellScript, null, 'Runs before a workspace is deleted.'),
      timeout_ms: setting(timeSpan, 60_000, 'Time limit of a hook.'),
    },
    'Shell scripts for the stages of a workspace.',
  ),

  agent: section(
    {
      kind: setting(
        oneOf(...(Object.keys(AGENT_PROFILES) as AgentKind[])),
        DEFAULT_KIND,
        'The kind of coding agent.',
      ),
      ...sharedKeys,
      access: setting(
        oneOf(...AgentAccess.options),
        'write',
        'What the agent may do in its workspace: write files and commit (`write`), write files but not commit (`artifact`), or only `read`.',
      ),
      max_concurrent_agents: setting(count, 10, 'Maximum number of concurrent agents.'),
      max_concurrent_agents_by_state: setting(
        countByState,
        {},
        'The same limit for issues in one state; case and outer blanks of the state name are ignored.',
      ),
      max_turns: setting(count, 20, 'Maximum number of turns in one run.'),
      max_retry_backoff_ms: setting(timeSpan, 300_000, 'Maximum delay before a retry.'),
      max_consecutive_failures: setting(
        limit,
        5,
        'Consecutive failures after which an issue is held; 0 is no limit.',
      ),
      max_runs: setting(
        limit,
        30,
        'Total number of runs of an issue after which it is held; 0 is no limit.',
      ),
      max_tokens: setting(
        limit,
        0,
        'Total tokens of an issue after which it is held; 0 is no limit.',
        '0 (no limit)',
      ),
      max_idle_runs: setting(
        limit,
        3,
        'Consecutive clean runs without changes after which an issue is held; 0 is no limit.',
      ),
      max_idle_turns: setting(
        limit,
        2,
        'Consecutive turns without a change of workspace or issue after which a run ends; 0 is no limit. ' +
          'With `tracker.handoff_state` one such turn after a turn with changes is enough.',
      ),
      env: setting(
        variableNames,
        [],
        'Additional variables for the agent; "*" is all. Secrets of the tracker are never passed on.',
      ),
      shell: setting(
        oneOf('plain', 'login'),
        'plain',
        'plain: hooks and agents get the environment of a login shell, read once when the supervisor starts. login: each of them is started by a login shell, which reads the profile each time.',
      ),
    },
    'The coding agent: its command, concurrency, timeouts and limits.',
  ),

  ...AGENT_SECTIONS,

  roles: roleSections,

  prompt: section(
    {
      engine: setting(
        oneOf('mustache', 'liquid'),
        null,
        'The template engine of the prompt.',
        'liquid if the text uses its tags or filters, else mustache',
      ),
    },
    'How the text below the front matter is rendered.',
  ),

  server: section(
    {
      port: setting(port, null, 'A fixed port for API and dashboard; 0 is any free port.', 'off'),
      host: setting(text, '127.0.0.1', 'The address to listen on.'),
      allowed_hosts: setting(hostNames, [], 'Additional accepted host names of requests.'),
      public_read: setting(yesOrNo, false, 'On loopback, reading needs no token.'),
      webhook_port: setting(
        port,
        null,
        'A port for webhooks only, which are then not served elsewhere.',
        'webhooks are served at server.port',
      ),
      webhook_host: setting(text, '127.0.0.1', 'The address that webhook_port listens on.'),
    },
    'API and dashboard. With several projects, the first file applies.',
  ),

  logs: section(
    {
      max_run_mb: setting(
        count,
        32,
        'Maximum size of the transcript of one run, in megabytes; of a larger one the beginning and the end are kept.',
      ),
      max_total_mb: setting(
        count,
        5000,
        'Maximum size of all logs together, in megabytes; the oldest transcripts are deleted first, also when disk space is short.',
      ),
    },
    'Disk space of the logs. With several projects, the first file applies.',
  ),
});

/** The front matter with all defaults; neither tracker nor environment has been read yet. */
export type GivenSettings = z.infer<typeof frontMatterSchema>;
