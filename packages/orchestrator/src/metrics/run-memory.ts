import {readFile} from 'node:fs/promises';
import type {State} from '../core/state.ts';
import type {Instruments} from './instruments.ts';

const KINDS = {rss: /^Rss:\s+(\d+) kB$/m, pss: /^Pss:\s+(\d+) kB$/m} as const;

/** Memory of the processes of all runs. Zero where there is no `/proc`. */
export async function readRunMemory(to: Instruments, state: State): Promise<void> {
  const runs = [...state.claims.values()].flatMap((claim) =>
    'run' in claim && claim.run !== null ? [claim.run] : [],
  );
  const processes = {
    runner: runs.flatMap(({process: runner}) => runner?.pid ?? []),
    agent: runs.flatMap(({agentPid}) => agentPid ?? []),
  };
  for (const [name, pids] of Object.entries(processes)) {
    const texts = await Promise.all(pids.map(rollup));
    for (const [kind, pattern] of Object.entries(KINDS)) {
      const kilobytes = texts.map((text) => Number(pattern.exec(text)?.[1] ?? 0));
      const sum = kilobytes.reduce((total, some) => total + some, 0);
      to.childMemory.set({process: name, kind}, sum * 1024);
    }
  }
}

/** Empty for a process that has just ended. */
async function rollup(pid: number): Promise<string> {
  return readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
}
