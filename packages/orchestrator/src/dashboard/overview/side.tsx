import type {ProjectRow, RunView, Snapshot} from '@symphony-supervisor/protocol';
import {memo} from 'preact/compat';
import {useState} from 'preact/hooks';
import {
  codeWords,
  count,
  countdown,
  outcomeTone,
  outcomeWords,
  roughly,
  shortSpan,
  tokens,
} from '../../view/words.ts';
import {useNow} from '../live/now.ts';
import {Meter, ThroughputChart} from '../parts/charts.tsx';
import {Ago, Until} from '../parts/clocks.tsx';
import {useInteraction} from '../parts/confirm.tsx';
import {Links, MadeWords} from '../parts/made.tsx';
import {confirmPause} from '../parts/orders.ts';
import {issueHref} from '../parts/route.ts';
import {Fact, IconButton} from './claims.tsx';
import {RoleTag, Section} from './row.tsx';
import {throughput} from './throughput.ts';

const RUN_LIMIT = 200;
const RUNS_FIRST = 12;

export function Throughput({runs}: {runs: readonly RunView[]}) {
  const now = useNow();
  const data = throughput(runs, RUN_LIMIT, now);
  return (
    <section class="panel" aria-labelledby="throughput-title">
      <h2 id="throughput-title">
        Runs <span class="hint">{data.title}</span>
      </h2>
      <ThroughputChart data={data} />
    </section>
  );
}

export function Limits({limits}: {limits: Snapshot['rate_limits']}) {
  const windows = limits?.windows ?? [];
  if (windows.length === 0) return null;
  return (
    <section class="panel" aria-labelledby="limits-title">
      <h2 id="limits-title">Agent rate limits</h2>
      {windows.map((window, index) => {
        const name =
          window.window_minutes === null
            ? `window ${index + 1}`
            : `${roughly(window.window_minutes * 60_000)} window`;
        return (
          <div class="limit" key={name}>
            <span>{name}</span>
            <span>
              {Math.round(window.used_percent)} %
              {window.resets_at === null ? null : (
                <span class="faint">
                  {' '}
                  · resets in <Until at={window.resets_at} />
                </span>
              )}
            </span>
            <Meter
              used={window.used_percent / 100}
              label={`${name}: ${Math.round(window.used_percent)} percent used`}
            />
          </div>
        );
      })}
    </section>
  );
}

export function Projects({snapshot}: {snapshot: Snapshot}) {
  return (
    <Section id="projects" title="Projects" shown={snapshot.projects.length}>
      <ul class="rows">
        {snapshot.projects.map((project) => (
          <Project key={project.name} project={project} at={snapshot.generated_at} />
        ))}
      </ul>
    </Section>
  );
}

function Project({project, at}: {project: ProjectRow; at: string}) {
  const {confirm} = useInteraction();
  const now = useNow();
  const {slots, agent, polling, tracker, is_paused: isPaused} = project;
  const poll = polling.next_poll_in_ms;
  return (
    <li class="row project-row">
      <div class="issue-head">
        <strong>{project.name}</strong>
        <span class="tags">
          <span class="tag">{tracker.kind}</span>
          {isPaused ? <span class="tag warn-tag">paused</span> : null}
        </span>
        <IconButton
          icon={isPaused ? 'play' : 'pause'}
          label={`${isPaused ? 'Resume' : 'Pause'} dispatch of ${project.name}`}
          act={() => confirm(confirmPause(isPaused, project.name))}
        />
      </div>
      {project.dispatch_block === null ? null : <p class="said">{project.dispatch_block}</p>}
      <dl class="facts">
        <Fact name="slots">
          {slots.used}/{slots.limit}
        </Fact>
        <Fact name="candidates">{project.candidates}</Fact>
        <Fact name="agent">{agent.version ?? agent.status}</Fact>
        {project.other_agents.map(({kind, version, status}) => (
          <Fact key={kind} name={kind}>
            {version ?? status}
          </Fact>
        ))}
        <Fact name="poll">
          {polling.checking
            ? 'reading…'
            : poll === null
              ? '–'
              : countdown(Date.parse(at) + poll, now)}
        </Fact>
      </dl>
      <Budget tracker={tracker} />
    </li>
  );
}

function Budget({tracker}: {tracker: ProjectRow['tracker']}) {
  const {budget} = tracker;
  if (budget === null) return null;
  const made = Object.values(budget.made).reduce((sum, n) => sum + n, 0);
  const buckets = [
    {name: 'requests', bucket: budget.requests},
    {name: 'complexity', bucket: budget.complexity},
  ];
  return (
    <div class="budget">
      {buckets.map(({name, bucket}) =>
        bucket === null ? null : (
          <div class="limit" key={name}>
            <span>tracker {name}</span>
            <span>
              {count(bucket.remaining)} of {count(bucket.limit)} left
            </span>
            <Meter
              used={1 - bucket.remaining / Math.max(1, bucket.limit)}
              label={`tracker ${name} used`}
            />
          </div>
        ),
      )}
      <p class="faint small">{count(made)} tracker requests made</p>
    </div>
  );
}

export function RecentRuns({runs, several}: {runs: readonly RunView[]; several: boolean}) {
  const [shown, setShown] = useState(RUNS_FIRST);
  return (
    <Section id="recent" title="Recent runs" shown={runs.length}>
      {runs.length === 0 ? <p class="empty">No run has ended yet.</p> : null}
      <ul class="rows">
        {runs.slice(0, shown).map((run) => (
          <RunRow key={run.run_id} run={run} several={several} />
        ))}
      </ul>
      {runs.length > shown ? (
        <button type="button" class="more" onClick={() => setShown(shown + 50)}>
          Show more
        </button>
      ) : null}
    </Section>
  );
}

const RunRow = memo(({run, several}: {run: RunView; several: boolean}) => (
  <li class="row run-row">
    <span class={`dot ${outcomeTone(run.outcome)}`} aria-hidden="true" />
    <a class="row-link" href={issueHref(run, run.run_id)}>
      <span class="identifier">{run.issue_identifier}</span>{' '}
      <span class="title">{run.issue_title}</span>{' '}
      {several ? <span class="faint">{run.project} </span> : null}
      <RoleTag row={run} />{' '}
      <span class={`outcome ${outcomeTone(run.outcome)}`} title={run.failure ?? ''}>
        {outcomeWords(run.outcome)}
        {run.failure === null ? '' : `: ${codeWords(run.failure)}`}
      </span>
    </a>
    <Links links={run.links} />
    <span class="run-figures">
      <MadeWords made={run.made} /> {shortSpan(run.duration_ms)} · {tokens(run)} tok ·{' '}
      <Ago at={run.ended_at} />
    </span>
  </li>
));
