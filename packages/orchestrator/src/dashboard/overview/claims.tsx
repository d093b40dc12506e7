import type {
  HeldRow,
  KeptRow,
  RetryingRow,
  RunningRow,
  StoppingRow,
  WaitingRow,
} from '@symphony-supervisor/protocol';
import {memo} from 'preact/compat';
import {agentWords, codeWords, phaseWords, tokens} from '../../view/words.ts';
import {Ago, Since, Stall, Until} from '../parts/clocks.tsx';
import {useInteraction} from '../parts/confirm.tsx';
import {Icon} from '../parts/icon.tsx';
import {
  confirmClean,
  confirmDismiss,
  confirmRestart,
  confirmRetry,
  confirmStop,
} from '../parts/orders.ts';
import {IssueHead, Tags} from './row.tsx';

// One row for each kind of claim. Each is rendered again only when its own row of the snapshot changed.

export const Running = memo(({row, several}: {row: RunningRow; several: boolean}) => {
  const {confirm} = useInteraction();
  return (
    <li class="row running-row">
      <IssueHead row={row} />
      <p class="said" title={row.last_message ?? ''}>
        <Tags row={row} several={several} attempt={row.attempt} agent={agentWords(row)} />{' '}
        {row.last_message ?? <span class="faint">no message yet</span>}
      </p>
      <dl class="facts">
        <Fact name="phase" wide>
          <span class={`phase ${row.phase}`}>{phaseWords(row.phase)}</span>
        </Fact>
        <Fact name="turn">{row.turn_count}</Fact>
        <Fact name="tokens" wide={row.usage === 'unmeasured'}>
          {tokens(row)}
        </Fact>
        <Fact name="age">
          <Since at={row.started_at} />
        </Fact>
        <Fact name="quiet">
          <Stall row={row} />
        </Fact>
      </dl>
      <div class="row-buttons">
        <IconButton
          icon="stop"
          label={`Stop ${row.issue_identifier}`}
          act={() => confirm(confirmStop(row))}
        />
      </div>
    </li>
  );
});

export const Stopping = memo(({row, several}: {row: StoppingRow; several: boolean}) => (
  <li class="row">
    <IssueHead row={row} />
    <p class="said">
      <Tags row={row} several={several} /> {row.reason === null ? 'ending' : codeWords(row.reason)};
      waiting for the {codeWords(row.step)}
    </p>
    <dl class="facts">
      <Fact name="then" wide>
        {codeWords(row.next)}
      </Fact>
    </dl>
  </li>
));

function hasFailed({kind}: RetryingRow): boolean {
  return kind === 'failure' || kind === 'delivery';
}

export const Retrying = memo(({row, several}: {row: RetryingRow; several: boolean}) => {
  const {confirm} = useInteraction();
  return (
    <li class="row">
      <IssueHead row={row} />
      <p class={hasFailed(row) ? 'said bad-text' : 'said'} title={row.error ?? ''}>
        <Tags row={row} several={several} attempt={row.attempt} />{' '}
        {row.error ?? 'continues in the same conversation'}
      </p>
      <dl class="facts">
        <Fact name={row.kind === 'delivery' ? 'delivering again in' : 'due in'}>
          <Until at={row.due_at} />
        </Fact>
        <Fact name="why">{row.kind}</Fact>
      </dl>
      <div class="row-buttons">
        <IconButton
          icon="retry"
          label={`Retry ${row.issue_identifier} now`}
          act={() => confirm(confirmRetry(row, null))}
        />
        <IconButton
          icon="restart"
          label={`Restart ${row.issue_identifier}`}
          act={() => confirm(confirmRestart(row))}
        />
        <DismissButton row={row} />
      </div>
    </li>
  );
});

export const Waiting = memo(({row, several}: {row: WaitingRow; several: boolean}) => (
  <li class="row slim">
    <IssueHead row={row} />
    <p class="said">
      <Tags row={row} several={several} /> {row.reason}
    </p>
    <div class="row-buttons">
      <DismissButton row={row} />
    </div>
  </li>
));

/** A dismissed issue. */
export const Dismissed = memo(({row, several}: {row: HeldRow; several: boolean}) => {
  const {confirm} = useInteraction();
  return (
    <li class="row slim">
      <IssueHead row={row} />
      <p class="said" title={row.message}>
        <Tags row={row} several={several} /> <Ago at={row.since} />
      </p>
      <div class="row-buttons">
        <IconButton
          icon="retry"
          label={`Retry ${row.issue_identifier} now`}
          act={() => confirm(confirmRetry(row, null))}
        />
      </div>
    </li>
  );
});

function DismissButton({row}: {row: RetryingRow | WaitingRow}) {
  const {confirm} = useInteraction();
  return (
    <IconButton
      icon="dismiss"
      label={`Dismiss ${row.issue_identifier}`}
      act={() => confirm(confirmDismiss(row))}
    />
  );
}

/** A kept workspace of a finished issue: its path and its content. */
export const Kept = memo(({row, several}: {row: KeptRow; several: boolean}) => {
  const {confirm} = useInteraction();
  return (
    <li class="row slim">
      <IssueHead row={row} />
      <p class="said" title={row.workspace_path}>
        <Tags row={row} several={several} /> {row.reason}{' '}
        <span class="faint">{row.workspace_path}</span>
      </p>
      <div class="row-buttons">
        <IconButton
          icon="stop"
          label={`Remove the workspace of ${row.issue_identifier}`}
          act={() => confirm(confirmClean(row))}
        />
      </div>
    </li>
  );
});

interface FactProps {
  readonly name: string;
  readonly wide?: boolean;
  readonly children: preact.ComponentChildren;
}

export function Fact({name, wide = false, children}: FactProps) {
  return (
    <div class={wide ? 'fact wide' : 'fact'}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

interface IconButtonProps {
  readonly icon: Parameters<typeof Icon>[0]['name'];
  readonly label: string;
  readonly act: () => void;
}

export function IconButton({icon, label, act}: IconButtonProps) {
  return (
    <button type="button" class="icon-button" title={label} aria-label={label} onClick={act}>
      <Icon name={icon} />
    </button>
  );
}
