import type {RunningRow} from '@symphony-supervisor/protocol';
import {useRef} from 'preact/hooks';
import {stallClock} from '../../view/stall-clock.ts';
import {countdown, roughly, span} from '../../view/words.ts';
import {useTick} from '../live/now.ts';

// Small clocks that update themselves. There may be a thousand on the page, so each second changes a few words in
// place and renders nothing.

export function Since({at}: {at: string}) {
  return <Clock at={at} words={(ms) => span(ms)} />;
}

export function Ago({at}: {at: string}) {
  return <Clock at={at} words={(ms) => `${roughly(ms)} ago`} />;
}

export function Until({at}: {at: string}) {
  return <Clock at={at} words={(ms) => countdown(0, ms)} />;
}

/** `words` gets the time since `at`. */
function Clock({at, words}: {at: string; words: (ms: number) => string}) {
  const place = useRef<HTMLTimeElement>(null);
  useTick((now) => write(place.current, words(now - Date.parse(at))));
  return <time ref={place} dateTime={at} title={localTime(at)} />;
}

/** Time since the agent's last sign of life, with a bar that fills towards the stall timeout. */
export function Stall({row}: {row: RunningRow}) {
  const place = useRef<HTMLSpanElement>(null);
  const words = useRef<HTMLSpanElement>(null);
  const fill = useRef<SVGRectElement>(null);
  useTick((now) => {
    const {quietMs, used, level} = stallClock(row, now);
    write(words.current, span(quietMs));
    fill.current?.setAttribute('width', (40 * (used ?? 0)).toFixed(1));
    if (place.current !== null) place.current.className = `stall ${level}`;
  });
  const says =
    row.stalls_at === null ? 'no stall timeout now' : `stalls at ${localTime(row.stalls_at)}`;
  return (
    <span ref={place} title={`time since the last sign of life; ${says}`}>
      <span ref={words} class="stall-words" />
      <svg class="stall-bar" viewBox="0 0 40 3" preserveAspectRatio="none" aria-hidden="true">
        <rect class="track" width="40" height="3" rx="1.5" />
        <rect ref={fill} class="fill" height="3" rx="1.5" />
      </svg>
    </span>
  );
}

function write(place: HTMLElement | null, text: string): void {
  if (place !== null && place.textContent !== text) place.textContent = text;
}

export function localTime(at: string): string {
  return new Date(at).toLocaleString();
}
