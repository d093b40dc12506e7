import type {RunningRow} from '@symphony-supervisor/protocol';
import {stallClock} from '../../view/stall-clock.ts';
import {countdown, roughly, span} from '../../view/words.ts';
import {useNow} from '../live/now.ts';

// Small clocks that tick by themselves, so that a second that passes draws a few words and not the page.

export function Since({at}: {at: string}) {
  const now = useNow();
  return (
    <time dateTime={at} title={localTime(at)}>
      {span(now - Date.parse(at))}
    </time>
  );
}

export function Ago({at}: {at: string}) {
  const now = useNow();
  return (
    <time dateTime={at} title={localTime(at)}>
      {roughly(now - Date.parse(at))} ago
    </time>
  );
}

export function Until({at}: {at: string}) {
  const now = useNow();
  return (
    <time dateTime={at} title={localTime(at)}>
      {countdown(Date.parse(at), now)}
    </time>
  );
}

/** How long the agent has been silent, with a bar that fills towards the stall. */
export function Stall({row}: {row: RunningRow}) {
  const {quietMs, used, level} = stallClock(row, useNow());
  const says =
    row.stalls_at === null ? 'no stall clock now' : `a stall at ${localTime(row.stalls_at)}`;
  return (
    <span class={`stall ${level}`} title={`silent for ${span(quietMs)}; ${says}`}>
      <span class="stall-words">{span(quietMs)}</span>
      <svg class="stall-bar" viewBox="0 0 40 3" preserveAspectRatio="none" aria-hidden="true">
        <rect class="track" width="40" height="3" rx="1.5" />
        {used === null ? null : <rect class="fill" width={40 * used} height="3" rx="1.5" />}
      </svg>
    </span>
  );
}

export function localTime(at: string): string {
  return new Date(at).toLocaleString();
}
