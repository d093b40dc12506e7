import {core, type Rule, rule, shell, store, whole} from './rule.ts';

/** Section 8: nothing is lost. */
export const SURVIVAL: readonly Rule[] = [
  rule('8.store', 'The store is `<state dir>/symphony.db`, by default beside the workflow.'),
  rule('8.one', 'A second supervisor on a state dir says who holds it and exits 5.'),
  rule(
    '8.orphan',
    'A runner that loses its supervisor stops its agent and ends by itself.',
    whole('runner/endings', 'when the supervisor is killed the run ends by itself'),
  ),
  rule('8.killed.agent', 'After kill -9 and a new start the former agent is gone.'),
  rule('8.killed.resumed', 'After kill -9 a run goes on: same attempt, same thread.'),
  rule('8.killed.once', 'After kill -9 nothing runs twice.'),
  rule('8.killed.retries', 'After kill -9 a retry is still due when it was.'),
  rule('8.killed.tokens', 'After kill -9 no token is lost or counted twice.'),
  rule(
    '8.cut.reserved',
    'Reserved, not forked: dispatched again, same attempt.',
    whole('supervisor/cut-off', 'reserved, not forked: dispatched again, same attempt'),
  ),
  rule(
    '8.cut.forked',
    'Forked, nothing reported: killed; resumed, same attempt.',
    whole('supervisor/cut-off', 'forked, nothing reported: found by its run id, killed'),
  ),
  rule(
    '8.cut.runner',
    'Runner died: failure retry on the same thread, `after_run` is run for it.',
    whole('supervisor/cut-off', 'runner died: everything with its run id is killed'),
  ),
  rule(
    '8.cut.heartbeat',
    'No heartbeat for 30 s: everything with the run id is killed.',
    core('tracker/reconcile', 'no heartbeat for 30 s: everything with the run id is killed'),
  ),
  rule(
    '8.cut.after-create',
    '`after_create` cut off: folder removed, created anew.',
    whole('supervisor/cut-off', 'after_create cut off: found by its marker'),
  ),
  rule(
    '8.cut.write',
    'Tracker write in doubt: re-read, written only if still needed.',
    whole('supervisor/cut-off', 'tracker write in doubt: re-read, and written if it is still'),
  ),
  rule(
    '8.cut.cleaning',
    'Cleaning cut off: cleaned again.',
    whole('supervisor/cut-off', 'cleaning cut off: found by its claim; cleaned again'),
  ),
  rule(
    '8.cut.record',
    'A run on record without a claim is closed as interrupted.',
    whole('supervisor/cut-off', 'run on record without a claim: closed as interrupted'),
  ),
  rule(
    '8.cut.tracker-thread',
    'Tracker thread died: every call ends, new thread, next tick.',
    shell('trackers/tracker-thread', 'every call ends; new thread, next tick'),
  ),
  rule('8.signal', 'SIGTERM: turns are interrupted, `after_run` runs, exit 0.'),
  rule('8.signal.interrupt', 'SIGINT is the same.'),
  rule('8.signal.resumed', 'After SIGTERM the next start goes on with the same thread.'),
  rule('8.signal.bound', 'A hook that does not end does not keep it: `--shutdown-timeout`.'),
  rule(
    '8.signal.second',
    'A second signal ends it at once.',
    whole('cli/signals', 'a second signal ends it immediately: exit 1, no agent is left'),
  ),
  rule(
    '8.pm2',
    'pm2 starts, reloads and stops it with a run in flight.',
    whole('pm2/pm2', 'pm2 starts, reloads and stops it with a run in flight'),
  ),
  rule(
    '8.every-write',
    'Killed at every write to the store, nothing is lost.',
    whole('crash/crash-points', 'killed at every write'),
  ),
  rule(
    '8.unwritable',
    'While the store cannot be written nothing is started, stops go ahead.',
    shell('loop', 'while the store cannot be written nothing is started; stops go ahead'),
  ),
  rule('8.unwritable.ready', 'While the store cannot be written `/readyz` is 503.', {
    file: 'packages/orchestrator/test/http/listeners.test.ts',
    test: 'what keeps work from being done is told by readiness',
  }),
  rule(
    '8.full-disk',
    'A full disk: what runs goes on, nothing is lost.',
    whole('chaos/full-disk', 'a full disk: what runs goes on, nothing is started'),
  ),
  rule(
    '8.read-only',
    'A store that can only be read is told at the start.',
    store('open', 'is found out at the start'),
  ),
  rule(
    '8.corrupt',
    'A corrupt store is set aside, and what can be read is kept.',
    store('damage', 'damaged pages: the file is set aside'),
  ),
  rule('8.tracker-down', 'A tracker that is down: no lost claim, and it goes on afterwards.'),
  rule(
    '8.log',
    'The log cannot take the service down.',
    whole('cli/log-sinks', 'whoever reads stdout goes away: the service goes on'),
  ),
];
