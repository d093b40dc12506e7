import {useEffect, useLayoutEffect, useRef, useState} from 'preact/hooks';
import {count} from '../../view/words.ts';
import {Icon} from '../parts/icon.tsx';
import {EntryView} from './entries.tsx';
import {TranscriptFeed} from './transcript-feed.ts';

/** Maximum number of rendered entries; thousands would make every scroll slow. */
const DRAWN = 200;

/** The feed of one run; a new number for every change in it. */
export function useFeed(runId: string | null, isLive: boolean): TranscriptFeed | null {
  const [feed, setFeed] = useState<TranscriptFeed | null>(null);
  const [, setVersion] = useState(0);
  // Before the paint: one run is never shown under another's name.
  useLayoutEffect(() => {
    if (runId === null) return setFeed(null);
    const opened = new TranscriptFeed(runId, isLive, () => setVersion((version) => version + 1));
    setFeed(opened);
    void opened.open();
    return () => opened[Symbol.dispose]();
  }, [runId]);
  useEffect(() => feed?.setLive(isLive), [feed, isLive]);
  return feed;
}

export function TranscriptView({feed, isLive}: {feed: TranscriptFeed; isLive: boolean}) {
  const box = useRef<HTMLDivElement>(null);
  const [isFollowing, setFollowing] = useState(true);
  const [drawn, setDrawn] = useState(DRAWN);
  const {entries} = feed.reader;
  const from = Math.max(0, entries.length - drawn);
  // The view stays where the user scrolled; at the end it follows.
  useLayoutEffect(() => {
    if (isFollowing && box.current !== null) box.current.scrollTop = box.current.scrollHeight;
  });
  const onScroll = () => {
    const {current} = box;
    if (current === null) return;
    setFollowing(current.scrollHeight - current.scrollTop - current.clientHeight < 40);
  };
  const earlier = () => {
    setFollowing(false);
    setDrawn(drawn + DRAWN);
    if (from < DRAWN && feed.hasEarlier) void feed.loadEarlier();
  };
  return (
    <div class="transcript-frame">
      <section
        class="transcript"
        ref={box}
        onScroll={onScroll}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
        tabIndex={0}
        aria-label="Transcript"
      >
        {from > 0 || feed.hasEarlier ? (
          <button type="button" class="more" onClick={earlier}>
            Load earlier
          </button>
        ) : null}
        {feed.error === null ? null : (
          <p class="bad-text">The transcript cannot be read: {feed.error}</p>
        )}
        {feed.isLoading ? <p class="empty">Loading…</p> : null}
        <ol class="entries">
          {entries.slice(from).map((entry) => (
            <EntryView key={entry.key} entry={entry} />
          ))}
        </ol>
        {isLive ? <p class="live-end">the run continues</p> : null}
      </section>
      {isFollowing ? null : (
        <button type="button" class="jump" onClick={() => setFollowing(true)}>
          <Icon name="down" /> To the end
        </button>
      )}
      <p class="faint small">{count(feed.size)} bytes of transcript</p>
    </div>
  );
}
