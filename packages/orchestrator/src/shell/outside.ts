import {randomBytes} from 'node:crypto';
import {join} from 'node:path';
import type {RunJob} from '@symphony-supervisor/protocol';
import {
  endProcesses,
  type ProcessIdentity,
  type ProcessQuery,
  readLoginEnvironment,
} from '@symphony-supervisor/protocol/processes';
import type {WorkflowContext, WorkflowReading} from '@symphony-supervisor/protocol/workflow';
import {type JobEnvironment, type RunnerEvents, RunnerProcess} from './runners/runner-process.ts';
import {RunnerSnapshot} from './runners/runner-snapshot.ts';
import {type Clock, REAL_CLOCK} from './timers.ts';
import {TrackerThreads} from './trackers/tracker-threads.ts';
import {findWorkspaces} from './upkeep/find-workspaces.ts';
import {shortageIn} from './upkeep/free-space.ts';
import {LogFolder} from './upkeep/log-folder.ts';
import {letGoOfOld} from './upkeep/retention.ts';
import {WorkflowWatch} from './upkeep/workflow-watch.ts';

/** Runs of a supervisor that died end by themselves; what still runs was asked once, and is asked once more. */
const FORMER_LIFE_GRACE_MS = 1000;

/** What of a class can be used, and so can be had from elsewhere. */
type Public<T> = {readonly [K in keyof T]: T[K]};

export type Trackers = Public<TrackerThreads>;
export type Runner = Public<RunnerProcess>;
export type Logs = Public<LogFolder>;
export type Watch = Pick<WorkflowWatch, 'check' | typeof Symbol.asyncDispose>;

/** With the environment that the job's hooks and agent get already decided. */
export type StartRunner = (job: RunJob, events: RunnerEvents) => Runner;

/**
 * Everything that the shell meets outside of its own process: time, trackers, runners, files. There is
 * one real world; whoever wants to live through weeks in seconds brings another.
 */
export interface Outside {
  readonly clock: Clock;
  /** Makes the ids of this life's runs unlike those of all others. */
  newLife(): string;
  openTrackers(onTrouble: (reason: string) => void): Trackers;
  /** `environment` is for the hooks and the agent of the job; null: the runner's own. */
  startRunner(job: RunJob, events: RunnerEvents, environment: JobEnvironment): Runner;
  readonly readLogin: typeof readLoginEnvironment;
  watchWorkflow(path: string, onRead: (reading: WorkflowReading) => void): Watch;
  /** Returns what is alive nevertheless. */
  endProcesses(query: ProcessQuery): Promise<readonly ProcessIdentity[]>;
  readonly shortageIn: typeof shortageIn;
  readonly findWorkspaces: typeof findWorkspaces;
  readonly letGoOfOld: typeof letGoOfOld;
  openLogs(root: string): Logs;
}

export interface RealOutsideOptions {
  readonly stateDir: string;
  /** What changed workflow files are read against. */
  readonly context: WorkflowContext;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The bundles of the runner and of the tracker thread. */
  readonly runnerPath: string;
  readonly trackerThreadPath: string;
}

export function realOutside(options: RealOutsideOptions): Outside {
  const {stateDir, context, environment, runnerPath, trackerThreadPath} = options;
  const snapshot = new RunnerSnapshot(runnerPath, join(stateDir, 'snapshot'), environment);
  return {
    clock: REAL_CLOCK,
    newLife: () => {
      snapshot.find();
      return randomBytes(6).toString('hex');
    },
    openTrackers: (onTrouble) =>
      new TrackerThreads({filename: trackerThreadPath, environment, onTrouble}),
    readLogin: readLoginEnvironment,
    startRunner: (job, events, jobEnvironment) => {
      const nodeOptions = snapshot.nodeOptions(job.kind !== 'attempt');
      const onStart = (hasBegun: boolean): void => {
        if (nodeOptions.length > 0) hasBegun ? snapshot.prove() : snapshot.giveUp();
      };
      const start = {path: runnerPath, nodeOptions, onStart, environment, jobEnvironment};
      return new RunnerProcess(job, start, events);
    },
    watchWorkflow: (path, onRead) => new WorkflowWatch(path, context, onRead),
    endProcesses: (query) => endProcesses(query, FORMER_LIFE_GRACE_MS),
    shortageIn,
    findWorkspaces,
    letGoOfOld,
    openLogs: (root) => new LogFolder(root),
  };
}
