import {core, http, type Rule, rule, shell} from './rule.ts';

/** Section 2: claims and operators. */
export const CLAIMS: readonly Rule[] = [
  rule(
    '2.one-claim',
    'An issue has one claim or none, and never two runs.',
    core('histories', 'nothing runs twice, no limit is broken, every claim is in motion'),
  ),
  rule('2.running', 'A running issue is shown with its phase from its reservation on.'),
  rule(
    '2.reservation.refused',
    'A re-read that says no releases the reservation without a run on record.',
    core('run/due-retry', 'a re-read that says no releases the reservation without a run'),
  ),
  rule('2.retrying', 'A retrying issue has no runner, and a known time at which it is due.'),
  rule('2.held', 'A held issue says why it waits, and what the agent asked.'),
  rule('2.key', 'Claims are keyed by project and issue: two projects may use one identifier.'),
  rule(
    '2.stored-first',
    'Every change is written before it is acted upon.',
    shell('loop', 'what is decided is written before it is acted upon'),
  ),
  rule('2.stop', '`stop` ends the run, keeps the workspace and holds the issue.'),
  rule('2.retry', '`retry` makes a held issue due now.'),
  rule('2.retry.message', 'The message of a `retry` reaches the agent in its next turn.'),
  rule('2.retry.conflict', '`retry` of a running issue is 409 `conflict`.'),
  rule('2.restart', '`restart` ends any run and drops claim, thread and counters.'),
  rule('2.restart.candidate', 'A restarted issue that is still eligible is a candidate again.'),
  rule('2.release', '`release` is the former name of `restart`, and does the same.'),
  rule('2.dismiss', '`dismiss` ends any run; the issue takes no slot and is not listed as held.'),
  rule(
    '2.dismiss.change',
    'A dismissed issue is let go when state, labels, title, description or assignee differ.',
    core('run/dismissal', 'it is let go when state, labels, title, description or assignee differ'),
  ),
  rule('2.dismiss.retry', '`retry` of a dismissed issue makes it due now.'),
  rule('2.dismiss.life', 'A dismissal survives a restart of the supervisor.'),
  rule('2.pause', 'While paused nothing is dispatched, retries included, and runs go on.'),
  rule('2.resume', '`resume` takes dispatch up again.'),
  rule('2.pause.restart', 'A pause survives a restart.'),
  rule(
    '2.pause.project',
    'A pause may be for one project alone.',
    http('orders', 'pause and resume, for one project or for all'),
  ),
  rule(
    '2.recorded',
    'Each order is recorded with who and when.',
    http('orders', 'each with who ordered it'),
  ),
];
