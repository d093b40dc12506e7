import {createContext} from 'preact';
import {useContext, useEffect, useState} from 'preact/hooks';
import {Live} from './live.ts';

export const LiveContext = createContext(new Live());

const TICK_MS = 1000;
const tickers = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** The supervisor's time, told every second. One timer for all clocks on the page. */
export function useNow(): number {
  const {clock} = useContext(LiveContext);
  const [now, setNow] = useState(() => clock.now());
  useEffect(() => {
    const tick = () => setNow(clock.now());
    tickers.add(tick);
    timer ??= setInterval(() => {
      for (const each of tickers) each();
    }, TICK_MS);
    return () => {
      tickers.delete(tick);
      if (tickers.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    };
  }, [clock]);
  return now;
}
