import type {Snapshot} from '@symphony-supervisor/protocol';
import {alertsOf} from '../../view/attention.ts';
import type {View} from '../live/live.ts';
import {Until} from '../parts/clocks.tsx';
import {Icon} from '../parts/icon.tsx';
import {Dismissed, Kept, Retrying, Running, Stopping, Waiting} from './claims.tsx';
import {Held} from './held.tsx';
import {matching, Section} from './row.tsx';
import {Limits, Projects, RecentRuns, Throughput} from './side.tsx';
import {Stats} from './stats.tsx';

interface Props {
  readonly view: View;
  readonly snapshot: Snapshot;
  readonly filter: string;
  readonly setFilter: (filter: string) => void;
}

/** The overview: issues that need input first, then runs, then waiting issues. */
export function Overview({view, snapshot, filter, setFilter}: Props) {
  const several = snapshot.projects.length > 1;
  return (
    <main id="main" tabIndex={-1}>
      <h1 class="unseen">Overview</h1>
      <Attention snapshot={snapshot} />
      <Stats snapshot={snapshot} tokens={view.tokens} />
      <div class="columns">
        <div class="column">
          <label class="filter">
            <span class="unseen">Filter issues</span>
            <input
              id="filter"
              type="search"
              placeholder="Filter issues  ( / )"
              value={filter}
              onInput={(event) => setFilter(event.currentTarget.value)}
            />
          </label>
          <Claims snapshot={snapshot} several={several} filter={filter} />
        </div>
        <aside class="column side" aria-label="Projects and history">
          <Throughput runs={view.runs} />
          <Limits limits={snapshot.rate_limits} />
          <Projects snapshot={snapshot} />
          <RecentRuns runs={view.runs} several={several} />
        </aside>
      </div>
    </main>
  );
}

function Attention({snapshot}: {snapshot: Snapshot}) {
  const alerts = alertsOf(snapshot);
  if (alerts.length === 0) return null;
  return (
    <ul class="alerts" aria-label="Needs attention">
      {alerts.map((alert) => (
        <li key={alert.key} class={`alert ${alert.severity}`}>
          <Icon name="alert" />
          <div>
            <strong>
              {alert.project === null ? '' : `${alert.project}: `}
              {alert.title}
            </strong>
            {alert.next === null ? null : (
              <span class="faint">
                {' '}
                · {alert.next.words} in <Until at={alert.next.at} />
              </span>
            )}
            {alert.detail === null ? null : <p>{alert.detail}</p>}
          </div>
        </li>
      ))}
    </ul>
  );
}

function Claims({
  snapshot,
  several,
  filter,
}: {
  snapshot: Snapshot;
  several: boolean;
  filter: string;
}) {
  const held = matching(snapshot.held, filter);
  const running = matching(snapshot.running, filter);
  const stopping = matching(snapshot.stopping, filter);
  const retrying = matching(snapshot.retrying, filter);
  const waiting = matching(snapshot.waiting, filter);
  const dismissed = matching(snapshot.dismissed, filter);
  const kept = matching(snapshot.kept, filter);
  const isFiltered = filter.trim() !== '';
  return (
    <>
      {held.length === 0 ? null : (
        <Section id="held" title="Needs input" tone="held-panel" shown={held.length}>
          <ul class="rows">
            {held.map((row) => (
              <Held key={keyOf(row)} row={row} several={several} />
            ))}
          </ul>
        </Section>
      )}
      <Section id="running" title="Running" shown={running.length}>
        {running.length === 0 ? (
          <p class="empty">
            {isFiltered ? 'No running issue matches the filter.' : 'No agent is running.'}
          </p>
        ) : null}
        <ul class="rows">
          {running.map((row) => (
            <Running key={keyOf(row)} row={row} several={several} />
          ))}
        </ul>
      </Section>
      {stopping.length === 0 ? null : (
        <Section id="stopping" title="Stopping" shown={stopping.length}>
          <ul class="rows">
            {stopping.map((row) => (
              <Stopping key={keyOf(row)} row={row} several={several} />
            ))}
          </ul>
        </Section>
      )}
      {retrying.length === 0 ? null : (
        <Section id="retrying" title="Retrying" shown={retrying.length}>
          <ul class="rows">
            {retrying.map((row) => (
              <Retrying key={keyOf(row)} row={row} several={several} />
            ))}
          </ul>
        </Section>
      )}
      {waiting.length === 0 ? null : (
        <Section
          id="waiting"
          title="Waiting"
          shown={waiting.length}
          {...(isFiltered ? {} : {all: snapshot.counts.waiting})}
        >
          <ul class="rows">
            {waiting.map((row) => (
              <Waiting key={keyOf(row)} row={row} several={several} />
            ))}
          </ul>
        </Section>
      )}
      {dismissed.length === 0 ? null : (
        <Section
          id="dismissed"
          title="Dismissed"
          shown={dismissed.length}
          {...(isFiltered ? {} : {all: snapshot.counts.dismissed})}
        >
          <ul class="rows">
            {dismissed.map((row) => (
              <Dismissed key={keyOf(row)} row={row} several={several} />
            ))}
          </ul>
        </Section>
      )}
      {kept.length === 0 ? null : (
        <Section
          id="kept"
          title="Kept workspaces"
          shown={kept.length}
          {...(isFiltered ? {} : {all: snapshot.counts.kept})}
        >
          <ul class="rows">
            {kept.map((row) => (
              <Kept key={row.workspace_path} row={row} several={several} />
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}

function keyOf({project, issue_id: id}: {project: string; issue_id: string}): string {
  return `${project}/${id}`;
}
