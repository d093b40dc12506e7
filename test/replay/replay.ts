import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import type {
  AgentJobOf,
  AttemptJob,
  HostCall,
  RunResult,
  ThreadRecord,
} from '@symphony-supervisor/protocol';
import {anAttempt} from '../rig/fixtures/job.ts';
import {type HostRules, RunnerRig} from '../rig/runner.ts';
import type {PlayReport} from './player/play-report.ts';
import {approvalPolicyOf, resumedThread, sandboxOf, toolsOf} from './player/recorded-settings.ts';
import {ReplayedCodex} from './player/replayed-codex.ts';
import type {Session} from './recording.ts';

export interface ReplayOptions {
  /** The bundled agent program. */
  readonly agent: string;
  readonly folder: string;
  /** The test was given up on, and with it whatever it started. */
  readonly signal: AbortSignal;
  /** Where the recording waits for an interrupt: does the supervisor order a stop? */
  readonly stops: boolean;
  /** What an earlier run in this folder has left behind. */
  readonly thread?: ThreadRecord | null;
  readonly codex?: Partial<AgentJobOf<'codex'>>;
}

export interface Replayed {
  readonly result: RunResult;
  readonly exit: {readonly code: number | null; readonly signal: NodeJS.Signals | null};
  readonly job: AttemptJob;
  readonly calls: readonly HostCall[];
  readonly report: PlayReport;
  /** Lines of the agent that the runner could not read. */
  readonly malformed: number;
}

/** Runs the real runner against a session of a recording. */
export async function replay(session: Session, options: ReplayOptions): Promise<Replayed> {
  let stop = (): void => {};
  await using codex = await ReplayedCodex.prepare(
    options.agent,
    options.folder,
    session,
    (method) => {
      if (method === 'turn/interrupt' && options.stops) stop();
    },
  );
  const turns = session.filter(
    (entry) => entry.is === 'client-request' && entry.method === 'turn/start',
  ).length;
  const job = jobFor(session, codex.command, options);
  const rules: HostRules = {
    readIssue: (times) => ({issue: job.issue, go_on: times < turns}),
    callTool: () => ({success: true, content: {found: 1}, wrote: false}),
  };
  // The agent is started by a login shell; what somebody's profile does there is not our subject.
  await using runner = new RunnerRig(job, rules, {HOME: options.folder});
  stop = () => runner.stop('stopped_by_operator');
  options.signal.addEventListener('abort', () => runner.process.kill('SIGKILL'));

  const result = await runner.result();
  return {
    result,
    exit: await runner.exited,
    job,
    calls: runner.calls,
    report: await codex.report(),
    malformed: readFileSync(job.transcript_path, 'utf8').split('"ev":"malformed"').length - 1,
  };
}

function jobFor(session: Session, command: string, options: ReplayOptions): AttemptJob {
  return anAttempt(options.folder, {
    max_turns: 1000,
    tools: toolsOf(session),
    thread: threadFor(session, options),
    agent: {
      command,
      approval_policy: approvalPolicyOf(session),
      thread_sandbox: sandboxOf(session),
      ...options.codex,
    },
  });
}

function threadFor(session: Session, {folder, thread}: ReplayOptions): ThreadRecord | null {
  const resumed = resumedThread(session);
  if (resumed === null) return null;
  // A recording does not tell the tools of a conversation that is resumed.
  if (resumed.id === thread?.id) return {...thread, tools_digest: null};
  return {
    ...resumed,
    agent: 'codex',
    workspace_path: join(folder, 'ws', 'ABC-1'),
    prompt_digest: '',
    turns: 1,
    ...{role: 'worker', phase: null, tools_digest: null},
  };
}
