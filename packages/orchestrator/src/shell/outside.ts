import {randomBytes} from 'node:crypto';
import type {WorkflowContext, WorkflowReading} from '@symphony-supervisor/protocol/workflow';
import type {Host} from './host/host.ts';
import {LocalHost, type LocalHostOptions} from './host/local/local-host.ts';
import {type Clock, REAL_CLOCK} from './timers.ts';
import {TrackerThreads} from './trackers/tracker-threads.ts';
import {letGoOfOld} from './upkeep/retention.ts';
import {WorkflowWatch} from './upkeep/workflow-watch.ts';

/** What of a class can be used, and so can be had from elsewhere. */
type Public<T> = {readonly [K in keyof T]: T[K]};

export type Trackers = Public<TrackerThreads>;
export type Watch = Pick<WorkflowWatch, 'check' | typeof Symbol.asyncDispose>;

/**
 * Everything that the shell meets outside of its own process: time, trackers, hosts, workflow files. There is
 * one real world; a simulation that lives through weeks in seconds brings another.
 */
export interface Outside {
  readonly clock: Clock;
  /** Makes the ids of this life's runs unlike those of all others. */
  newLife(): string;
  openTrackers(onTrouble: (reason: string) => void): Trackers;
  openHost(options: Pick<LocalHostOptions, 'logsRoot' | 'log'>): Host;
  watchWorkflow(path: string, onRead: (reading: WorkflowReading) => void): Watch;
  readonly letGoOfOld: typeof letGoOfOld;
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
