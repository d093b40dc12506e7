import {createContext} from 'preact';
import {useContext, useEffect, useLayoutEffect, useRef, useState} from 'preact/hooks';
import {Live} from './live.ts';

export const LiveContext = createContext(new Live());

const TICK_MS = 1000;
const tickers = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** Calls `tick` every second, and once before the next paint. One timer for all clocks on the page. */
export function useTick(tick: (now: number) => void): void {
  const {clock} = useContext(LiveContext);
  const latest = useRef(tick);
  latest.current = tick;
  useLayoutEffect(() => latest.current(clock.now()));
  useEffect(() => {
    const each = () => latest.current(clock.now());
    tickers.add(each);
    timer ??= setInterval(() => {
      for (const ticker of tickers) ticker();
    }, TICK_MS);
    return () => {
      tickers.delete(each);
      if (tickers.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    };
  }, [clock]);
}

/** The supervisor's time; its users are rendered again every second. */
export function useNow(): number {
  const {clock} = useContext(LiveContext);
  const [now, setNow] = useState(() => clock.now());
  useTick((next) => {
    // The first call comes with the rendering itself.
    if (Math.abs(next - now) >= TICK_MS / 2) setNow(next);
  });
  return now;
}
