import {core, protocol, type Rule, rule, runner, shell, whole} from './rule.ts';

/** Section 4: what follows a run. */
export const OUTCOMES: readonly Rule[] = [
  rule('4.read-wins', 'The read after a run wins over its outcome: terminal cleans and releases.'),
  rule(
    '4.read-failed',
    'A read after the run that fails counts as still active.',
    core('run/after-run', 'a read after the run that fails counts as still active'),
  ),
  rule('4.handoff', 'Normally, still active, handoff set: written, then released.'),
  rule(
    '4.handoff.failed',
    'A handoff that cannot be written becomes a continuation.',
    core('run/after-run', 'handoff: a failed write is a continuation, a conflict is read again'),
  ),
  rule(
    '4.continuation',
    'Normally, still active: continuation after 1000 ms, attempt 1, same thread.',
  ),
  rule('4.no-longer-active', 'Normally, no longer active: released; terminal: cleaned too.'),
  rule('4.backoff', 'Failures wait 10, 20, 40, … s, each twice as long.'),
  rule('4.backoff.limit', 'The wait never exceeds `max_retry_backoff_ms`.'),
  rule('4.unmendable', 'What a retry cannot mend holds the issue, with what to do about it.'),
  rule('4.host', 'A failure of the host: no dispatch, said so, until the check passes.'),
  rule(
    '4.host.attempt',
    'After a failure of the host the issue waits at the same attempt.',
    core('run/after-run', 'a failure of the host: the issue waits at the same attempt'),
  ),
  rule(
    '4.host.limit',
    'A used-up limit says when it is refilled.',
    whole('runner/attempt', 'a used-up limit says when it is refilled, if the agent told'),
  ),
  rule('4.context', 'Context window exceeded: a fresh thread whose prompt knows why.'),
  rule('4.input.hold', 'The agent needs input: held with the question.'),
  rule('4.input.fail', 'With `codex.on_input: fail` a question fails the run.'),
  rule('4.stalled', 'Stalled: killed, failure retry with backoff.'),
  rule(
    '4.turn-timeout',
    'A turn that is silent for too long ends as `turn_timeout`.',
    whole('runner/attempt', 'silence within a turn ends it'),
  ),
  rule('4.limit.failures', '`max_consecutive_failures` in a row hold the issue.'),
  rule('4.limit.runs', '`max_runs` of one issue in all hold it.'),
  rule('4.limit.idle', '`max_idle_runs` clean runs that changed nothing hold it.'),
  rule('4.limit.tokens', 'A token limit stops a running agent, and holds.'),
  rule('4.shutdown', 'A shutdown does not change the attempt of a run, which is resumed.'),
  rule('4.attempt', 'attempt: null at first, 1 on a continuation, n after n failures in a row.'),
  rule('4.attempt.after-success', 'A run that ended normally sets consecutive failures back.'),
  rule('4.waiting', 'A retry without a slot keeps its attempt and says so.'),
  rule(
    '4.counters.failures',
    'Consecutive failures: 0 when let go from a hold.',
    core('run/counters', 'consecutive failures: 0 when let go from a hold'),
  ),
  rule(
    '4.counters.idle',
    'Idle runs: 0 when let go from a hold.',
    core('run/counters', 'idle runs: 0 when let go from a hold'),
  ),
  rule(
    '4.counters.runs',
    'Runs: every runner started, a resume after a graceful shutdown excepted.',
    core('run/counters', 'runs: a resume after a graceful shutdown is the same run'),
  ),
  rule(
    '4.counters.person',
    'Runs and tokens: 0 when a person lets go from a hold, else never.',
    core('run/counters', 'runs and tokens: 0 when a person lets go from a hold'),
  ),
  rule(
    '4.not-failures',
    'Usage limit, tracker failures, waiting and restarts are no failures.',
    core('run/counters', 'not counted as failures: a usage limit, waiting for a slot, a restart'),
  ),
  rule('4.totals', 'History keeps lifetime totals.', {
    file: 'packages/orchestrator/test/store/history.test.ts',
    test: 'what an issue cost in all its life outlives the pruning of its runs',
  }),
  rule(
    '4.due.read',
    'A due retry reads its issue again, and that decides.',
    core('run/due-retry', 'a due retry reads its issue again, and that decides'),
  ),
  rule(
    '4.due.blocked',
    'A due retry waits at its attempt while dispatch is blocked, and says why.',
    core(
      'run/due-retry',
      'a due retry waits at its attempt while dispatch is blocked, and says why',
    ),
  ),
  rule(
    '4.refresh-failed',
    'A read between turns that fails to its deadline fails the run.',
    runner('refresh-issue', 'an issue that cannot be read until the deadline fails the run'),
  ),
  rule(
    '4.replaced',
    'A newer retry replaces an older one.',
    shell('timers', 'a new timer replaces the old one of its name'),
  ),
  rule(
    '4.fork',
    'A fork that fails is a failure.',
    shell('host/local/runner-process', 'so is a fork that fails, at once or a moment later'),
  ),
  rule(
    '4.idle.workspace',
    'Any change of the workspace makes a run not idle.',
    whole('runner/evidence', 'any change of the workspace is seen'),
  ),
  rule(
    '4.idle.issue',
    'A change of state or labels makes a run not idle.',
    whole('runner/evidence', 'a change of state or labels of the issue is seen'),
  ),
  rule('4.let-go.state', 'A held issue is let go by a change of its tracker state.'),
  rule('4.let-go.left', 'A held issue that leaves the active states is released.'),
  rule('4.let-go.reload', 'An issue held by its template is let go by a good reload.'),
  rule('4.held.restart', 'What held an issue survives a restart.'),
  rule(
    '4.codes',
    'Every failure code has its one policy.',
    protocol('failure', 'every failure has the one policy that the contract gives it'),
  ),
];
