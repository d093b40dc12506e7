import {useContext, useEffect, useLayoutEffect, useMemo, useRef, useState} from 'preact/hooks';
import {span} from '../../view/words.ts';
import {IssuePage} from '../issue/issue-page.tsx';
import {ApiError, refresh} from '../live/api.ts';
import {useLive} from '../live/live.ts';
import {LiveContext} from '../live/now.ts';
import {Overview} from '../overview/overview.tsx';
import {
  type Confirmation,
  ConfirmDialog,
  type Interaction,
  InteractionContext,
  type Toast,
} from './confirm.tsx';
import {DownBar, everyPaused, Header} from './header.tsx';
import {confirmPause} from './orders.ts';
import {useRoute} from './route.ts';
import {moveRow, type Shortcut, ShortcutList, useShortcuts} from './shortcuts.tsx';
import {SignIn} from './sign-in.tsx';
import {applyTheme, nextTheme, savedTheme} from './theme.ts';

const TOAST_MS = 6000;

export function App() {
  const live = useContext(LiveContext);
  const view = useLive(live);
  const route = useRoute();
  const [theme, setTheme] = useState(savedTheme);
  const [filter, setFilter] = useState('');
  const [confirmation, setConfirmation] = useState<Confirmation | null>(null);
  const [hasHelp, setHelp] = useState(false);
  const [needsSignIn, setNeedsSignIn] = useState(false);
  const {toasts, notify} = useToasts();
  const {snapshot, connection} = view;

  const interaction = useMemo((): Interaction => {
    const perform = async (act: () => Promise<unknown>, doneText: string) => {
      try {
        await act();
        notify(doneText);
        return true;
      } catch (error) {
        if (error instanceof ApiError && error.status === 401) setNeedsSignIn(true);
        notify(error instanceof Error ? error.message : String(error), true);
        return false;
      }
    };
    return {confirm: setConfirmation, perform, notify};
  }, [notify]);

  const isPaused = snapshot !== null && everyPaused(snapshot);
  const actions = {
    pause: () => setConfirmation(confirmPause(isPaused, null)),
    refresh: () => void interaction.perform(refresh, 'The tracker is being polled'),
    theme: () => setTheme(nextTheme),
    help: () => setHelp(true),
    retry: () => live.connection.retryNow(),
  };
  const shortcuts: Shortcut[] = [
    {keys: '?', does: 'this list', act: actions.help},
    {keys: 'j', does: 'next row', act: () => moveRow(1)},
    {keys: 'k', does: 'previous row', act: () => moveRow(-1)},
    {keys: '/', does: 'filter issues', act: () => document.getElementById('filter')?.focus()},
    {keys: 'o', does: 'overview', act: goHome},
    {keys: 'r', does: 'refresh: poll the tracker now', act: actions.refresh},
    {keys: 'p', does: 'pause or resume dispatch', act: actions.pause},
    {keys: 't', does: 'theme: system, light, dark', act: actions.theme},
    {keys: 's', does: 'on an issue: stop its run', act: () => press('s')},
    {keys: 'y', does: 'on an issue: retry now', act: () => press('y')},
    {keys: 'x', does: 'on an issue: restart', act: () => press('x')},
    {keys: 'd', does: 'on an issue: dismiss', act: () => press('d')},
  ];
  useShortcuts(shortcuts);
  useLayoutEffect(() => applyTheme(theme), [theme]);
  useTitle(view.snapshot === null ? null : view.snapshot.counts, connection.is);
  useBackAgain(connection, notify);
  useFocusOnRoute(route.is === 'overview' ? '' : `${route.project}/${route.issue_identifier}`);

  const isLocked = connection.is === 'locked' || needsSignIn;
  return (
    <InteractionContext.Provider value={interaction}>
      <Header connection={connection} snapshot={snapshot} theme={theme} actions={actions} />
      <DownBar connection={connection} snapshot={snapshot} />
      {isLocked ? (
        <SignIn
          retry={() => {
            setNeedsSignIn(false);
            live.connection.retryNow();
          }}
        />
      ) : snapshot === null ? (
        <main id="main" tabIndex={-1}>
          <p class="empty">{connection.is === 'down' ? 'No data yet.' : 'Connecting…'}</p>
        </main>
      ) : route.is === 'overview' ? (
        <Overview view={view} snapshot={snapshot} filter={filter} setFilter={setFilter} />
      ) : (
        <IssuePage name={route} runId={route.runId} snapshot={snapshot} />
      )}
      <div class="toasts" role="status" aria-live="polite">
        {toasts.map(({key, text, isError}) => (
          <p key={key} class={isError ? 'toast error' : 'toast'}>
            {text}
          </p>
        ))}
      </div>
      {confirmation === null ? null : (
        <ConfirmDialog
          confirmation={confirmation}
          interaction={interaction}
          close={() => setConfirmation(null)}
        />
      )}
      {hasHelp ? <ShortcutList shortcuts={shortcuts} close={() => setHelp(false)} /> : null}
    </InteractionContext.Provider>
  );
}

function goHome(): void {
  location.hash = '#/';
}

/** The button of a key, if the page currently has it. */
function press(key: string): void {
  document.querySelector<HTMLButtonElement>(`button[data-key="${key}"]`)?.click();
}

/** The last messages, for a few seconds. */
function useToasts() {
  const [toasts, setToasts] = useState<readonly Toast[]>([]);
  const next = useRef(0);
  const notify = useMemo(() => {
    return (text: string, isError = false) => {
      const key = next.current++;
      setToasts((all) => [...all.slice(-3), {key, text, isError}]);
      setTimeout(() => setToasts((all) => all.filter((each) => each.key !== key)), TOAST_MS);
    };
  }, []);
  return {toasts, notify};
}

function useTitle(counts: {running: number; held: number} | null, connection: string): void {
  const held = counts === null || counts.held === 0 ? '' : `${counts.held} held · `;
  const figures = counts === null ? '' : `${held}${counts.running} running – `;
  const title = `${connection === 'down' ? '(down) ' : ''}${figures}Symphony Supervisor`;
  useLayoutEffect(() => {
    document.title = title;
  }, [title]);
}

/** A restored connection is announced, because its loss may have gone unnoticed. */
function useBackAgain(
  connection: {is: string; since?: number},
  notify: (text: string) => void,
): void {
  const downSince = useRef<number | null>(null);
  useEffect(() => {
    if (connection.is === 'down') downSince.current = connection.since ?? null;
    if (connection.is !== 'live' || downSince.current === null) return;
    notify(`Connected again after ${span(Date.now() - downSince.current)}`);
    downSince.current = null;
  }, [connection, notify]);
}

/** Another page: users of a screen reader or a keyboard start at its top. */
function useFocusOnRoute(place: string): void {
  const isFirst = useRef(true);
  useLayoutEffect(() => {
    if (!isFirst.current) {
      document.getElementById('main')?.focus({preventScroll: true});
      scrollTo(0, 0);
    }
    isFirst.current = false;
  }, [place]);
}
