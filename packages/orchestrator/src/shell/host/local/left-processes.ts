import type {LeftProcess} from '@symphony-supervisor/protocol';
import {
  commandOf,
  environmentEntry,
  isAlive,
  type ProcessIdentity,
} from '@symphony-supervisor/protocol/processes';
import type {Log} from '../../log.ts';

/** Processes of runs that could not be ended, such as one in uninterruptible I/O. */
export class LeftProcesses {
  readonly #log: Log;
  readonly #left = new Map<number, {identity: ProcessIdentity; row: LeftProcess}>();

  constructor(log: Log) {
    this.#log = log;
  }

  /** Without a run id, it is read from the environment of each process. Each process is logged once. */
  note(identities: readonly ProcessIdentity[], runId: string | null = null): void {
    for (const identity of identities) {
      const {pid, startedAt} = identity;
      if (this.#left.get(pid)?.identity.startedAt === startedAt) continue;
      const row = {
        run_id: runId ?? environmentEntry(pid, 'SYMPHONY_RUN_ID'),
        pid,
        command: commandOf(pid) ?? 'unknown',
      };
      if (!isAlive(identity)) continue; // it ended in the meantime, and its pid may be reused
      this.#left.set(pid, {identity, row});
      this.#log('error', {event: 'processes.left', ...row}, 'a process could not be ended');
    }
  }

  /** Those that are still alive. */
  get rows(): LeftProcess[] {
    for (const [pid, {identity}] of this.#left) if (!isAlive(identity)) this.#left.delete(pid);
    return [...this.#left.values()].map(({row}) => row);
  }
}
