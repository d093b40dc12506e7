import {EventEmitter, once} from 'node:events';
import {fileURLToPath} from 'node:url';
import type {HostAnswer, HostCall, RunJob, RunnerReport} from '@symphony-supervisor/protocol';
import {
  type RunnerOptions,
  RunnerProcess,
} from '../../../../src/shell/host/local/runner-process.ts';
import type {RunnerExit} from '../../../../src/shell/host/runner.ts';

export const RUNNER = fileURLToPath(new URL('../../../../dist/runner.cjs', import.meta.url));
const EMPTY_HOME = fileURLToPath(new URL('../../../../../../test/rig/empty-home', import.meta.url));

type Of<Type extends RunnerReport['type']> = Extract<RunnerReport, {type: Type}>;

/** A runner of the shell, and a test that listens to it. */
export class Listening implements AsyncDisposable {
  readonly runner: RunnerProcess;
  readonly reports: RunnerReport[] = [];
  readonly exits: RunnerExit[] = [];
  readonly #bell = new EventEmitter();

  constructor(
    job: RunJob,
    options: Partial<RunnerOptions> = {},
    onCall: (call: HostCall) => Promise<HostAnswer> = () => Promise.reject(new Error('not now')),
  ) {
    // Not the profile of whoever runs the tests: it may be slow.
    const environment = {...process.env, HOME: EMPTY_HOME, ...options.environment};
    this.runner = new RunnerProcess(
      job,
      {path: RUNNER, ...options, environment},
      {
        onReport: (report) => {
          this.reports.push(report);
          this.#bell.emit('said');
        },
        onCall,
        onExit: (exit) => this.exits.push(exit),
      },
    );
  }

  /** The first such report, made or still to be made. */
  async heard<Type extends RunnerReport['type']>(type: Type): Promise<Of<Type>> {
    for (;;) {
      const found = this.reports.find((report): report is Of<Type> => report.type === type);
      if (found !== undefined) return found;
      const {failure} = await Promise.race([
        once(this.#bell, 'said').then(() => ({failure: undefined})),
        this.runner.exited,
      ]);
      if (failure !== undefined && !this.reports.some((report) => report.type === type)) {
        throw new Error(`it ended without "${type}": ${failure?.message}`);
      }
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.runner[Symbol.asyncDispose]();
  }
}
