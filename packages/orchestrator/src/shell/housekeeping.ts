import {join, relative} from 'node:path';
import type {Workflow} from '@symphony-supervisor/protocol';
import {cutOff} from '../core/resume.ts';
import type {Store} from '../store/index.ts';
import type {Log} from './log.ts';
import type {Loop} from './loop.ts';
import type {Outside} from './outside.ts';

export interface HousekeepingOptions {
  readonly stateDir: string;
  readonly logsRoot: string;
  readonly store: Store;
  readonly loop: () => Loop;
  readonly outside: Pick<Outside, 'clock' | 'shortageIn' | 'letGoOfOld'>;
  readonly log: Log;
}

/** What has to be looked after from time to time, so that weeks leave nothing behind. */
export class Housekeeping {
  readonly #options: HousekeepingOptions;

  constructor(options: HousekeepingOptions) {
    this.#options = options;
  }

  async checkDisk({settings}: Workflow): Promise<void> {
    const {outside, stateDir, loop} = this.#options;
    const shortage = await outside.shortageIn([settings.workspace.root, stateDir]);
    loop().post({type: 'disk.checked', project: settings.name, shortage});
  }

  /** Many systems empty their temporary folder, at a reboot or by age, and agents' work with it. */
  warnOfSweptRoot({settings: {name, workspace}}: Workflow, tmpDir: string): void {
    if (relative(tmpDir, workspace.root).startsWith('..')) return;
    const reason = `${workspace.root} is in a temporary folder, which may be emptied; set workspace.root`;
    const about = {event: 'workspace.root_is_temporary', project: name, reason};
    this.#options.log('warn', about, 'workspace.root_is_temporary');
  }

  async letGoOfOld(): Promise<void> {
    const {store, logsRoot, log, outside} = this.#options;
    const live = this.#liveRuns();
    const isLive = (runId: string) => live.has(runId);
    const options = {store, folder: join(logsRoot, 'runs'), isLive, log};
    await outside.letGoOfOld(options, outside.clock.now());
  }

  /** A run on record that no claim knows: it was cut off between two writes. */
  closeForgottenRuns(): void {
    const {store, log, outside} = this.#options;
    try {
      const live = this.#liveRuns();
      const forgotten = store.openRuns().filter(({runId}) => !live.has(runId));
      if (forgotten.length > 0) {
        store.save({runsEnded: cutOff(forgotten, new Map(), outside.clock.now())});
      }
    } catch (error) {
      log('warn', {event: 'runs.not_closed', reason: String(error)}, 'runs.not_closed');
    }
  }

  #liveRuns(): Set<string> {
    const runs = new Set<string>();
    for (const claim of this.#options.loop().state.claims.values()) {
      if ('run' in claim && claim.run !== null) runs.add(claim.run.id);
    }
    return runs;
  }
}
