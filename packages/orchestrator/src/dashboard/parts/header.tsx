import type {Snapshot} from '@symphony-supervisor/protocol';
import {countdown, span} from '../../view/words.ts';
import type {ConnectionState} from '../live/live-connection.ts';
import {useNow} from '../live/now.ts';
import {Icon, type IconName} from './icon.tsx';
import type {Theme} from './theme.ts';

const THEME_ICONS: Readonly<Record<Theme, IconName>> = {auto: 'auto', light: 'sun', dark: 'moon'};

interface Props {
  readonly connection: ConnectionState;
  readonly snapshot: Snapshot | null;
  readonly theme: Theme;
  readonly actions: {
    readonly pause: () => void;
    readonly refresh: () => void;
    readonly theme: () => void;
    readonly help: () => void;
    readonly retry: () => void;
  };
}

export function Header({connection, snapshot, theme, actions}: Props) {
  const isPaused = snapshot !== null && everyPaused(snapshot);
  return (
    <header class="top">
      <button type="button" class="skip" onClick={skip}>
        Skip to content
      </button>
      <a class="brand" href="#/">
        <Mark /> Symphony <span class="brand-more">Supervisor</span>
        {snapshot === null ? null : <span class="version">{snapshot.supervisor.version}</span>}
      </a>
      <ConnectionStatus connection={connection} retry={actions.retry} />
      <div class="top-buttons">
        <button type="button" onClick={actions.pause} disabled={snapshot === null}>
          <Icon name={isPaused ? 'play' : 'pause'} />
          <span class="label">{isPaused ? 'Resume dispatch' : 'Pause dispatch'}</span>
        </button>
        <button type="button" onClick={actions.refresh} disabled={snapshot === null}>
          <Icon name="refresh" />
          <span class="label">Refresh</span>
        </button>
        <button
          type="button"
          class="icon-button"
          aria-label={`Theme: ${theme}. Change`}
          title={`Theme: ${theme}`}
          onClick={actions.theme}
        >
          <Icon name={THEME_ICONS[theme]} />
        </button>
        <button
          type="button"
          class="icon-button"
          aria-label="Keyboard shortcuts"
          title="Keyboard shortcuts"
          onClick={actions.help}
        >
          <Icon name="help" />
        </button>
      </div>
    </header>
  );
}

export function everyPaused({projects}: Snapshot): boolean {
  return projects.length > 0 && projects.every(({is_paused: isPaused}) => isPaused);
}

/** Not a link: the part of the address after `#` is the route of the page. */
function skip(): void {
  document.getElementById('main')?.focus();
}

function ConnectionStatus({connection, retry}: {connection: ConnectionState; retry: () => void}) {
  return (
    <div class={`connection ${connection.is}`} role="status">
      <span class="connection-dot" aria-hidden="true" />
      {connection.is === 'live' ? 'live' : null}
      {connection.is === 'connecting' ? 'connecting…' : null}
      {connection.is === 'locked' ? 'locked' : null}
      {connection.is === 'down' ? (
        <>
          disconnected
          <button type="button" class="small-button" onClick={retry}>
            Try now
          </button>
        </>
      ) : null}
    </div>
  );
}

/** Shows since when the page is disconnected, and how old its data are. */
export function DownBar({
  connection,
  snapshot,
}: {
  connection: ConnectionState;
  snapshot: Snapshot | null;
}) {
  useNow(); // ticks; both instants are from the browser's clock
  if (connection.is !== 'down') return null;
  const now = Date.now();
  return (
    <div class="down-bar">
      <Icon name="alert" />
      <span>
        Disconnected from the supervisor for {span(now - connection.since)}: {connection.why}. Next
        try {connection.retryAt <= now ? 'now' : `in ${countdown(connection.retryAt, now)}`}.
        {snapshot === null
          ? null
          : ` The page shows the state at ${new Date(snapshot.generated_at).toLocaleTimeString()}.`}
      </span>
    </div>
  );
}

function Mark() {
  return (
    <svg class="mark" viewBox="0 0 20 20" aria-hidden="true">
      <path d="M3 12V8M7 15V5M11 17V3M15 13V7M18.5 11V9" />
    </svg>
  );
}
