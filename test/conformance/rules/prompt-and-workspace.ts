import {protocol, type Rule, rule, whole} from './rule.ts';

/** Section 5: the prompt. */
export const PROMPT: readonly Rule[] = [
  rule(
    '5.strict',
    'An unknown variable fails the attempt and holds its issue, with line and name.',
  ),
  rule('5.malformed', 'A malformed template is `template_parse_error`.'),
  rule('5.validate', '`validate` warns of mistakes in the template.'),
  rule('5.null', 'A known null renders as nothing.'),
  rule('5.no-escape', 'Text is never HTML-escaped.'),
  rule('5.liquid', 'A template that uses Liquid is rendered by Liquid.'),
  rule(
    '5.engine',
    '`prompt.engine` decides explicitly.',
    protocol('prompt/engine', 'a prompt that names its engine gets it'),
  ),
  rule('5.variables', '`issue`, `attempt`, `retry`, `run`, `workspace` can be named.'),
  rule(
    '5.issue-fields',
    'Every normalized field of an issue can be named.',
    protocol('prompt/render', 'every field of an issue can be named'),
  ),
  rule('5.empty', 'An empty body is a short default prompt with the issue, fenced.'),
  rule('5.later-turns', 'Later turns on a live thread get guidance, never the whole prompt.'),
  rule('5.resumed', 'A continuation resumes the thread with guidance.'),
  rule('5.first-retry', 'The first retry after a failure resumes the thread with the last error.'),
  rule('5.second-failure', 'A second failure in a row gets a fresh thread with the full prompt.'),
  rule(
    '5.refused-resume',
    'A refused resume or a changed path: a fresh thread with the full prompt.',
    whole('runner/threads', 'a fresh thread with the whole prompt where the old one cannot'),
  ),
  rule('5.changed', 'If the task changed, a resumed thread gets the full prompt once.'),
  rule('5.restart', '`restart` forgets the thread.'),
  rule(
    '5.fenced',
    'No text from the tracker closes the fence around it.',
    protocol('prompt/guidance', 'no text closes its own fence'),
  ),
];

/** Section 6: workspaces, hooks, environment. */
export const WORKSPACE: readonly Rule[] = [
  rule('6.path', 'The workspace is `<root>/<identifier>` where that is a safe name.'),
  rule(
    '6.key',
    'Any other identifier becomes a safe name with a digest of the original.',
    protocol('workspace-key', 'any other identifier gets a digest of the original'),
  ),
  rule(
    '6.twin',
    'A folder that belongs to a twin is refused, not shared.',
    whole('runner/workspace', 'a folder that belongs to a twin is refused, not shared'),
  ),
  rule('6.lock', 'Nothing, not even a runner by hand, runs twice in one workspace.'),
  rule(
    '6.inside',
    'Hostile identifiers stay inside the root.',
    whole('runner/workspace', 'hostile identifiers stay inside the root'),
  ),
  rule('6.symlink', 'A link where the workspace should be is never followed.'),
  rule('6.reused', 'A workspace is reused across runs.'),
  rule('6.after-create', '`after_create` runs only when the workspace was just created.'),
  rule('6.after-create.failed', 'If it fails, the half-made folder is removed.'),
  rule('6.before-run', '`before_run` that fails fails the attempt, and `after_run` still runs.'),
  rule('6.after-run', '`after_run` runs after success and after a stop.'),
  rule('6.before-remove', '`before_remove` runs before deletion.'),
  rule(
    '6.only-logged',
    'A failing `after_run` changes no outcome.',
    whole('runner/hooks', 'after_run that fails is a note, and changes no outcome'),
  ),
  rule('6.hooks.environment', 'Hooks run in the workspace and hear of the run by SYMPHONY_*.'),
  rule('6.hooks.time-limit', 'A hook beyond its time limit fails the attempt as `hook_timeout`.'),
  rule(
    '6.hooks.tree',
    'On time-out the whole process tree of a hook is killed.',
    whole('runner/endings', 'a hook that exceeds its time limit is ended with all that it started'),
  ),
  rule(
    '6.hooks.output',
    "Output of hooks is kept in the run's log.",
    whole('runner/hooks', 'what a hook prints is in the transcript'),
  ),
  rule('6.environment.hooks', 'Hooks get the environment, but no secret of the tracker.'),
  rule('6.environment.agent', 'The agent gets only what is listed, and what `agent.env` names.'),
  rule(
    '6.environment.profile',
    'No secret reaches a child, not even from a login profile.',
    whole('runner/secrets', 'a secret of the tracker reaches no child'),
  ),
];
