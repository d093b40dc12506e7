import {readFileSync} from 'node:fs';

// What Linux tells about a process; there is no other way to ask about one that is not our own.

/** CPU time of a process's main thread so far, in milliseconds. */
export function mainThreadCpuMs(pid: number): number {
  const [ns = ''] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ');
  return Number(ns) / 1e6;
}

export function childrenOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return text.trim().split(' ').filter(Boolean).map(Number);
}

/** Memory in megabytes, pages that others share counted in part: sums of it are true. */
export function pssMb(pid: number): number {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  return Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1]) / 1024;
}
