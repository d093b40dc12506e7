import {relative} from 'node:path';
import type {LogSettings, Workflow} from '@symphony-supervisor/protocol';
import {cutOff} from '../../core/life/resume.ts';
import type {State} from '../../core/state.ts';
import type {Store} from '../../store/index.ts';
import type {Host} from '../host/host.ts';
import type {Freed} from '../host/transcripts.ts';
import type {Log} from '../log.ts';
import type {Loop} from '../loop.ts';
import type {Outside} from '../outside.ts';

export interface HousekeepingOptions {
  readonly host: Pick<Host, 'transcripts' | 'shortageFor'>;
  readonly store: Store;
  readonly loop: () => Loop;
  readonly outside: Pick<Outside, 'clock' | 'letGoOfOld'>;
  /** Whether this run or small job has a process. */
  readonly isAtWork: (runId: string) => boolean;
  readonly log: Log;
}

/** Of the first file, because the logs of all projects share a folder; null before it is loaded. */
export function logSettingsOf({projects}: State): LogSettings | null {
  const [first] = projects.values();
  return first?.workflow.settings.logs ?? null;
}

/** Periodic maintenance, so that weeks of operation leave nothing behind. */
export class Housekeeping {
  readonly #options: HousekeepingOptions;

  constructor(options: HousekeepingOptions) {
    this.#options = options;
  }

  /** Old transcripts are deleted before lack of disk space stops agents. */
  async checkDisk({settings}: Workflow): Promise<void> {
    const {host, loop} = this.#options;
    const look = () => host.shortageFor(settings.workspace.root);
    let shortage = await look();
    if (shortage !== null) {
      const {missingBytes, device} = shortage;
      const isLive = this.#isLive();
      const freed = await this.#trim(host.transcripts.giveBack(missingBytes, device, isLive));
      if (freed > 0) shortage = await look();
    }
    const message = shortage?.message ?? null;
    loop().post({type: 'disk.checked', project: settings.name, shortage: message});
  }

  /** With every start of a run. Current runs count with their maximum size. */
  async trimLogs(): Promise<void> {
    const {host, loop} = this.#options;
    const settings = logSettingsOf(loop().state);
    if (settings === null) return;
    const reserved = this.#liveRuns().size * settings.maxRunBytes;
    const limit = settings.maxTotalBytes - reserved;
    await this.#trim(host.transcripts.keepBelow(limit, this.#isLive()));
  }

  /** How many bytes were freed. */
  async #trim(trimming: Promise<Freed>): Promise<number> {
    const {log} = this.#options;
    try {
      const {transcripts, bytes} = await trimming;
      if (transcripts > 0) log('info', {event: 'logs.trimmed', transcripts, bytes}, 'logs.trimmed');
      return bytes;
    } catch (error) {
      log('warn', {event: 'logs.not_trimmed', reason: String(error)}, 'logs.not_trimmed');
      return 0;
    }
  }

  /** Many systems empty their temporary folder, at a reboot or by age, and agents' work with it. */
  warnOfSweptRoot({settings: {name, workspace}}: Workflow, tmpDir: string): void {
    if (relative(tmpDir, workspace.root).startsWith('..')) return;
    const reason = `${workspace.root} is in a temporary folder, where the system deletes old files; set workspace.root`;
    const about = {event: 'workspace.root_is_temporary', project: name, reason};
    this.#options.log('warn', about, 'workspace.root_is_temporary');
  }

  async letGoOfOld(): Promise<void> {
    const {store, host, log, outside} = this.#options;
    const options = {store, transcripts: host.transcripts, isLive: this.#isLive(), log};
    await outside.letGoOfOld(options, outside.clock.now());
  }

  /** A recorded run without a claim: it was interrupted between two writes. */
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

  #isLive(): (runId: string) => boolean {
    const {isAtWork} = this.#options;
    const live = this.#liveRuns();
    return (runId) => live.has(runId) || isAtWork(runId);
  }

  #liveRuns(): Set<string> {
    const runs = new Set<string>();
    for (const claim of this.#options.loop().state.claims.values()) {
      if ('run' in claim && claim.run !== null) runs.add(claim.run.id);
    }
    return runs;
  }
}
