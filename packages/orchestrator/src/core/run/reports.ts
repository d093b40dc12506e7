import type {AgentProgress, RunnerReport, RunResult} from '@symphony-supervisor/protocol';
import {type ClaimKey, type Ending, isSameWorkspace, type Run, type Running} from '../claim.ts';
import type {Draft} from '../draft.ts';
import {forgetKept} from '../life/kept.ts';
import {unreachable} from '../unreachable.ts';
import {tokenLimitReached} from './limits.ts';
import {mainModel} from './results.ts';
import {armStallClock} from './stall.ts';
import {stopRun} from './stop.ts';

/** A report of a runner: a few assignments, and rarely an effect. */
export function onRunnerReported(
  draft: Draft,
  key: ClaimKey,
  live: Running | Ending,
  report: RunnerReport,
): void {
  const {run} = live;
  const heard = (change: Partial<Run>): void => {
    draft.put(key, {...live, run: {...run, heartbeatAt: draft.at, ...change}});
  };
  switch (report.type) {
    case 'heartbeat':
    case 'hello':
    // Final reports of small jobs; from a run they only count as a sign of life.
    case 'cleaned':
    case 'finished':
    case 'delivered':
    case 'probed':
      return heard({});
    case 'phase':
      return heard({phase: report.phase, lastHeardAt: alive(run, draft.at)});
    case 'workspace':
      recordWorkspace(draft, key, live, report.path);
      return;
    case 'hook_started':
      heard({lastHeardAt: null});
      draft.order({do: 'log', level: 'info', event: 'hook.started', key, reason: report.hook});
      return;
    case 'hook_ended':
      heard({lastHeardAt: draft.at});
      if (report.failure !== null) {
        const reason = `${report.hook}: ${report.failure.message}`;
        draft.order({do: 'log', level: 'warn', event: `hook.${report.failure.code}`, key, reason});
      }
      return armStallClock(draft, key);
    case 'agent_started':
      return heard({agentPid: report.pid});
    case 'thread':
      draft.put(key, {
        ...live,
        thread: report.thread,
        // Failures before a new conversation do not count against it.
        threadFailures: report.thread.id === live.thread?.id ? live.threadFailures : 0,
        run: {...run, heartbeatAt: draft.at},
      });
      return;
    case 'turn_started':
      draft.put(key, {
        ...live,
        // The agent has the messages now. Until this is recorded they are kept, and the runner knows which it sent.
        messages: live.messages.filter(({id}) => !report.message_ids.includes(id)),
        run: {
          ...run,
          heartbeatAt: draft.at,
          turn: report.turn,
          sessionId: report.session_id,
          lastHeardAt: alive(run, draft.at),
        },
      });
      return;
    case 'agent':
      return onProgress(draft, key, live, report.progress);
    case 'result':
      return onResult(draft, key, live, report.result);
    case 'note':
      heard({});
      draft.order({do: 'log', level: 'warn', event: 'runner.note', key, reason: report.message});
      return;
    case 'trash_stuck':
      heard({});
      draft.order({do: 'log', level: 'warn', event: 'trash.stuck', key, reason: tellStuck(report)});
      return;
    default:
      return unreachable(report);
  }
}

/** The last tokens may be reported only with the result. They count now: the supervisor may not survive until the exit. */
function onResult(draft: Draft, key: ClaimKey, live: Running | Ending, result: RunResult): void {
  const {run} = live;
  const more = Math.max(0, result.usage.total_tokens - run.usage.total_tokens);
  const usage = more > 0 ? result.usage : run.usage;
  const thread = result.thread ?? live.thread;
  draft.put(key, {
    ...live,
    thread,
    run: {
      ...run,
      heartbeatAt: draft.at,
      result,
      model: run.model ?? mainModel(result.models),
      isMeasured: result.is_measured,
      isPartial: result.is_partial === true,
      usage,
    },
  });
  if (more > 0) draft.count(key, {tokens: draft.counters(key).tokens + more});
}

export type TrashStuck = Extract<RunnerReport, {type: 'trash_stuck'}>;

/** For an operator: the supervisor will not delete it. */
export function tellStuck({path, size_kb, reason}: TrashStuck): string {
  const size = size_kb === null ? 'of unknown size' : `${size_kb} kB`;
  return `${path} (${size}) cannot be deleted, remove it as root: ${reason}`;
}

function recordWorkspace(draft: Draft, key: ClaimKey, live: Running | Ending, path: string): void {
  const {run} = live;
  const workspace = {host: run.host, path};
  draft.put(key, {...live, workspace, run: {...run, heartbeatAt: draft.at}});
  const others = draft.workspaces(key).filter((other) => !isSameWorkspace(other, workspace));
  draft.writeWorkspaces(key, [...others, workspace]);
  forgetKept(draft, key, workspace);
}

function onProgress(
  draft: Draft,
  key: ClaimKey,
  live: Running | Ending,
  progress: AgentProgress,
): void {
  const {run} = live;
  const more = Math.max(0, progress.usage.total_tokens - run.usage.total_tokens);
  const isAlive = progress.signs_of_life > run.signsOfLife;
  const thread = live.thread === null ? null : {...live.thread, usage: progress.thread_usage};
  const current: Running | Ending = {
    ...live,
    thread,
    run: {
      ...run,
      heartbeatAt: draft.at,
      lastHeardAt: isAlive ? alive(run, draft.at) : run.lastHeardAt,
      signsOfLife: progress.signs_of_life,
      model: run.model ?? mainModel(progress.models),
      isMeasured: progress.is_measured,
      isPartial: progress.is_partial === true,
      usage: more > 0 ? progress.usage : run.usage,
      lastEvent: progress.event,
      lastMessage: progress.message,
      lastEventAt: draft.at,
    },
  };
  draft.put(key, current);
  if (progress.rate_limits !== null) draft.write({rateLimits: progress.rate_limits});
  if (more === 0) return;
  draft.count(key, {tokens: draft.counters(key).tokens + more});
  const limit = tokenLimitReached(
    draft.counters(key),
    draft.projectOf(live).workflow.settings.agent,
  );
  // A stopping run ends as ordered first: the first reason wins.
  if (limit === null || current.is !== 'running') return;
  stopRun(draft, key, current, 'limit_reached', {do: 'hold', because: limit, question: null});
}

/** While the clock is paused, signs of life do not restart it: only the end of the pause does. */
function alive(run: Run, at: number): number | null {
  return run.lastHeardAt === null ? null : at;
}
