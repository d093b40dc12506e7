import {core, type Rule, rule, whole} from './rule.ts';

/** Section 7: the agent. */
export const AGENT: readonly Rule[] = [
  rule('7.peer.unknown-method', 'An unknown request of the server is answered with -32601.'),
  rule(
    '7.peer.long-line',
    'A line of 10 MB is fine.',
    whole('runner/lines', 'a line of 10 MB is taken'),
  ),
  rule(
    '7.peer.longer-line',
    'A longer line is an event and not the end.',
    whole('runner/lines', 'a line of 100 MB is refused'),
  ),
  rule('7.peer.broken-line', 'A broken line is an event and not the end.'),
  rule(
    '7.peer.disorder',
    'No disorder in what it says ends a runner.',
    whole('replay/mutated', 'no disorder in what Codex says ends a runner'),
  ),
  rule('7.session', 'The session id is `<thread>-<turn>`.'),
  rule('7.thread-name', 'The thread is named `<identifier>: <title>`.'),
  rule('7.next-turn', 'Still active and turns left: the next turn on the same thread.'),
  rule('7.max-turns', 'A run ends after `max_turns`.'),
  rule(
    '7.verdict',
    'The end of a turn is judged by its status and error info.',
    whole('runner/attempt', 'a failed turn is judged by its status and its error info'),
  ),
  rule('7.approvals.never', 'Under `never`, approvals that arrive are accepted for the session.'),
  rule('7.approvals.else', 'Under another policy an approval asks a person.'),
  rule(
    '7.permissions',
    'Permission requests are declined under `never`.',
    whole('runner/requests', 'under never, approvals that arrive are accepted for the session'),
  ),
  rule(
    '7.elicitations',
    'Questions and elicitations ask a person even under `never`.',
    whole('runner/requests', 'an elicitation, even under never'),
  ),
  rule('7.input', 'On `hold` the request is declined and the run ends `input_required`.'),
  rule('7.tools', 'Tools of the tracker are offered, and executed by the supervisor.'),
  rule('7.tools.unknown', 'An unknown tool is a failed result, and the turn goes on.'),
  rule('7.tokens', 'Tokens are told by kind, and add up over runs.'),
  rule(
    '7.tokens.resumed',
    'Tokens of a resumed thread are counted once.',
    whole('runner/threads', 'tokens of a resumed thread are counted once'),
  ),
  rule('7.rate-limits', 'The latest rate limits are shown.'),
  rule(
    '7.end.force',
    'An agent that ignores everything is forced to end.',
    whole('runner/endings', 'an agent that ignores everything is forced to end'),
  ),
  rule(
    '7.end.everything',
    'Everything it started ends, sessions of their own included.',
    whole('runner/endings', 'in the middle of a command leaves no process'),
  ),
  rule('7.end.interrupt', 'A live turn is interrupted before its agent is ended.'),
  rule(
    '7.warm-up',
    'Before the first launch the agent is asked once: `initialize`, `account/read`.',
  ),
  rule('7.warm-up.failed', 'A check that fails: no dispatch, shown as `last_error`, no hold.'),
  rule(
    '7.warm-up.again',
    'A check that failed is tried again.',
    core('dispatch/dispatch', 'before the first launch the agent is checked once'),
  ),
  rule('7.defaults', 'Policy `never` and sandbox `workspace-write` are asked for by default.'),
  rule(
    '7.model',
    '`codex.model` and `codex.effort` are passed on.',
    whole('real-codex/turns', 'model and effort are passed on'),
  ),
  rule(
    '7.sandbox.git',
    'Commits work under a turn policy of the user, too.',
    whole('real-codex/sandbox', 'a turn policy of one’s own holds, and commits work under it too'),
  ),
  rule(
    '7.sandbox.worktree',
    'A `.git` that is a file is resolved.',
    whole('real-codex/sandbox', 'an agent can commit in a worktree'),
  ),
  rule(
    '7.sandbox.network',
    'By default an agent has no network.',
    whole('real-codex/sandbox', 'an agent has no network'),
  ),
  rule(
    '7.will-retry',
    '"Will retry" notices are not progress of a turn.',
    whole('runner/attempt', 'notices that it will retry are no sign of life'),
  ),
  rule('7.transcript', 'Everything it said is kept in one transcript per run.'),
  rule(
    '7.transcript.masked',
    'Secrets are masked in transcripts.',
    whole('runner/secrets', 'what looks like a token is masked in reports and transcript'),
  ),
];
