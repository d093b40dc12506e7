import {core, protocol, type Rule, rule, shell, tracker} from './rule.ts';

/** Section 1: the workflow file. */
export const WORKFLOW: readonly Rule[] = [
  rule('1.path.default', 'Without an argument the workflow is ./WORKFLOW.md.'),
  rule('1.path.several', 'Several paths are several projects in one supervisor.'),
  rule(
    '1.name',
    'A project is named by its key `name`, else by the folder of its file.',
    protocol('workflow/paths', 'a project is named by its key, else by the folder'),
  ),
  rule('1.name.duplicate', 'Two projects of one name are an error.'),
  rule('1.root.shared', 'Two projects that resolve to one workspace root are an error.'),
  rule('1.server.first', '`server.*` is taken from the first file.'),
  rule(
    '1.no-front-matter',
    'Without front matter the whole file is the prompt.',
    protocol('workflow/file', 'front matter and prompt are told apart'),
  ),
  rule('1.errors.missing', 'A file that cannot be read is `missing_workflow_file`, by name.'),
  rule('1.errors.yaml', 'Broken YAML is `workflow_parse_error` with file, line and column.'),
  rule(
    '1.errors.not-a-map',
    'Front matter that is no map is `workflow_front_matter_not_a_map`, with its place.',
  ),
  rule('1.bytes', 'A BOM, CRLF and blanks after `---` change nothing.'),
  rule('1.unknown-keys', 'An unknown key breaks nothing, and is told with the nearest known one.'),
  rule('1.env.unset', 'A `$VAR` that is unset or empty is an error that names it.'),
  rule(
    '1.env.fallback',
    'A secret that is left out comes from the variable of the adapter.',
    tracker('linear/profile', 'the key comes from LINEAR_API_KEY where the file is silent'),
  ),
  rule(
    '1.env.file',
    'A secret may come from a file.',
    protocol('workflow/tracker', 'a secret is a reference to where it is'),
  ),
  rule(
    '1.paths',
    'Paths start at the folder of the workflow file; `~` and `$VAR` expand.',
    protocol('workflow/paths', 'paths start at the folder of the workflow file'),
  ),
  rule(
    '1.shell-strings',
    'Shell strings are never rewritten.',
    protocol('workflow/values', 'shell strings are left as they are'),
  ),
  rule(
    '1.ranges',
    'Every number has its range, and digit strings count as numbers.',
    protocol('workflow/values', 'every number has its range, and digits in quotes count'),
  ),
  rule(
    '1.state.both',
    'A state that is both active and terminal is terminal, with a warning.',
    protocol('workflow/tracker', 'a state that is both active and terminal is terminal'),
  ),
  rule(
    '1.older-files',
    'Older Symphony files run unchanged.',
    protocol('workflow/older-file', 'a file of the older Symphony runs unchanged'),
  ),
  rule(
    '1.flat-keys',
    'Flat tracker keys and `tracker.provider.*` mean the same.',
    protocol('workflow/tracker', 'flat keys and the provider map mean the same'),
  ),
  rule('1.kind', '`tracker.kind` is required, and must be a known one.'),
  rule(
    '1.defaults',
    'What is left out has its default.',
    protocol('workflow/values', 'what is left out, or left empty, has its default'),
  ),
  rule(
    '1.labels',
    'Labels are compared without case and outer blanks; a blank required one matches nothing.',
    protocol('routing', 'a blank required label matches nothing'),
  ),
  rule('1.in-progress', '`in_progress_state` is written before launch.'),
  rule('1.in-progress.failed', 'A failed write of it warns, and the run continues.'),
  rule(
    '1.written-states',
    '`in_progress_state` must be active, `handoff_state` neither active nor terminal.',
  ),
  rule(
    '1.written-states.read-only',
    'An adapter that cannot write makes either key an error.',
    protocol('workflow/tracker', 'the states that we write have their place among the others'),
  ),
  rule(
    '1.limits.by-state',
    'Limits by state: names are normalized, invalid entries ignored with a warning.',
    protocol('workflow/values', 'limits by state are kept by normalized name'),
  ),
  rule(
    '1.agent-env',
    '`agent.env` that names a secret of the tracker is an error.',
    protocol('workflow/tracker', 'agent.env may not name a secret of the tracker'),
  ),
  rule(
    '1.older-approvals',
    'The old approval object becomes `granular`, with a warning.',
    protocol('workflow/values', 'the old approval object is translated'),
  ),
  rule('1.limits.zero', '`max_consecutive_failures: 0` is no limit.'),
  rule(
    '1.limits.zero.others',
    '`max_runs: 0` and `max_idle_runs: 0` are no limit.',
    core('run/counters', 'a limit of 0 is no limit: runs, idle runs, tokens'),
  ),
  rule('1.wrong-values', 'A wrong value is told with key, value and what would be right.'),
  rule('1.reload.watched', 'A change of the file applies without a restart.'),
  rule('1.reload.at-once', 'Limits of a good change apply at once.'),
  rule('1.reload.interval', 'A changed interval sets the poll timer anew.'),
  rule('1.reload.states', 'Changed states and labels count for runs under way, too.'),
  rule('1.reload.later-runs', 'Prompt and hooks of a good change apply to runs that start later.'),
  rule(
    '1.reload.scope',
    'Claims stay with the tracker they came from until they are released.',
    core('dispatch/scope', 'a changed scope leaves claims with the tracker they came from'),
  ),
  rule('1.reload.root', 'A changed root gives the next run a fresh workspace.'),
  rule(
    '1.reload.root.cleaned',
    'After a changed root the recorded workspace is still cleaned.',
    core('tracker/sweep', 'after a changed root both workspaces go'),
  ),
  rule(
    '1.reload.server',
    'A changed `server.*` needs a restart, and that is said.',
    core('dispatch/scope', 'a changed server section needs a restart, and that is said'),
  ),
  rule(
    '1.reload.bad.once',
    'A bad change is reported once.',
    shell('upkeep/workflow-watch', 'a bad change is told once per change'),
  ),
  rule('1.reload.bad', 'After a bad change the last good version stays and dispatch waits.'),
  rule('1.reload.bad.reconciled', 'After a bad change reconciliation goes on.'),
  rule('1.reload.together', 'Prompt and settings always change together.'),
];
