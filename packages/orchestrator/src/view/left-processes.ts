import type {LeftProcess, Snapshot} from '@symphony-supervisor/protocol';

export interface LeftOfRun {
  readonly runId: string | null;
  /** `2 processes of run a-1 could not be ended: pid 12 (node), pid 14 (git)` */
  readonly message: string;
}

/** Processes that could not be ended, by run. */
export function leftProcesses({supervisor}: Snapshot): LeftOfRun[] {
  const byRun = new Map<string | null, LeftProcess[]>();
  for (const row of supervisor.left_processes) {
    byRun.set(row.run_id, [...(byRun.get(row.run_id) ?? []), row]);
  }
  return [...byRun].map(([runId, rows]) => {
    const what = rows.length === 1 ? '1 process' : `${rows.length} processes`;
    const pids = rows.map(({pid, command}) => `pid ${pid} (${command})`).join(', ');
    const whose = runId === null ? 'an unknown run' : `run ${runId}`;
    return {runId, message: `${what} of ${whose} could not be ended: ${pids}`};
  });
}
