import type {RunningRow} from '@symphony-supervisor/protocol';

export interface StallClock {
  readonly quietMs: number;
  /** 0 … 1: the used share of the allowed silence; null while the stall clock is stopped. */
  readonly used: number | null;
  readonly level: 'calm' | 'uneasy' | 'alarming';
}

const UNEASY = 0.5;
const ALARMING = 0.8;

/** How long an agent has been silent, and how close that is to a stall. */
export function stallClock(
  row: Pick<RunningRow, 'stalls_at' | 'last_event_at' | 'started_at'>,
  now: number,
): StallClock {
  const heardAt = Date.parse(row.last_event_at ?? row.started_at);
  const quietMs = Math.max(0, now - heardAt);
  if (row.stalls_at === null) return {quietMs, used: null, level: 'calm'};
  const allowed = Math.max(1, Date.parse(row.stalls_at) - heardAt);
  const used = Math.min(1, quietMs / allowed);
  const level = used >= ALARMING ? 'alarming' : used >= UNEASY ? 'uneasy' : 'calm';
  return {quietMs, used, level};
}
