/** What a supervisor holds while nothing runs. */
export interface Reading {
  readonly runs: number;
  readonly timers: number;
  readonly handles: number;
  readonly files: number;
  readonly listeners: number;
  readonly heapKb: number;
  readonly rssKb: number;
}

/** From the first third of the readings to the last, by their medians. */
export interface Growth {
  readonly timers: number;
  readonly handles: number;
  readonly files: number;
  readonly listeners: number;
  readonly heapKbPerRun: number;
  readonly rssKbPerRun: number;
}

export function growthOf(readings: readonly Reading[]): Growth {
  const third = Math.max(1, Math.floor(readings.length / 3));
  const [early, late] = [readings.slice(0, third), readings.slice(-third)];
  const grown = (of: keyof Reading) => median(late, of) - median(early, of);
  const runs = Math.max(1, grown('runs'));
  return {
    timers: grown('timers'),
    handles: grown('handles'),
    files: grown('files'),
    listeners: grown('listeners'),
    heapKbPerRun: Math.round((100 * grown('heapKb')) / runs) / 100,
    rssKbPerRun: Math.round((100 * grown('rssKb')) / runs) / 100,
  };
}

/** The last lines about each of 500 issues are kept, and counters for ever: a run leaves a trace of a few kilobytes. */
const HEAP_KB_PER_RUN = 20;
/** A log file that was rotated, a connection that was renewed: nothing that counts runs. */
const SLACK = 3;

export function verdictOn({heapKbPerRun, rssKbPerRun: _, ...counts}: Growth): string[] {
  const tooMany = Object.entries(counts).filter(([, grown]) => grown > SLACK);
  return [
    ...tooMany.map(([name, grown]) => `${name} by ${grown}`),
    ...(heapKbPerRun > HEAP_KB_PER_RUN ? [`the heap by ${heapKbPerRun} kB a run`] : []),
  ];
}

function median(readings: readonly Reading[], of: keyof Reading): number {
  const sorted = readings.map((reading) => reading[of]).toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
