import {randomBytes} from 'node:crypto';
import type {WorkflowContext, WorkflowReading} from '@symphony-supervisor/protocol/workflow';
import type {Host} from './host/host.ts';
import {LocalHost, type LocalHostOptions} from './host/local/local-host.ts';
import {type Clock, REAL_CLOCK} from './timers.ts';
import {TrackerThreads} from './trackers/tracker-threads.ts';
import {letGoOfOld} from './upkeep/retention.ts';
import {WorkflowWatch} from './upkeep/workflow-watch.ts';

/** The public members of a class, so that another implementation can replace it. */
type Public<T> = {readonly [K in keyof T]: T[K]};

export type Trackers = Public<TrackerThreads>;
export type Watch = Pick<WorkflowWatch, 'check' | typeof Symbol.asyncDispose>;

/**
 * Everything outside of the shell's own process: time, trackers, hosts, workflow files. There is one real
 * implementation; a simulation that covers weeks in seconds provides another.
 */
export interface Outside {
  readonly clock: Clock;
  /** Makes the run ids of this process different from those of all others. */
  newLife(): string;
  openTrackers(onTrouble: (reason: string) => void): Trackers;
  openHost(options: Pick<LocalHostOptions, 'logsRoot' | 'log'>): Host;
  watchWorkflow(path: string, onRead: (reading: WorkflowReading) => void): Watch;
  readonly letGoOfOld: typeof letGoOfOld;
}

export interface RealOutsideOptions {
  readonly stateDir: string;
  /** The context in which changed workflow files are read. */
  readonly context: WorkflowContext;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The bundles of the runner and of the tracker thread. */
  readonly runnerPath: string;
  readonly trackerThreadPath: string;
}

export function realOutside(options: RealOutsideOptions): Outside {
  const {stateDir, context, environment, runnerPath, trackerThreadPath} = options;
  const clock = REAL_CLOCK;
  return {
    clock,
    newLife: () => randomBytes(6).toString('hex'),
    openTrackers: (onTrouble) =>
      new TrackerThreads({filename: trackerThreadPath, environment, onTrouble}),
    openHost: (given) => new LocalHost({...{stateDir, environment, runnerPath, clock}, ...given}),
    watchWorkflow: (path, onRead) => new WorkflowWatch(path, context, onRead),
    letGoOfOld,
  };
}
